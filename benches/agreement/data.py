"""Recordings of a real part beside the model's figures: one shape for all sets."""

import gzip
import hashlib
import json
import math
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from cyclescope.errors import CyclescopeError

ABSENT = "The recordings were not there."


class About(NamedTuple):
    """Of a judge, for readers: which core and board it judges, who measured, and what."""

    core: str
    board: str
    who: str
    what: str


class Case(NamedTuple):
    """Cycles of one routine: recorded, and by the model."""

    name: str
    measured_cycles: float
    model_cycles: float

    @property
    def off_cycles(self) -> float:
        """How far the model is above the part."""
        return self.model_cycles - self.measured_cycles

    @property
    def off_percent(self) -> float:
        """The same as a share of what was measured."""
        if self.measured_cycles == 0:
            return 0.0 if self.off_cycles == 0 else math.inf
        return 100 * self.off_cycles / self.measured_cycles


@dataclass(frozen=True)
class Agreement:
    """The cases of one set, and up to what distance in cycles they count as equal."""

    name: str
    cases: list[Case]
    tolerance: float
    least_share: float = 1.0
    """Of equal cases, below which the model does not hold."""

    @property
    def unequal(self) -> list[Case]:
        return [case for case in self.cases if abs(case.off_cycles) > self.tolerance + 1e-9]

    @property
    def equal_count(self) -> int:
        return len(self.cases) - len(self.unequal)

    @property
    def mean_percent(self) -> float:
        """Mean of the absolute errors."""
        return sum(abs(case.off_percent) for case in self.cases) / len(self.cases)

    @property
    def worst_percent(self) -> float:
        return max(abs(case.off_percent) for case in self.cases)

    @property
    def holds(self) -> bool:
        return self.equal_count >= self.least_share * len(self.cases) - 1e-9


def table(head: str, rows: Iterable[str]) -> str:
    """A table whose first column is text; a sentence if it has no rows."""
    lines = [f"| {row} |" for row in rows]
    rule = "|---" + "|--:" * head.count("|") + "|"
    return "\n".join([f"| {head} |", rule, *lines]) if lines else ABSENT


def load(path: Path) -> Any:
    """The contents of a gzip'd JSON file, or a sentence that names it and what is wrong."""
    try:
        return json.loads(gzip.decompress(path.read_bytes()))
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise CyclescopeError(
            f"{path} is not gzip'd JSON ({error}): fetch the recordings again"
        ) from error


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
