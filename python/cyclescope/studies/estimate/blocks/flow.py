"""The flow of control in a program's own functions: what executes as a whole, and what follows it.

A node is a block, or a run of predicated instructions in one of its two forms: executed or skipped.
Unlike `firmware/cfg`, calls through pointers are no obstacle: how often they happen is counted, not
followed.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.architecture import Decoded
from cyclescope.firmware.cfg.flow import Flow, FlowKind, Listing
from cyclescope.firmware.program import Function, Program


@dataclass(frozen=True)
class Way:
    """A way out of a node: to a node by its number, or away (a return, a tail call): None."""

    source: int
    target: int | None
    leads: int | None
    """The address that control goes to, where it is known."""
    taken: bool
    """Whether the last instruction executes, if that is open."""


@dataclass
class Node:
    """Instructions from `begin` up to `end` that execute one after the other."""

    number: int
    function: Function
    begin: int
    end: int
    last: int
    """The address of the last instruction."""
    skipped: tuple[int, ...] = ()
    calls: int | None = None
    """The function that the last instruction calls, 0 where a register holds it."""
    ways: list[Way] = field(default_factory=list)
    conditional: bool = False
    """Whether its last instruction may fail its condition."""


@dataclass(frozen=True)
class Piece:
    """A part of a block before it becomes one node or two."""

    begin: int
    code: tuple[Decoded, ...]
    varies: bool

    @property
    def end(self) -> int:
        return int(self.code[-1].address + self.code[-1].size)


class ImageFlow:
    """The nodes of some functions of an image, in the order of their addresses."""

    def __init__(self, program: Program, functions: Iterable[Function]) -> None:
        self.program = program
        self.functions = tuple(functions)
        self.nodes: list[Node] = []
        self.entries: dict[int, list[int]] = {}
        """The nodes that a function begins with, by its address: two where it begins predicated."""
        self.code: dict[int, list[Decoded]] = {}
        """The instructions of each function, by its address."""
        self.at: dict[int, list[int]] = {}
        """The nodes that begin at an address, by their numbers."""
        self._predicated: set[int] = set()
        self._by_address: dict[int, dict[int, Decoded]] = {}
        self.unfollowed: list[str] = []
        """Places from which the code does not show where control goes."""
        for function in self.functions:
            self._add(function)
        for function in list(self._thunks()):
            self._add(function)

    @cached_property
    def backward(self) -> dict[int, set[int]]:
        """For each node those from which a way leads back to it: it is the head of a loop."""
        found: dict[int, set[int]] = defaultdict(set)
        seen, path = set[int](), set[int]()
        for entry in (number for entries in self.entries.values() for number in entries):
            waiting = [(entry, iter(self.nodes[entry].ways))] if entry not in seen else []
            seen.add(entry)
            path.add(entry)
            while waiting:
                number, ways = waiting[-1]
                way = next(ways, None)
                if way is None:
                    path.discard(number)
                    waiting.pop()
                elif way.target in path:
                    found[way.target].add(number)
                elif way.target is not None and way.target not in seen:
                    seen.add(way.target)
                    path.add(way.target)
                    waiting.append((way.target, iter(self.nodes[way.target].ways)))
        return found

    def instructions(self, node: Node) -> list[Decoded]:
        """The instructions of a node."""
        code = self._by_address[node.function.address]
        return [code[at] for at in range(node.begin, node.end, 2) if at in code]

    def _thunks(self) -> Iterator[Function]:
        """Pieces of functions that are called: GCC's jumps to a pointer behind Thumb functions."""
        called = {node.calls: node.function for node in self.nodes if node.calls is not None}
        for address, function in called.items():
            if address not in self.entries and function.address < address < function.end:
                yield replace(function, address=address)

    def is_predicated(self, node: Node) -> bool:
        """Whether it holds instructions with a condition, or a part of its block does."""
        return node.begin in self._predicated

    def _add(self, function: Function) -> None:
        code = {one.address: one for one in self.program.decoded(function.address, function.end)}
        listing = Listing(function, code)
        self.code[function.address] = list(code.values())
        self._by_address[function.address] = code
        flows, leaders = self._followed(function, listing, code)
        pieces: dict[int, list[Piece]] = {}
        for leader in sorted(leaders):
            pieces[leader] = list(self._cut(leader, code, flows, leaders))
        first: dict[int, list[int]] = {}
        made: list[tuple[Piece, list[Node], Flow | None, int]] = []
        for leader, parts in pieces.items():
            for part in parts:
                nodes = [self._node(function, part, skipped) for skipped in _forms(part)]
                first[part.begin] = [node.number for node in nodes]
                made.append((part, nodes, flows.get(part.code[-1].address), leader))
            conditions = self.program.architecture.has_condition
            code_of = [one for part in parts for one in part.code if one.address not in flows]
            if any(conditions(one) for one in code_of):
                self._predicated |= {part.begin for part in parts}
        for part, nodes, flow, _ in made:
            for node in nodes:
                self._connect(node, part, flow, first)
        self.at |= first
        self.entries[function.address] = first.get(function.address, [])

    def _followed(
        self, function: Function, listing: Listing, code: dict[int, Decoded]
    ) -> tuple[dict[int, Flow], set[int]]:
        """Follows control from the function's entry; returns transfers and leaders."""
        flows: dict[int, Flow] = {}
        leaders, waiting, seen = {function.address}, [function.address], set[int]()
        while waiting:
            at = waiting.pop()
            while at in code and at not in seen:
                seen.add(at)
                one = code[at]
                after = one.address + one.size
                flow = self._flow(listing, one)
                at = after
                if flow is None:
                    if one.mnemonic in self.program.architecture.traps:
                        # Control goes on behind it, but not without leaving the function.
                        leaders.add(after)
                    continue
                flows[one.address] = flow
                found = {target for target in flow.targets if target in code}
                if flow.kind is FlowKind.CALL:
                    found = set(flow.resumes) or {after}
                if flow.conditional:
                    found.add(after)
                waiting += [one for one in found if one in code]
                leaders |= {one for one in found if one in code}
                break
        return flows, leaders

    def _flow(self, listing: Listing, one: Decoded) -> Flow | None:
        try:
            return self.program.architecture.flow_of(self.program, listing, one)
        except CyclescopeError as error:
            if error.code not in ("targets-not-known", "jump-table-unbounded"):
                raise
            if "calls what" in error.sentence:
                return Flow(FlowKind.CALL)
            if one.address != listing.function.address:
                self.unfollowed.append(listing.place(one.address))
            return Flow(FlowKind.RETURN)

    def _cut(
        self,
        leader: int,
        code: dict[int, Decoded],
        flows: dict[int, Flow],
        leaders: Collection[int],
    ) -> Iterator[Piece]:
        """Cuts a block where predicated instructions begin and end whose costs differ."""
        at, held = leader, list[Decoded]()
        varies = self.program.architecture.varies
        while at in code:
            one = code[at]
            at = one.address + one.size
            ends = one.address in flows or at in leaders
            if one.address not in flows and varies(one):
                if held:
                    yield Piece(held[0].address, tuple(held), False)
                yield Piece(one.address, (one,), True)
                held = []
            else:
                held.append(one)
            if ends:
                break
        if held:
            yield Piece(held[0].address, tuple(held), False)

    def _node(self, function: Function, part: Piece, skipped: tuple[int, ...]) -> Node:
        node = Node(len(self.nodes), function, part.begin, part.end, part.code[-1].address, skipped)
        self.nodes.append(node)
        return node

    def _connect(
        self, node: Node, part: Piece, flow: Flow | None, first: dict[int, list[int]]
    ) -> None:
        def to(address: int, taken: bool) -> None:
            inside: list[int | None] = [*first.get(address, ())]
            for number in inside or [None]:
                node.ways.append(Way(node.number, number, address, taken))

        if flow is None:
            to(part.end, True)
            return
        node.conditional = flow.conditional
        if flow.conditional:
            to(part.end, False)
        if flow.kind is FlowKind.CALL:
            node.calls = flow.targets[0] if flow.targets else 0
            for resumed in flow.resumes or (part.end,):
                to(resumed, True)
        elif flow.targets:
            for target in flow.targets:
                to(target, True)
        else:
            node.ways.append(Way(node.number, None, None, True))


def _forms(part: Piece) -> list[tuple[int, ...]]:
    return [(), (part.begin,)] if part.varies else [()]
