"""A program's own cycles by region and line, and the calls that its image makes."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from cyclescope.firmware.application import BuiltApplication
from cyclescope.sources.counts import InlinedCopy, SourceCounts, with_runs
from cyclescope.studies.estimate.blocks.compiler_calls import BITS, PREFIX, CompilerCalls
from cyclescope.studies.estimate.blocks.counted import Counted, CountedRegion, counted
from cyclescope.studies.estimate.blocks.estimate import BlockEstimate, ReadImage, estimate
from cyclescope.studies.estimate.blocks.evidence import MADE, third_argument
from cyclescope.studies.estimate.blocks.flattened import flattened
from cyclescope.studies.estimate.blocks.flow import Node
from cyclescope.studies.estimate.blocks.inlining import base_name, recursive_copies
from cyclescope.studies.estimate.blocks.memories import own_functions, pricer_of
from cyclescope.studies.estimate.blocks.positions import LinePosition
from cyclescope.studies.estimate.calls.laws import Laws
from cyclescope.studies.estimate.calls.recorded import WORD
from cyclescope.studies.estimate.estimated import OwnPart

STORED_BYTES = {
    **{f"{kind}{bits}": bits // 8 for kind in "iuf" for bits in (8, 16, 32, 64)},
    "pointer": 4,
}
"""Of the types of operations that loops store."""
VENEER = re.compile(r"__(.+)_from_thumb")
"""Code that the linker puts before a function of ARM which Thumb code calls."""


@dataclass(frozen=True)
class ImageCall:
    """Calls that the image makes at one place of the source; of pointers, the callee is None."""

    callee: str | None
    position: LinePosition | None
    times: float
    bytes: int | None = None
    """The third argument of a call of MADE, if it is a constant."""


@dataclass(frozen=True)
class OwnBlocks:
    """A program by the blocks of its image: its own parts, and what it calls.

    `unpriced` are the compiler's functions without a law, and how often they are called.
    """

    blocks: BlockEstimate
    parts: tuple[OwnPart, ...]
    calls: tuple[ImageCall, ...]
    unpriced: dict[str, float]
    are_copies_counted: bool
    """Whether each copy of a recursive function in itself was counted, if there is one."""
    longer: float = 0.0
    """By what share the priced code is longer than the program's (flattened.py)."""
    of_one_side: tuple[tuple[str, int], ...] = ()
    """Lines, by file, that only this machine or only the target compiles."""


Recount = Callable[[tuple[InlinedCopy, ...]], SourceCounts]
"""Counts the same run again, each copy of a function by itself."""


def own_blocks(
    built: BuiltApplication,
    counts: SourceCounts,
    laws: Laws | None = None,
    recount: Recount | None = None,
) -> OwnBlocks:
    """Estimates a program's own code from the counts of its run on the host; no board is made.

    Of the compiler's functions the laws have the cycles; without laws they are unpriced. Where the
    compiler put recursive functions into themselves, `recount` counts each copy.
    """
    return _Attribution(built, counts, laws, recount).made()


