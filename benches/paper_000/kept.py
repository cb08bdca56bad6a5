"""Counts, trees, work and prices of calls of a program, kept in build/source.

A program is counted once, and built here once for each level. Its calls are priced once for each
configuration. Each is made again when the code that it is of has changed.
"""

import hashlib
import pickle
from collections import defaultdict
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path, PurePath
from typing import Any

from benchmark import BenchmarkProgram
from configurations import BoardConfiguration

import cyclescope
from cyclescope.firmware.build import ROOT
from cyclescope.sources.counts import SourceCounts
from cyclescope.studies.estimate.counting import Inputs, count_program
from cyclescope.studies.estimate.estimated import ProgramEstimate
from cyclescope.studies.estimate.source.estimate import work_of
from cyclescope.studies.estimate.source.magnitudes import Magnitudes
from cyclescope.studies.estimate.source.optimised import OptimisedProgram, optimised
from cyclescope.studies.estimate.source.work import Kinds
from cyclescope.studies.estimate.ways import BARE, PricedPlace

FOLDER = ROOT / "build" / "source"
OWN = "studies/estimate/source"
TREES = tuple(f"{OWN}/{one}.py" for one in ("optimised", "gimple", "guesses", "types"))
NOT_WORK = ("fitting.py", "prices.py", "units.py")
CALLS = ("studies/estimate/calls", "studies/estimate/laws", "sources")
KINDS = (".py", ".c", ".h", ".json", ".npz")
DIGITS = 12
Begun = dict[str, list[tuple[int, str]]]
"""Lines and names of functions, by the name of their file."""


@cache
def code(*parts: str, beside: tuple[str, ...] = ()) -> str:
    """A hash of the package's files below these paths, without the names `beside`."""
    package, digest = Path(str(cyclescope.__file__)).parent, hashlib.sha256()
    for part in parts:
        path = package / part
        for one in [path] if path.is_file() else sorted(path.rglob("*")):
            if one.suffix in KINDS and one.name not in beside and one.parent.name != "coefficients":
                digest.update(one.read_bytes())
    return digest.hexdigest()[:DIGITS]


def kept(name: str, of: str, make: Callable[[], Any]) -> Any:
    """Returns the object kept under a name for this code, or makes it now."""
    path = FOLDER / f"{name}-{of}.pickle"
    if path.exists():
        return pickle.loads(path.read_bytes())
    made = make()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob(f"{name}-{'?' * DIGITS}.pickle"):
        old.unlink()
    path.write_bytes(pickle.dumps(made))
    return made


class KeptProgram:
    """A program without a kernel: its counts are the same in all configurations."""

    def __init__(self, program: BenchmarkProgram) -> None:
        self.program, self.name = program, program.name

    @cached_property
    def counts(self) -> SourceCounts:
        inputs = Inputs(self.program.arguments, self.program.files())
        found: SourceCounts = kept(
            f"{self.name}-counts",
            code("sources"),
            lambda: count_program(self.program.application(), inputs).counts,
        )
        return found

    @property
    def begun(self) -> Begun:
        """Where functions begin."""
        found: Begun = defaultdict(list)
        for one in self.counts.functions:
            found[PurePath(one.file).name].append((one.line, one.name))
        return found

    def tree(self, level: str) -> OptimisedProgram:
        """The program as this machine's compiler optimises it."""
        one = self.program
        found: OptimisedProgram = kept(
            f"{self.name}-tree-{level}",
            code(*TREES),
            lambda: optimised(one.application(level), one.command, one.files(), one.kernel),
        )
        return found

    def work(self, level: str, isa: str) -> dict[str, Kinds]:
        """The work of each function; that of a line counts for the function it lies in."""

        def make() -> dict[str, Kinds]:
            begun = self.begun
            found: dict[str, Kinds] = {}
            made = work_of(self.tree(level), Magnitudes(self.counts), isa)
            for (file, line, _), kinds in made.items():
                sums = found.setdefault(function_at(begun, file, line), {})
                for kind, times in kinds.items():
                    sums[kind] = sums.get(kind, 0.0) + times
            return found

        of = code(OWN, "sources", beside=NOT_WORK)
        found: dict[str, Kinds] = kept(f"{self.name}-work-{level}-{isa}", of, make)
        return found

    def calls(self, where: BoardConfiguration) -> tuple[float, tuple[float, float]]:
        """Cycles of calls, and how far below and above their laws may be."""

        def make() -> tuple[float, tuple[float, float]]:
            place = PricedPlace(self.program.application(where.level), where.of_kernel(BARE))
            found = ProgramEstimate("source", (), place.calls_of(self.counts)[0])
            return found.cycles_of_calls, found.off_of_laws

        name = f"{self.name}-calls-{where.name.replace(' ', '-')}"
        found: tuple[float, tuple[float, float]] = kept(name, code(*CALLS), make)
        return found


def function_at(begun: Begun, file: str, line: int) -> str:
    """The function that a line lies in: the last one that begins before it."""
    there = begun.get(PurePath(file).name, ())
    return max((one for one in there if one[0] <= line), default=(0, "?"))[1]
