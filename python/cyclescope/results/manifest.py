"""The manifest: what a results folder holds, under which conditions (docs/reference/results.md)."""

from collections.abc import Callable
from functools import cache
from typing import Literal, Protocol

from pydantic import AliasChoices, Field, field_serializer

from cyclescope.firmware.fragment.plan import Point
from cyclescope.record import Record
from cyclescope.results.sweep import SweepRecord
from cyclescope.results.thresholds import Terms
from cyclescope.stats.summary import Summary
from cyclescope.target.case import Case
from cyclescope.target.conditions import OLD_LAYOUT, Conditions, Layout
from cyclescope.target.findings import Findings, Unmodelled, Unverified

# History of the format:
# - 1: first version
# - 2: several layouts in a folder, runs in a folder for each; rules listed once; interrupts off
# - 3: a fragment and the plans it was timed by; exact cycles of its executions beside the samples
# - 4: the thresholds of the analysis, and where x begins
# - 5: layouts are links with a seed and a number, the runs of all but the first in one file for
#   each case. Exact cycles of every call; the domain of x, and sweeps over it
FORMAT_VERSION: Literal[5] = 5
READ_VERSIONS = (2, 3, 4, 5)
FIRST_WITH_LINKS = 5
"""Before it layouts were offsets of all code, each with a folder of runs."""
FORMAT_NAME: Literal["cyclescope results"] = "cyclescope results"
TIMES_FORMAT_NAME: Literal["cyclescope times"] = "cyclescope times"

Key = tuple[int, str, int | None]
"""Key of a run in its folder: the layout's number, case and parameter."""


class Keyed(Protocol):
    """A run or its refusal, with a key."""

    @property
    def key(self) -> Key: ...


LAYOUT_NUMBER = Field(validation_alias=AliasChoices("layout_number", OLD_LAYOUT))


class Refused(Record):
    """The series of a run that were not made: what does not fit has the most bytes that one of them
    needs, what the machine refused its `reason`."""

    layout_number: int = LAYOUT_NUMBER
    case: str
    parameter: int | None
    lengths: tuple[int, ...]
    needs_bytes: int = 0
    has_bytes: int = 0
    where: str = ""
    reason: str = Field(default="", exclude_if=lambda reason: reason == "")

    @property
    def key(self) -> Key:
        return (self.layout_number, self.case, self.parameter)


class Failed(Record):
    """A run that went wrong on the target, and how; it is missing until it is made again."""

    layout_number: int = LAYOUT_NUMBER
    case: str
    parameter: int | None
    reason: str

    @property
    def key(self) -> Key:
        return (self.layout_number, self.case, self.parameter)

    @property
    def at(self) -> str:
        """The case, its x and its layout, as far as there are several."""
        at = "" if self.parameter is None else f" at x = {self.parameter}"
        number = self.layout_number
        return f"{self.case}{at}{f' in layout {number}' if number else ''}"

    @property
    def sentence(self) -> str:
        return f"{self.at}: failed: {self.reason}"


class Overhead(Record):
    """The technique's own share of a run's samples, from the target's own empty calls."""

    n: int
    mean_cycles: float
    sigma_cycles: float

    @classmethod
    def of(cls, summary: Summary | None) -> "Overhead | None":
        """The overhead a technique states, as the manifest keeps it."""
        if summary is None:
            return None
        return cls(n=summary.n, mean_cycles=summary.mean, sigma_cycles=summary.sigma)


class TimedPlan(Record):
    """A plan that was executed: sample i of a series of `case` is of point i modulo the points.

    `technique` is the one whose plan it is; None for what looks at the steps of T(N). Each
    measurement of a turned point executed the copies of that point `turns` times.
    """

    technique: str | None
    case: str
    points: tuple[Point, ...]
    turns: int = Field(default=1, ge=1, exclude_if=lambda turns: turns == 1)

    @field_serializer("points")
    def _short(self, points: tuple[Point, ...]) -> list[list[int | bool]]:
        """Writes points without iterations and links as older formats do."""
        return [list(one if one.turned or one.links else one[:4]) for one in points]

    @property
    def name(self) -> str:
        """Returns the plan's name in the image."""
        return self.case.partition(".")[2]


