"""Work of a processor without floating point for a function, from its optimised tree.

Each instruction that the target's compiler is expected to make is a kind of work. So are copies
between registers, values on the stack, and branches that are taken.
"""

from collections import defaultdict

from cyclescope.studies.estimate.source.gimple import LEAVES, GimpleBlock, GimpleFunction, Place
from cyclescope.studies.estimate.source.layout import following, guarded, in_order
from cyclescope.studies.estimate.source.loops import Loops
from cyclescope.studies.estimate.source.machine import Machine
from cyclescope.studies.estimate.source.magnitudes import Magnitudes
from cyclescope.studies.estimate.source.registers import Allocation
from cyclescope.studies.estimate.source.selection import InstructionSelection
from cyclescope.studies.estimate.source.types import Types

Kinds = dict[str, float]
"""How often each kind of work was done."""
Work = dict[Place, Kinds]
NOT_GUARDED = (
    *("call", "call outside", "library call", "switch", "switch called"),
    *("compare", "compare long"),
)
COPIES = ("copy", "choice constant", "choice literal")


class FunctionWork:
    """The kinds of work of a function over a whole run, by line."""

    def __init__(
        self,
        function: GimpleFunction,
        types: Types,
        own: frozenset[str],
        machine: Machine,
        magnitudes: Magnitudes,
    ) -> None:
        self.work: Work = defaultdict(lambda: defaultdict(float))
        self._function, self._machine = function, machine
        self._blocks = {block.number: block for block in function.blocks}
        self._loops = Loops(function)
        selection = InstructionSelection(function, types, own, machine, magnitudes, self._loops)
        self._code = selection.found.code
        self._ends = selection.found.ends
        self._allocated = Allocation(
            function, selection.found, selection.roots, machine, self._loops
        ).found
        self._behind = in_order(function) if machine.plain else following(function, self._loops)
        self._guarded = (
            {} if machine.plain else guarded(function, self._loops, self._sizes(), machine.guarded)
        )
        self._at: Place = next(
            (one.place for block in function.blocks for one in block.statements), ("", 0, 0)
        )
        self._enter()
        entered = {one.header: one.entered for one in self._loops.all}
        for header, pointers in selection.found.begun.items():
            self._at = selection.found.ends.get(header, self._at)
            self._add("pointer begun", entered.get(header, 0) * len(pointers))
        for block in function.blocks:
            self._block(block)

    def _add(self, kind: str, times: float) -> None:
        if times:
            self.work[self._at][kind] += times

    def _sizes(self) -> dict[int, float]:
        """Instructions of blocks that can be guarded."""
        found: dict[int, float] = {}
        for block in self._function.blocks:
            if not any(
                kind in one.kinds for one in self._code[block.number] for kind in NOT_GUARDED
            ):
                found[block.number] = self._size(block.number)
        return found

    def _size(self, number: int) -> float:
        size = sum(
            sum(
                times
                for kind, times in one.kinds.items()
                if kind not in ("factor bytes", "stepped")
            )
            for one in self._code[number]
        )
        ways = self._blocks[number].ways
        return size + sum(
            times
            for way in ways
            for times in self._allocated.copies.get((number, way), {}).values()
        )

    def _enter(self) -> None:
        entered = self._function.entered
        self._add("enter", entered)
        if self._machine.plain:
            if self._function.parameters != ("void",):
                self._add("variable store", entered * len(self._function.parameters))
            self._add("enter calling", entered * self._allocated.calls)
            return
        # A leaf that needs registers of its caller stores them, and its way back, as well.
        stores = self._allocated.calls or self._allocated.pushed > 0
        self._add("enter calling", entered * stores)
        self._add("pushed", entered * self._allocated.pushed)
        self._add("pushed high", entered * self._allocated.pushed_high)

    def _block(self, block: GimpleBlock) -> None:
        guard = self._guarded.get(block.number)
        for one in self._code[block.number]:
            self._at = one.place
            for kind, times in one.kinds.items():
                self._add(kind, times * block.count)
        if block.number in self._ends:
            self._at = self._ends[block.number]
        if not self._machine.plain:
            for kind, times in self._allocated.blocks.get(block.number, {}).items():
                self._add(kind, times)
        if guard is not None:
            skipped = max(self._blocks[guard].count - block.count, 0)
            self._add("skipped", skipped * self._size(block.number))
        self._ways(block, guarded=guard is not None)

    def _passed_on(self, block: GimpleBlock, way: int) -> int:
        """Jumps to a block that only jumps on: they go to its target at once."""
        copies = self._allocated.copies.get((block.number, way), {})
        if self._machine.plain or self._code[block.number] or any(copies.values()):
            return 0
        return sum(
            self._blocks[origin].ways[block.number]
            for origin in self._loops.origins[block.number]
            if self._behind.get(origin) != block.number
        )

    def _ways(self, block: GimpleBlock, *, guarded: bool) -> None:
        guards = any(self._guarded.get(way) == block.number for way in block.ways)
        conditional = len(block.ways) == 2
        behind = self._behind.get(block.number)
        for way, times in block.ways.items():
            for kind, each in self._allocated.copies.get((block.number, way), {}).items():
                self._add(kind, times * each)
            if way == LEAVES:
                self._add("return", times)
            elif guards or guarded:
                continue
            elif way != behind and len(block.ways) <= 2:
                further = 0 if conditional else self._passed_on(block, way)
                self._add("taken" if conditional else "jump", times - further)
        if conditional and not guards:
            self._add("branch", block.count)
            if behind not in block.ways:
                self._add("jump", min(block.ways.values()))
