"""Control-flow graph of a function and of all that it calls, recovered from the code of an image.

Moreno and Fischmeister, section 5.1. A block runs from its first instruction, its leader, to its
last without a way in or out between. Here a call ends a block too. So the cycles between two
leaders that execute one after the other are those of one block. Exits of a block are edges. Control
flow that is not in the code (indirect calls, computed jumps of unknown form) is refused in a
sentence.
"""

from dataclasses import dataclass
from typing import NamedTuple

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.architecture import Decoded, Instruction
from cyclescope.firmware.cfg.flow import Flow, FlowKind, Listing
from cyclescope.firmware.program import Function, Program

__all__ = ["Block", "Edge", "FlowKind", "Graph", "recover"]


class Edge(NamedTuple):
    """A way out of the block at `source`; `target` is the leader it goes to, none for a return.

    `optional`: its block can be left otherwise too.
    """

    source: int
    kind: FlowKind
    target: int | None
    optional: bool


@dataclass(frozen=True)
class Block:
    """Instructions that execute one after the other; `number` counts within the function.

    `resumes` is where control goes on behind a call that ends the block. `varies` names each
    predicated instruction whose cost differs when its condition fails: with one, the block's time
    is no constant.
    """

    start: int
    end: int
    function: str
    number: int
    instructions: tuple[Instruction, ...]
    edges: tuple[Edge, ...]
    resumes: tuple[int, ...]
    varies: tuple[str, ...]


@dataclass(frozen=True)
class Graph:
    """All blocks that control can come to from `root`, by their leaders in ascending order."""

    root: int
    blocks: dict[int, Block]

    @property
    def edges(self) -> tuple[Edge, ...]:
        return tuple(edge for block in self.blocks.values() for edge in block.edges)

    def name(self, leader: int) -> str:
        """`B3` for block 3 of the root's function, `memcpy:B3` for one of another."""
        block = self.blocks[leader]
        own = block.function == self.blocks[self.root].function
        return f"B{block.number}" if own else f"{block.function}:B{block.number}"


def recover(program: Program, root: int) -> Graph:
    """The graph of the function that begins at `root`, called functions included."""
    return _Recovery(program).graph(root)


@dataclass(frozen=True)
class _Block:
    """A block before it has a number and its edges."""

    start: int
    code: tuple[Decoded, ...]
    flow: Flow | None

    @property
    def end(self) -> int:
        last = self.code[-1]
        return int(last.address + last.size)


class _Recovery:
    """Follows control from instruction to instruction, then cuts at the leaders."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._architecture = program.architecture
        self._listings: dict[Function, Listing] = {}
        self._flows: dict[int, Flow | None] = {}

    def graph(self, root: int) -> Graph:
        leaders = self._follow(root)
        blocks = [self._block(leader, leaders) for leader in sorted(leaders)]
        numbers: dict[str, int] = {}
        found = {}
        for block in blocks:
            function = self._program.function_at(block.start).name
            number = numbers[function] = numbers.get(function, -1) + 1
            found[block.start] = self._finished(block, function, number)
        return Graph(root, found)

    def _follow(self, root: int) -> set[int]:
        """Finds every instruction that can execute; returns the leaders."""
        leaders, waiting = {root}, [root]
        while waiting:
            at = waiting.pop()
            while at not in self._flows:
                listing = self._listing(at)
                one = listing.at(at)
                flow = self._flows[at] = self._architecture.flow_of(self._program, listing, one)
                if flow is not None:
                    found = {*flow.targets, *self._behind(one, flow)}
                    waiting += found - leaders
                    leaders |= found
                    break
                at = one.address + one.size
        return leaders

    def _behind(self, one: Decoded, flow: Flow) -> tuple[int, ...]:
        """Leaders that control comes to later or otherwise: behind a call, or where it falls."""
        after = int(one.address + one.size)
        falls = (after,) if flow.conditional else ()
        if flow.kind is not FlowKind.CALL:
            return falls
        # Behind a call that does not come back may lie another function, or the literals.
        listing = self._listing(one.address)
        inside = after < listing.function.end and listing.goes_on(after, self._architecture.pads)
        return tuple({*falls, *(flow.resumes or ((after,) if inside else ()))})

    def _block(self, start: int, leaders: set[int]) -> _Block:
        code, at = [], start
        while True:
            one = self._listing(at).at(at)
            code.append(one)
            at = one.address + one.size
            flow = self._flows[one.address]
            if flow is not None or at in leaders:
                return _Block(start, tuple(code), flow)

    def _finished(self, block: _Block, function: str, number: int) -> Block:
        flow, last = block.flow, block.code[-1]
        edges: list[Edge] = []
        if flow is None or flow.conditional:
            edges.append(Edge(block.start, FlowKind.NEXT, block.end, flow is not None))
        if flow is not None and flow.kind is FlowKind.RETURN:
            edges.append(Edge(block.start, FlowKind.RETURN, None, flow.conditional))
        elif flow is not None:
            optional = flow.conditional or len(flow.targets) > 1
            edges += (Edge(block.start, flow.kind, target, optional) for target in flow.targets)
        is_call = flow is not None and flow.kind is FlowKind.CALL
        return Block(
            start=block.start,
            end=block.end,
            function=function,
            number=number,
            instructions=tuple(
                Instruction(one.address, one.size, one.mnemonic, one.op_str) for one in block.code
            ),
            edges=tuple(edges),
            resumes=self._behind(last, flow) if flow is not None and is_call else (),
            varies=tuple(
                f"{one.mnemonic} {one.op_str}"
                for one in block.code[: -1 if flow else None]
                if self._architecture.varies(one)
            ),
        )

    def _listing(self, address: int) -> Listing:
        function = self._program.code_from(address)
        if function not in self._listings:
            if function.end <= address:
                raise CyclescopeError(
                    f"control goes to {address:#x}, where the image has no code",
                    code="flow-leaves-code",
                )
            code = self._program.decoded(function.address, function.end)
            self._listings[function] = Listing(function, {one.address: one for one in code})
        return self._listings[function]