class TimedFragment(Record):
    """How the executions of the conditions' fragment were arranged, and why so.

    Unrolled executions come in multiples of `period`; `chosen` is the technique whose figure
    answers, by `reason`. The rounds come from `processes` processes, equally many from each.
    """

    period: int = Field(ge=1)
    chosen: str
    reason: str
    plans: tuple[TimedPlan, ...]
    processes: int = Field(default=1, ge=1, exclude_if=lambda processes: processes == 1)


class RunRecord(Record):
    """One run in the manifest: where its samples are and what to check them against.

    `unverified` are names of rules; their texts stand in the manifest once. `steady` runs are of
    calls that are all the same to a target that sees everything.
    """

    layout_number: int = LAYOUT_NUMBER
    case: str
    parameter: int | None
    file: str
    sha256: str
    samples: int = Field(ge=0)
    rejected: dict[str, int]
    overhead: Overhead | None
    steady: bool = False
    unverified: tuple[str, ...]
    unmodelled: tuple[Unmodelled, ...]

    @property
    def key(self) -> Key:
        return (self.layout_number, self.case, self.parameter)


@cache
def _unverified(rule: str, text: str) -> Unverified:
    return Unverified(rule=rule, text=text)


class Manifest(Record):
    """The whole manifest. `cases` is the image's catalogue; `planned` names those asked for.

    `conditions` are those of the first layout; the others' differ from them only as `layouts` says.
    `like` has by case, for each layout in their order, the number of the first that is like it.
    There the functions that a call executes lie in the same order and at the same places of their
    lines. `repeats_in` names the function of the instruction that a call executes most often, at
    the greatest x. `fragment` is there where a fragment was timed and not a kernel's calls: the
    format says so too.
    """

    format: Literal["cyclescope results", "cyclescope times"] = FORMAT_NAME
    version: Literal[2, 3, 4, 5] = FORMAT_VERSION
    tool: str
    technique: str
    conditions: Conditions
    layouts: tuple[Layout, ...]
    layout_seed: int | None = None
    terms: Terms = Terms()
    cases: tuple[Case, ...]
    planned: tuple[str, ...]
    fragment: TimedFragment | None = None
    runs: tuple[RunRecord, ...] = ()
    refused: tuple[Refused, ...] = ()
    failed: tuple[Failed, ...] = ()
    sweeps: tuple[SweepRecord, ...] = ()
    unverified: dict[str, str] = Field(default_factory=dict)
    like: dict[str, tuple[int, ...]] = Field(default_factory=dict)
    repeats_in: dict[str, str] = Field(default_factory=dict)

    def alike(self, case: str) -> dict[int, int]:
        """For each layout the first that is like it to the case; each its own if it is unknown."""
        numbers = [layout.number for layout in self.layouts]
        return dict(zip(numbers, self.like.get(case, numbers), strict=True))

    def order(self) -> Callable[[Keyed], tuple[int, int, int]]:
        """Says where a run stands in layout and catalogue, whatever the order of measurement."""
        places = {one.name: place for place, one in enumerate(self.cases)}

        def place(one: Keyed) -> tuple[int, int, int]:
            number, case, parameter = one.key
            return (number, places[case], -1 if parameter is None else parameter)

        return place

    def findings(self, record: RunRecord) -> Findings:
        """Limits that the target reported for a run."""
        return Findings(
            unverified=tuple(
                _unverified(rule, self.unverified[rule]) for rule in record.unverified
            ),
            unmodelled=record.unmodelled,
        )

    def planned_runs(self) -> list[Key]:
        """Every run asked for so far: of each planned case, on all layouts."""
        planned = [case for case in self.cases if case.name in self.planned]
        return [
            (layout.number, case.name, value)
            for layout in self.layouts
            for case in planned
            for value in case.values(layout.number)
        ]

    def missing(self) -> list[Key]:
        """Runs planned and neither made nor refused nor failed. A run that the first layout
        could not make is planned for no other."""
        made, first = {one.key for one in self.runs}, self.layouts[0].number
        void = {one.key for one in self.refused} | {one.key for one in self.failed}
        void |= {
            (layout.number, case, parameter)
            for layout in self.layouts
            for number, case, parameter in void - made
            if number == first
        }
        return [key for key in self.planned_runs() if key not in made | void]
