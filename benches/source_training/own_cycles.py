"""The true cycles and energy of each function of a program, on an exact board."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence

from benchmark import BenchmarkProgram
from configurations import BoardConfiguration

from cyclescope.firmware.application import build_application
from cyclescope.studies.estimate.blocks.positions import Positions
from cyclescope.targets.virtual.application import ApplicationBoard

FEMTO_IN_NANO = 1e6
FunctionCycles = tuple[int, int, float]
"""Cycles of its own code, those in what the compiler calls for it, and nanojoules of both."""


class Pieces:
    """Code of one owner, in pieces."""

    def __init__(self, owners: Sequence[tuple[int, int, str]], owner: str) -> None:
        self._pieces = sorted((start, end) for start, end, one in owners if one == owner)
        self._starts = [start for start, _ in self._pieces]

    def __contains__(self, address: int) -> bool:
        index = bisect_right(self._starts, address) - 1
        return index >= 0 and address < self._pieces[index][1]


def own_cycles(
    program: BenchmarkProgram, where: BoardConfiguration, function_at: Callable[[str, int], str]
) -> dict[str, FunctionCycles]:
    """Runs a program; code that was inlined counts for the function that has its line."""
    built = build_application(program.application(where.level), where.of_kernel(program.kernel))
    on = ApplicationBoard(built, program.command, program.files())
    charges = [(start, end, owner == "compiler") for start, end, owner in built.owners]
    histogram = on.board.attach_histogram(charges)
    on.board.meter()
    on.finish()
    spent: dict[int, float] = {}
    for (_, _, address), (_, _, parts) in on.board.spent():
        spent[address] = spent.get(address, 0.0) + sum(parts) / FEMTO_IN_NANO
    lines = [
        (charged, address, sum(kinds))
        for charged, address, _, kinds in on.board.counted(histogram)["lines"]
    ]
    own, compiler = Pieces(built.owners, "program"), Pieces(built.owners, "compiler")
    shared: dict[int, int] = defaultdict(int)
    for _, address, cycles in lines:
        shared[address] += cycles
    positions = Positions(built.image.elf.read_bytes())
    found: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0.0])
    for charged, address, cycles in lines:
        at = address if charged is None else charged
        if at not in own or (charged is not None and address not in compiler):
            continue
        position = positions.of(at)
        name = function_at(position.file, position.line) if position is not None else "?"
        found[name][0 if charged is None else 1] += cycles
        if shared[address]:
            found[name][2] += spent.get(address, 0.0) * cycles / shared[address]
    return {
        name: (int(cycles), int(library), round(energy, 1))
        for name, (cycles, library, energy) in sorted(found.items())
    }