class _Attribution:
    """Divides what nodes cost among regions and lines."""

    def __init__(
        self,
        built: BuiltApplication,
        counts: SourceCounts,
        laws: Laws | None,
        recount: Recount | None,
    ) -> None:
        self._flat = flattened(built)
        self._files = {
            PurePath(span.file).name: span.file for one in counts.regions for span in one.spans
        }
        moved, elf = self._flat.moved(counts), self._flat.elf
        self._of_one_side = tuple(self._flat.of_one_side(counts))
        units = {one.name for one in self._flat.built.application.sources}
        image = ReadImage(elf, own_functions(self._flat.built), moved, units)
        assert image.inlining is not None
        copies = recursive_copies(moved, image.inlining, image.jumps)
        if copies and recount is not None:
            moved = with_runs(moved, recount(copies))
        self._are_copies_counted = not copies or bool(moved.copies)
        self._program = image.program
        self._regions: Counted = counted(moved, self._flat.twins)
        self._blocks = estimate(image, self._regions, pricer_of(self._flat.built))
        self._positions = self._blocks.positions
        self._compiler = CompilerCalls(moved, laws) if laws is not None else None
        self._cycles: dict[tuple[int, str, int], float] = defaultdict(float)
        self._unpriced: dict[str, float] = defaultdict(float)

    def made(self) -> OwnBlocks:
        nodes = self._blocks.flow.nodes
        for node, cycles in zip(nodes, self._blocks.prices.nodes, strict=True):
            self._divide(node, cycles)
        for call in self._calls:
            if call.callee is not None and self._is_of_compiler(call):
                self._price(call)
        parts = tuple(
            OwnPart(region, file, line, float(cycles))
            for (region, file, line), cycles in sorted(self._cycles.items())
        )
        unpriced = dict(self._unpriced)
        return OwnBlocks(
            *(self._blocks, parts, self._calls, unpriced, self._are_copies_counted),
            *(self._flat.longer, self._of_one_side),
        )

    def _divide(self, node: Node, cycles: float) -> None:
        """Gives each instruction of a node its part."""
        if cycles <= 0:
            return
        code = self._blocks.flow.instructions(node)
        for one in code:
            position = self._positions.of(one.address)
            region = self._regions.at(position) if position else None
            if position is None or region is None:
                region, position = self._body(node)
            if region is not None and position is not None:
                self._cycles[self._place(region, position)] += cycles / len(code)

    def _place(self, region: CountedRegion, position: LinePosition) -> tuple[int, str, int]:
        """The region, and the user's file and line."""
        file, line = self._flat.origin(position.file, position.line) or position[:2]
        return region.number, self._files.get(file, file), line

    def _body(self, node: Node) -> tuple[CountedRegion | None, LinePosition | None]:
        """The block of the function that a node is in, for code without a position."""
        region = self._bodies.get(base_name(node.function.name))
        if region is None:
            region = next(iter(self._regions.regions), None)
        if region is None or not region.spans:
            return region, None
        file, begin, _ = region.spans[0]
        return region, LinePosition(file.rpartition("/")[2], *begin)

    @cached_property
    def _bodies(self) -> dict[str, CountedRegion]:
        regions = (one for one in self._regions.regions if one.kind == "body")
        return {one.function: one for one in regions}

    @cached_property
    def _calls(self) -> tuple[ImageCall, ...]:
        return tuple(self._found_calls())

    def _found_calls(self) -> Iterator[ImageCall]:
        own = self._blocks.flow.entries
        for node in self._blocks.flow.nodes:
            if node.calls is None or node.calls in own or node.skipped:
                continue
            position = self._positions.of(node.last)
            name = self._names.get(node.calls) if node.calls else None
            if node.calls and name is None:
                name = self._program.function_at(node.calls).name
            if name is not None and (veneer := VENEER.fullmatch(name)):
                name = veneer[1]
            taken = zip(node.ways, self._blocks.solution.ways[node.number], strict=True)
            times = sum(n for way, n in taken if way.taken)
            times += self._blocks.solution.nodes[node.number] - sum(
                self._blocks.solution.ways[node.number]
            )
            size = third_argument(self._blocks.flow, node) if name in MADE else None
            yield ImageCall(name, position, times, size)

    def _filled(self, compiler: CompilerCalls, call: ImageCall) -> float | None:
        """The cycles of a call of MADE, if its size is known."""
        size = call.bytes if call.bytes is not None else self._bytes_of_loop(call)
        if size is None or call.callee is None or call.position is None:
            return None
        region = self._regions.at(call.position)
        stored = self._regions.stores(region) if region else ()
        aligned = all(STORED_BYTES.get(type_, WORD) % WORD == 0 for type_, _, _ in stored)
        backwards = self._regions.counts_down(call.position)
        return compiler.filled(call.callee, size, aligned, backwards)

    def _bytes_of_loop(self, call: ImageCall) -> float | None:
        """The mean bytes of a call that stands for a loop: those that its executions store."""
        region = self._regions.at(call.position) if call.position else None
        entered = self._entered(region) if region and call.times else 0.0
        if region is None or not entered or region.times <= entered:
            return None
        stored = [
            STORED_BYTES[type_] * number
            for type_, access, number in self._regions.stores(region)
            if access != "local" and type_ in STORED_BYTES
        ]
        return sum(stored) * region.times / entered if stored else None

    def _entered(self, loop: CountedRegion) -> float:
        """How often a loop begins that calls stand for.

        Copies of its function share its counts. Most of them may have kept the loop, or be calls
        too. A compiler leaves the call out where the loop has no round.
        """
        calls = sum(
            one.times
            for one in self._calls
            if one.callee in MADE and one.bytes is None and one.position
            if self._regions.at(one.position) == loop
        )
        around = self._regions.around(loop)
        return around.times if around and 2 * calls < around.times else calls

    def _is_of_compiler(self, call: ImageCall) -> bool:
        """Whether the compiler made a call.

        It calls its own functions. It also fills and copies in place of loops and assignments, in
        functions whose source calls none of that name.
        """
        if call.callee is None or call.callee in BITS or call.callee.startswith(PREFIX):
            return call.callee is not None
        region = self._regions.at(call.position) if call.position else None
        if call.callee not in MADE or region is None:
            return False
        return (region.function, call.callee) not in self._called

    @cached_property
    def _called(self) -> set[tuple[str, str]]:
        """Functions of the source, and what they call by name."""
        functions = {one.number: one.function for one in self._regions.regions}
        counts = self._regions.counts
        return {
            (functions[call.region], call.callee.removeprefix("__builtin_"))
            for call in (counts.calls if counts else ())
            if call.callee
        }

    @cached_property
    def _names(self) -> dict[int, str]:
        """The names of the compiler's functions as the ABI has them: libgcc has its own beside."""
        return {
            self._program.address(value): name
            for name, value in self._program.symbols.items()
            if name.startswith(PREFIX)
        }

    def _price(self, call: ImageCall) -> None:
        callee = call.callee or ""
        each = None
        if self._compiler and callee in MADE:
            each = self._filled(self._compiler, call)
        elif self._compiler:
            each = self._compiler.cycles(callee, call.position)
        region = self._regions.at(call.position) if call.position else None
        if each is None or region is None or call.position is None:
            self._unpriced[callee] += call.times
            return
        self._cycles[self._place(region, call.position)] += call.times * each
