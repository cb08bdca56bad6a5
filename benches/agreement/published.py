"""Figures that others published of real boards, beside what a kernel takes on the virtual ones.

`published.toml` has them, each with address, quoted line, compiler and flags. The kernels differ,
so their cycles do: the ratios say how far, and are no agreement.
"""

import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any, NamedTuple, Self

from pydantic import Field, model_validator

from cyclescope.firmware import boards
from cyclescope.record import Record

FILE = Path(__file__).parent / "published.toml"
KERNEL = "freertos"


class Figure(Record):
    """How often a part did something in a second, or in how many cycles, in the words of the
    report."""

    what: str = Field(min_length=1)
    line: str = Field(min_length=1)
    per_second: int | None = Field(default=None, gt=0)
    took_cycles: int | None = Field(default=None, gt=0)
    cases: tuple[str, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _has_one_number(self) -> Self:
        if (self.per_second is None) == (self.took_cycles is None):
            raise ValueError("a figure has per_second or took_cycles")
        return self

    @property
    def number(self) -> int:
        """The one that the line states."""
        number = self.took_cycles or self.per_second
        assert number is not None
        return number

    def cycles(self, core_hz: int) -> float:
        """Core cycles, of a core at this clock."""
        return self.number if self.per_second is None else core_hz / self.per_second


class Report(Record):
    """A report of one part, and the board here that stands beside."""

    part: str = Field(min_length=1)
    kernel: str = Field(min_length=1)
    compiler: str = Field(min_length=1)
    flags: str = Field(min_length=1)
    conditions: str = Field(min_length=1)
    address: str = Field(min_length=1)
    core_hz: int = Field(gt=0)
    board: str
    settings: dict[str, int | str]
    figure: tuple[Figure, ...] = Field(min_length=1)


class Ours(NamedTuple):
    """Cycles of some calls on a virtual board: the mean of several links, and what it varies by."""

    cycles: float
    half_width: float
    samples: int


class Beside(NamedTuple):
    """A report with what each of its figures has beside it, and how that was made."""

    report: Report
    ours: list[Ours]
    conditions: dict[str, Any]


def reports() -> list[Report]:
    """All that the file has."""
    return [Report.model_validate(one) for one in tomllib.loads(FILE.read_text())["report"]]


def here() -> list[Report]:
    """Those whose board is here and has firmware."""
    return [one for one in reports() if one.board in boards.with_firmware()]


def beside(report: Report) -> Beside:
    """Times the calls on the report's board."""
    cases = sorted({case for figure in report.figure for case in figure.cases})
    options = [f"--{name}={value}" for name, value in report.settings.items()]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "cyclescope", "characterize", "--json",
             "--board", report.board, "--kernel", KERNEL, "--out", f"{folder}/results", *options,
             *[f"--case={case}" for case in cases]],
            stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, check=True,
        )  # fmt: skip
    result = json.loads(done.stdout)
    measured = {one["name"]: one["measured"][0] for one in result["cases"]}
    ours = [added([measured[case] for case in figure.cases]) for figure in report.figure]
    return Beside(report, ours, result["conditions"])


def added(calls: list[dict[str, Any]]) -> Ours:
    """The cycles of calls that follow each other."""
    net = [one["net_cycles"] for one in calls]
    return Ours(
        sum(one["value"] for one in net),
        sum(one["half_width"] or 0 for one in net),
        min(one["n"] for one in calls),
    )
