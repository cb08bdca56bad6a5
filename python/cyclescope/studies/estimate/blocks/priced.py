"""Prices of all nodes: what each costs on its ways, in the states that the memories are in there.

Behind a flash accelerator a node costs what the nodes before it left in the buffers. So the states
are followed from the first instruction of main() on, with the share of each way. That makes a
Markov chain of nodes and states; its stationary shares weigh the prices.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csc_array, eye_array
from scipy.sparse.linalg import spsolve

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.application.build import VENEER
from cyclescope.firmware.arm_code.flow import CASE_HELPER
from cyclescope.firmware.cfg.flow import FlowKind, Listing
from cyclescope.firmware.program import Function
from cyclescope.studies.estimate.blocks.flow import ImageFlow, Node, Way
from cyclescope.studies.estimate.blocks.solve import Solution
from cyclescope.targets.virtual.board import Pricer

STATES_MOST = 64
"""States of one node; those beyond are taken for the first."""
LOST = 1e-9
"""The share of control that leaves each node unseen, so that the chain has an end."""
RARE = 1e-6
"""Ways that are taken less often than this share of the node are not followed."""

Step = tuple[int, int]
"""A node and a state."""


@dataclass
class Priced:
    """Cycles of each node over all its executions, and of the program."""

    nodes: list[float]
    ways: list[list[float]] = field(default_factory=list)
    """Mean cycles of one execution on each way."""

    @property
    def cycles(self) -> float:
        return sum(self.nodes)


class _Chain:
    """Nodes and states that control can come to, and what each step costs."""

    def __init__(self, flow: ImageFlow, solution: Solution, pricer: Pricer) -> None:
        self._flow, self._solution, self._pricer = flow, solution, pricer
        self._program = flow.program
        self.cycles: dict[tuple[int, int, int], int] = {}
        """By node, state and the index of the way."""
        self._steps: dict[Step, int] = {}
        self._known: dict[int, list[int]] = defaultdict(list)
        self.moves: list[tuple[Step, Step, float]] = []
        self._returns: dict[int, tuple[int, int] | None] = {}
        self._sites: dict[int, list[tuple[float, int]]] = defaultdict(list)
        for node in flow.nodes:
            for way, times in self._taken(node):
                if node.calls and way.taken and way.leads is not None:
                    self._sites[node.calls].append((times, way.leads))

    def _taken(self, node: Node) -> Iterator[tuple[Way, float]]:
        yield from zip(node.ways, self._solution.ways[node.number], strict=True)

    def follow(self, nodes: Iterable[int]) -> None:
        """Follows control from these nodes on."""
        waiting = [self._enter(number, 0) for number in nodes]
        while waiting:
            node, state = waiting.pop()
            for successor in self._step(self._flow.nodes[node], state):
                if successor not in self._steps:
                    waiting.append(self._enter(*successor))

    def knows(self, node: int) -> bool:
        """Whether control was followed to a node."""
        return bool(self._known[node])

    def _enter(self, node: int, state: int) -> Step:
        self._steps[node, state] = len(self._steps)
        self._known[node].append(state)
        return node, state

    def _step(self, node: Node, state: int) -> list[Step]:
        total = sum(self._solution.ways[node.number])
        found: list[Step] = []
        for index, (way, times) in enumerate(self._taken(node)):
            if times <= RARE * total:
                continue
            share = times / total
            outcomes = list(self._outcomes(node, way, state))
            self.cycles[node.number, state, index] = outcomes[0][2]
            for weight, address, _, after in outcomes:
                entries = self._entries(address)
                for number in entries:
                    to = (number, self._nearest(number, after))
                    part = self._part(number, entries)
                    self.moves.append(((node.number, state), to, share * weight * part))
                    found.append(to)
        return found

    def _part(self, number: int, entries: list[int]) -> float:
        """Of nodes at one address, predicated or not, the share of one."""
        total = sum(self._solution.nodes[one] for one in entries)
        return self._solution.nodes[number] / total if total > 0 else 1.0 / len(entries)

    def _entries(self, address: int | None) -> list[int]:
        return self._flow.at.get(address, []) if address is not None else []

    def _nearest(self, number: int, state: int) -> int:
        known = self._known[number]
        return state if state in known or len(known) < STATES_MOST else known[0]

    def _outcomes(
        self, node: Node, way: Way, state: int
    ) -> Iterator[tuple[float, int | None, int, int]]:
        """Where control goes on this way: share, address, cycles and the state there."""
        if node.calls is not None and way.taken:
            callee = node.calls
            cycles, after = self._price(node, way, state, callee or way.leads)
            if callee in self._flow.entries:
                yield 1.0, callee, cycles, after
            elif (end := self._end_of_helper(callee)) is not None and way.leads is not None:
                begin, to = self._pointer(callee), self._pointer(way.leads)
                more, after = self._pricer.price(after, begin, end, [], to)
                yield 1.0, way.leads, cycles + more, after
            else:
                yield 1.0, way.leads, cycles, self._returned(callee, way.leads)
            return
        if way.leads is not None:
            cycles, after = self._price(node, way, state, way.leads)
            yield 1.0, way.leads, cycles, after
            return
        sites = [site for site in self._sites[node.function.address] if site[0] > 0]
        total = sum(times for times, _ in sites)
        for times, address in sites:
            cycles, after = self._price(node, way, state, address)
            yield times / total, address, cycles, after
        if not sites:
            cycles, after = self._price(node, way, state, node.function.address)
            yield 1.0, None, cycles, after

    def _returned(self, callee: int, address: int | None) -> int:
        """The state behind a call of code that is not followed: that behind its return.

        Its law has the fetch that its return ends with.
        """
        if address is None:
            return 0
        at = self._return_of(callee)
        if at is None:
            return 0
        begin, end = at
        _, after = self._pricer.price(0, self._pointer(begin), end, [], self._pointer(address))
        return after

    def _return_of(self, callee: int) -> tuple[int, int] | None:
        """The last instruction that returns, of a function or, where none is known, of any."""
        if callee not in self._returns:
            self._returns[callee] = None
            function = self._behind_veneer(callee) if callee else None
            if function is None:
                return None
            decoded = self._program.decoded(function.address, function.end)
            code = {one.address: one for one in decoded}
            listing = Listing(function, code)
            for one in code.values():
                try:
                    flow = self._program.architecture.flow_of(self._program, listing, one)
                except CyclescopeError:
                    continue
                if flow is not None and flow.kind is FlowKind.RETURN and not flow.conditional:
                    self._returns[callee] = one.address, one.address + one.size
        return self._returns[callee]

    def _end_of_helper(self, callee: int) -> int | None:
        """Where a function returns that goes through a switch's table: straight code, no law."""
        function = self._program.function_at(callee) if callee else None
        if function is None or not function.name.startswith(CASE_HELPER):
            return None
        at = self._return_of(callee)
        return at[1] if at is not None else None

    def _behind_veneer(self, callee: int) -> Function | None:
        """A function, or the one that a veneer between ARM and Thumb code leads to."""
        function = self._program.function_at(callee)
        veneer = VENEER.fullmatch(function.name) if function is not None else None
        leads = self._program.symbols.get(veneer[1]) if veneer else None
        if leads is None:
            return function
        return self._program.function_at(self._program.address(leads))

    def _price(self, node: Node, way: Way, state: int, to: int | None) -> tuple[int, int]:
        skipped = [*node.skipped, *([node.last] if node.conditional and not way.taken else [])]
        target = self._pointer(to) if to is not None and way.taken else None
        begin = self._pointer(node.begin)
        return self._pricer.price(state, begin, node.end, skipped, target)

    def _pointer(self, address: int) -> int:
        """The address with bit 0 set where Thumb code is."""
        return address | (self._program.kind_of_code(address) == "thumb")

    def shares(self) -> dict[Step, float]:
        """How the executions of each node are divided among its states."""
        count = len(self._steps)
        values = [(1 - LOST) * share for _, _, share in self.moves]
        rows = [self._steps[to] for _, to, _ in self.moves]
        columns = [self._steps[of] for of, _, _ in self.moves]
        matrix = csc_array((values, (rows, columns)), shape=(count, count))
        begun = np.full(count, LOST)
        begun[0] = 1.0
        mass = np.maximum(spsolve((eye_array(count) - matrix).tocsc(), begun), 0.0)
        totals: dict[int, float] = defaultdict(float)
        for (node, _), index in self._steps.items():
            totals[node] += mass[index]
        return {
            (node, state): mass[index] / totals[node]
            for (node, state), index in self._steps.items()
            if totals[node] > 0
        }


