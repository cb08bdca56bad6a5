"""Estimates a program's own cycles from its source: no image, no compiler of the target."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import PurePath

from cyclescope.sources.counts import SourceCounts
from cyclescope.studies.estimate.blocks.counted import counted
from cyclescope.studies.estimate.blocks.positions import LinePosition
from cyclescope.studies.estimate.estimated import OwnPart
from cyclescope.studies.estimate.source.machine import Machine
from cyclescope.studies.estimate.source.magnitudes import Magnitudes
from cyclescope.studies.estimate.source.optimised import OptimisedProgram
from cyclescope.studies.estimate.source.prices import SourcePrices
from cyclescope.studies.estimate.source.tails import with_jumps
from cyclescope.studies.estimate.source.work import FunctionWork, Work


@dataclass(frozen=True)
class SourceEstimate:
    """Cycles of a program's own code, and what the prices do not know.

    `unseen` is work that no training program had: its price is a guess.
    """

    own: tuple[OwnPart, ...]
    unseen: tuple[str, ...]
    prices: SourcePrices

    @property
    def cycles(self) -> float:
        return sum(part.cycles for part in self.own)

    @property
    def bounds(self) -> tuple[float, float]:
        """Bounds of the true cycles with 90 %, as parts of the estimated ones."""
        return 1 / self.prices.interval, self.prices.interval


def work_of(program: OptimisedProgram, magnitudes: Magnitudes, isa: str) -> Work:
    """The kinds of work of a whole run, by place in the source."""
    own = frozenset(function.name.split(".")[0] for function in program.functions)
    machine = Machine(isa, program.level)
    found: Work = defaultdict(lambda: defaultdict(float))
    for function in program.functions:
        if any(block.count for block in function.blocks):
            jumps = not machine.thumb and not machine.plain
            made = with_jumps(function, program.types) if jumps else function
            part = FunctionWork(made, program.types, own, machine, magnitudes)
            for place, kinds in part.work.items():
                for kind, times in kinds.items():
                    found[place][kind] += times
    return found


def estimate(
    program: OptimisedProgram, counts: SourceCounts, prices: SourcePrices
) -> SourceEstimate:
    """Prices the work of a run; `counts` are those of the same run, for its regions."""
    work = work_of(program, Magnitudes(counts), prices.isa)
    regions = counted(counts)
    first = {region.function: region.id for region in reversed(counts.regions)}
    owners = {function.line: first[function.id] for function in counts.functions}
    cycles: dict[tuple[int, str, int], float] = defaultdict(float)
    seen: dict[str, float] = {}
    for (file, line, column), kinds in work.items():
        seen.update(kinds)
        spent = prices.priced(kinds)
        if not spent:
            continue
        at = regions.at(LinePosition(PurePath(file).name, line, column))
        region = at.number if at is not None else owners.get(line, _nearest(counts, file, line))
        cycles[region, file, line] += spent
    own = tuple(
        OwnPart(region, file, line, spent) for (region, file, line), spent in sorted(cycles.items())
    )
    return SourceEstimate(own, tuple(prices.unseen(seen)), prices)


def _nearest(counts: SourceCounts, file: str, line: int) -> int:
    """The body of the function that begins last before a line, or of the first function."""
    name = PurePath(file).name
    before = [
        function
        for function in counts.functions
        if PurePath(function.file).name == name and function.line <= line
    ]
    chosen = max(before, key=lambda one: one.line, default=counts.functions[0])
    return min(chosen.regions)
