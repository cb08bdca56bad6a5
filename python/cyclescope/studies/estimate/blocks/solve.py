"""How often each way out of each node executes, from the counts of source regions.

It is a linear programme. Flow is conserved, and functions are entered as often as they are called.
All copies of a place in the source execute as often as its region did. Where these disagree, the
weighted sum of absolute differences is least (HiGHS, by scipy).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array

from cyclescope.errors import CyclescopeError
from cyclescope.studies.estimate.blocks.evidence import Copy, Evidence
from cyclescope.studies.estimate.blocks.flow import ImageFlow

LEAK = 20.0
"""Weight of control that ends in a call: exit, longjmp."""
BY_POINTER = 1e-6
"""Weight of calls by pointers: they are what no other evidence explains."""
SCALE = 0.5
"""Evidence of n executions weighs n to the power of minus this: a difference of one in a hundred
says less than of one in two."""
SOUND = 0.5
"""Evidence must weigh so much if less executes, to be heard when another piece is weighed."""
LEAST_MISS = 0.5
UNROLLED = 0.1
"""Part of its weight that evidence has for each copy of a place in one node."""
SPARED = 0.75
"""Part of its weight that a lack has where the compiler may have spared executions."""


@dataclass
class Solution:
    """Executions of nodes and of ways; `misses` are pieces of evidence that it contradicts."""

    nodes: list[float]
    ways: list[list[float]]
    misses: list[tuple[float, Evidence]] = field(default_factory=list)


class _Programme:
    """Rows and columns of the linear programme."""

    def __init__(self) -> None:
        self.costs: list[float] = []
        self.most: list[float | None] = []
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.values: list[float] = []
        self.right: list[float] = []

    def column(self, cost: float = 0.0, most: float | None = None) -> int:
        self.costs.append(cost)
        self.most.append(most)
        return len(self.costs) - 1

    def row(self, terms: Iterable[tuple[int, float]], right: float) -> None:
        for column, value in terms:
            self.rows.append(len(self.right))
            self.columns.append(column)
            self.values.append(value)
        self.right.append(right)

    def solved(self) -> np.ndarray:
        shape = (len(self.right), len(self.costs))
        matrix = csr_array((self.values, (self.rows, self.columns)), shape=shape)
        bounds = [(0.0, most) for most in self.most]
        done = linprog(self.costs, A_eq=matrix, b_eq=self.right, bounds=bounds, method="highs")
        if done.x is None:
            raise CyclescopeError(
                f"the counts of the source do not fit the image: {done.message}",
                code="counts-unlike-image",
            )
        return np.asarray(done.x)


def solve(
    flow: ImageFlow, found: Iterable[Evidence], main: int, pointed: Iterable[int] = ()
) -> Solution:
    """Finds the executions of all ways.

    `main` is the function that is entered once; those in `pointed` may be entered by pointers too.
    """
    network = _Network(flow, main, frozenset(pointed))
    pieces = list(found)
    most = _most(flow, pieces)
    near = _near(flow, most)

    def scale(one: Evidence) -> int:
        known = near if one.trust.less < SOUND else most
        return max(known[copy.node] for copy in one.copies)

    misses = [network.add(one, scale(one)) for one in pieces]
    values = network.programme.solved()
    ways = [[float(values[column]) for column in columns] for columns in network.ways]
    leaks = {number: float(values[column]) for number, column in network.leaks.items()}
    nodes = [sum(own) + leaks.get(number, 0.0) for number, own in enumerate(ways)]
    missed = [
        (float(values[more] - values[less]), one)
        for (more, less), one in zip(misses, pieces, strict=True)
        if values[more] + values[less] > LEAST_MISS
    ]
    return Solution(nodes, ways, missed)


def _most(flow: ImageFlow, pieces: Iterable[Evidence]) -> dict[int, int]:
    """How often each node executes by the evidence that says most: its own, and that of nodes that
    it must follow, or that must follow it."""
    most: dict[int, int] = defaultdict(int)
    for one in pieces:
        for copy in one.copies:
            if one.trust.less >= SOUND:
                most[copy.node] = max(most[copy.node], one.times)
    inward = Counter(way.target for node in flow.nodes for way in node.ways)
    bound: dict[int, list[int]] = defaultdict(list)
    for node in flow.nodes:
        for way in node.ways:
            if way.target is not None and len(node.ways) == 1:
                bound[node.number].append(way.target)
            if way.target is not None and inward[way.target] == 1:
                bound[way.target].append(node.number)
    _spread(most, bound, list(most))
    # The compiler joins ends of code that are alike, and keeps the marks of one of them.
    joined: dict[int, int] = defaultdict(int)
    for node in flow.nodes:
        for way in node.ways:
            if way.target is not None and inward[way.target] > 1:
                joined[way.target] = max(joined[way.target], most[node.number])
    for number, times in joined.items():
        most[number] = max(most[number], times)
    _spread(most, bound, list(joined))
    return most


def _near(flow: ImageFlow, most: Mapping[int, int]) -> dict[int, int]:
    """How often each node executes at most, by the evidence of it and of its neighbours.

    Instructions may have the position of other code. Where such are alone in a node, the little
    that they execute elsewhere says little of it.
    """
    found = {node.number: most.get(node.number, 0) for node in flow.nodes}
    for node in flow.nodes:
        for way in node.ways:
            if way.target is not None:
                found[way.target] = max(found[way.target], most.get(node.number, 0))
                found[node.number] = max(found[node.number], most.get(way.target, 0))
    return found


def _spread(most: dict[int, int], bound: Mapping[int, Iterable[int]], waiting: list[int]) -> None:
    """Gives what nodes execute to those that they are bound to."""
    while waiting:
        number = waiting.pop()
        for other in bound.get(number, ()):
            if most[other] < most[number]:
                most[other] = most[number]
                waiting.append(other)


class _Network:
    """The variables of an image's flow and the rows that hold between them."""

    def __init__(self, flow: ImageFlow, main: int, pointed: frozenset[int]) -> None:
        self.programme = _Programme()
        self._flow = flow
        self.ways = [[self.programme.column() for _ in node.ways] for node in flow.nodes]
        self.leaks = {
            node.number: self.programme.column(LEAK)
            for node in flow.nodes
            if node.calls is not None
        }
        self._inward: dict[int, list[int]] = defaultdict(list)
        self._fallen: dict[int, list[int]] = defaultdict(list)
        self._called: dict[int, list[int]] = defaultdict(list)
        """Columns of the calls and tail calls of each function."""
        self._enters: dict[int, int] = {}
        """Columns of the entries into nodes that functions begin with."""
        for node in flow.nodes:
            for column, way in zip(self.ways[node.number], node.ways, strict=True):
                if way.target is not None:
                    self._inward[way.target].append(column)
                    loops = flow.backward.get(way.target, ())
                    if node.number not in loops if loops else way.leads == node.end:
                        self._fallen[way.target].append(column)
                elif way.leads is not None:
                    self._called[way.leads].append(column)
                if node.calls is not None and way.taken:
                    self._called[node.calls].append(column)
            if node.calls is not None:
                self._called[node.calls].append(self.leaks[node.number])
        self._enter(main, pointed)

    def _enter(self, main: int, pointed: frozenset[int]) -> None:
        """Rows of functions and nodes: as much comes in as goes out."""
        for address, nodes in self._flow.entries.items():
            columns = [self.programme.column() for _ in nodes]
            self._enters |= dict(zip(nodes, columns, strict=True))
            for number, column in zip(nodes, columns, strict=True):
                if number in self._flow.backward:
                    self._fallen[number].append(column)
            terms = [(column, 1.0) for column in columns]
            terms += [(column, -1.0) for column in self._called[address]]
            if address in pointed:
                terms.append((self.programme.column(BY_POINTER), -1.0))
            self.programme.row(terms, float(address == main))
        for node in self._flow.nodes:
            terms = [(column, 1.0) for column in self._inward[node.number]]
            if node.number in self._enters:
                terms.append((self._enters[node.number], 1.0))
            terms += [(column, -1.0) for column in self.ways[node.number]]
            if node.number in self.leaks:
                terms.append((self.leaks[node.number], -1.0))
            self.programme.row(terms, 0.0)

    def add(self, one: Evidence, most: int) -> tuple[int, int]:
        """Adds a piece of evidence; returns the columns of what is too much and too little.

        `most` is what the other evidence of its nodes says at most.
        """
        scale = (max(one.times, most) + 1.0) ** -SCALE
        more = self.programme.column(one.trust.more * scale)
        less = self.programme.column(one.trust.less * scale)
        terms = [term for copy in dict.fromkeys(one.copies) for term in self._terms(copy)]
        for copy, number in Counter(one.copies).items():
            if number > 1:
                terms += self._repeated(copy, number, UNROLLED * one.trust.less * scale)
        if one.spared:
            cost = SPARED * one.trust.less * scale
            terms.append((self.programme.column(cost, float(one.spared)), 1.0))
        self.programme.row([*terms, (more, -1.0), (less, 1.0)], float(one.times))
        return more, less

    def _repeated(self, copy: Copy, number: int, cost: float) -> list[tuple[int, float]]:
        """Up to so many executions more, of a node with several copies of one place.

        Each counts where the compiler unrolled a loop, none where one home has several copies.
        The second has a cost.
        """
        alike = self._flow.at[self._flow.nodes[copy.node].begin]
        return [self._part_of([(c, number - 1.0) for at in alike for c in self.ways[at]], cost)]

    def _part_of(self, terms: Iterable[tuple[int, float]], cost: float = 0.0) -> tuple[int, float]:
        """Anything between none and all of the summands; what is left has a cost."""
        further, rest = self.programme.column(), self.programme.column(cost)
        self.programme.row([*terms, (further, -1.0), (rest, -1.0)], 0.0)
        return further, 1.0

    def _terms(self, copy: Copy) -> list[tuple[int, float]]:
        """The executions of a copy: its node, in both forms if it is predicated."""
        alike = self._flow.at[self._flow.nodes[copy.node].begin]
        if copy.enters:
            return [(self._enters[number], 1.0) for number in alike if number in self._enters]
        if copy.taken is not None:
            ways = self._flow.nodes[copy.node].ways
            columns = zip(self.ways[copy.node], ways, strict=True)
            return [(column, 1.0) for column, way in columns if way.taken == copy.taken]
        whole = [(column, 1.0) for number in alike for column in self.ways[number]]
        if not copy.joins:
            return whole
        # Between what falls into the node and all that executes it.
        falls = [column for number in alike for column in self._fallen[number]]
        jumped = [*whole, *((column, -1.0) for column in falls)]
        return [*((column, 1.0) for column in falls), self._part_of(jumped)]
