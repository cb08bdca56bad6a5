"""Estimates a program's own cycles from the counts of a run on the host and the target's image."""

from collections.abc import Container, Iterable
from dataclasses import dataclass

from cyclescope.firmware.program import Function, Program
from cyclescope.sources.counts import SourceCounts
from cyclescope.studies.estimate.blocks.counted import Counted
from cyclescope.studies.estimate.blocks.evidence import evidence
from cyclescope.studies.estimate.blocks.flow import ImageFlow
from cyclescope.studies.estimate.blocks.inlining import Homes, inlining_of, jumping_calls
from cyclescope.studies.estimate.blocks.multiplications import multiplications
from cyclescope.studies.estimate.blocks.positions import Positions
from cyclescope.studies.estimate.blocks.priced import Priced, priced
from cyclescope.studies.estimate.blocks.solve import SOUND, Solution, solve
from cyclescope.targets.virtual.board import Pricer


@dataclass(frozen=True)
class BlockEstimate:
    """Cycles of a program's own functions. `unfollowed` are places with unknown targets."""

    flow: ImageFlow
    positions: Positions
    solution: Solution
    prices: Priced

    @property
    def cycles(self) -> float:
        return self.prices.cycles

    @property
    def functions(self) -> dict[str, float]:
        """Cycles by function."""
        found: dict[str, float] = {}
        for node, cycles in zip(self.flow.nodes, self.prices.nodes, strict=True):
            found[node.function.name] = found.get(node.function.name, 0.0) + cycles
        return found

    @property
    def contradicted(self) -> float:
        """The share of the cycles whose executions contradict what the source says of them."""
        nodes, cycles = self.solution.nodes, self.prices.nodes
        off = 0.0
        for executions, piece in self.solution.misses:
            if piece.trust.less >= SOUND:
                times = sum(nodes[copy.node] for copy in piece.copies)
                spent = sum(cycles[copy.node] for copy in piece.copies)
                off += min(abs(executions) * spent / times, spent) if times else abs(executions)
        return min(off / self.cycles, 1.0) if self.cycles else 0.0

    @property
    def unfollowed(self) -> list[str]:
        return self.flow.unfollowed


class ReadImage:
    """A program's image as its own functions' flow, positions and inlined calls."""

    def __init__(
        self,
        elf: bytes,
        functions: Iterable[Function],
        counts: SourceCounts | None,
        units: Container[str] | None = None,
    ) -> None:
        """`counts` have the places of the image.

        `units` are the files that the functions are compiled from, by their names without folders;
        None is all that the image has positions of.
        """
        self.program = Program(elf)
        self.flow = ImageFlow(self.program, functions)
        self.positions = Positions(elf, units)
        self.inlining = inlining_of(elf, counts, units) if counts is not None else None
        self.jumps = set[int]()
        """Calls of functions by themselves that became jumps."""
        if counts is not None and self.inlining is not None:
            self.jumps = jumping_calls(counts, self.flow, self.positions, self.inlining)


def estimate(
    image: ReadImage, counted: Counted, pricer: Pricer, main: str = "main"
) -> BlockEstimate:
    """Estimates the cycles of an image's own functions.

    The pricer has its memories set as the program's start sets them; the image is loaded into it
    here.
    """
    program, flow, positions = image.program, image.flow, image.positions
    for address, data in program.loaded:
        pricer.load(address, data)
    entry = program.address(program.symbols[main])
    homes = Homes(flow, positions, counted, image.inlining)
    found = evidence(flow, positions, counted, homes, image.jumps)
    solution = solve(flow, found, entry, _pointed(program, flow))
    further = multiplications(flow, positions, counted, pricer)
    return BlockEstimate(flow, positions, solution, priced(flow, solution, pricer, entry, further))


def _pointed(program: Program, flow: ImageFlow) -> set[int]:
    """The functions whose addresses are words of the image: they may be called by pointers."""
    words = {
        int.from_bytes(data[offset : offset + 4], "little")
        for _, data in program.loaded
        for offset in range(0, len(data) - 3, 4)
    }
    return {address for address in flow.entries if {address, address | 1} & words}