def priced(
    flow: ImageFlow,
    solution: Solution,
    pricer: Pricer,
    main: int,
    further: Mapping[int, float] | None = None,
) -> Priced:
    """Prices all executions.

    `main` is the function at which control begins; `further` are mean cycles of nodes beyond
    those that the pricer knows.
    """
    chain = _Chain(flow, solution, pricer)
    chain.follow(flow.entries[main])
    # Control does not lead from there to functions that are called by pointers.
    entries = [one for nodes in flow.entries.values() for one in nodes]
    for number in (*entries, *range(len(flow.nodes))):
        if solution.nodes[number] > 0 and not chain.knows(number):
            chain.follow([number])
    shares = chain.shares()
    held: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for (number, state), share in shares.items():
        held[number].append((state, share))
    nodes, ways = [], []
    for node in flow.nodes:
        means = []
        for index in range(len(node.ways)):
            known = [
                (chain.cycles[node.number, state, index], share)
                for state, share in held[node.number]
                if (node.number, state, index) in chain.cycles
            ]
            total = sum(share for _, share in known)
            mean = sum(c * share for c, share in known) / total if total else 0.0
            means.append(mean + (further or {}).get(node.number, 0.0))
        times = solution.ways[node.number]
        nodes.append(sum(n * mean for n, mean in zip(times, means, strict=True)))
        ways.append(means)
    return Priced(nodes, ways)
