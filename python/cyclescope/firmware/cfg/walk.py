"""The path through a graph that a trace shows: how often each edge was taken, and what it took.

Moreno and Fischmeister, section 5.1, count executions off-line. Here a trace holds the leaders that
executed, in order, each with the cycle at which it began: two that follow one another are an edge.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.cfg.graph import Edge, FlowKind, Graph

Counts = npt.NDArray[np.int64]
"""One number for each edge, in the order of Graph.edges."""


@dataclass
class Walk:
    """A path. `reached` has the counts with which each leader or end was first come to.

    `taken` is the edges in order, each as its index and its cycles from leader to leader; `called`
    the cycles of each call that began an execution.
    """

    counts: Counts
    called: list[int] = field(default_factory=list)
    executions: int = 0
    reached: dict[int, Counts] = field(default_factory=dict)
    taken: list[tuple[int, int]] = field(default_factory=list)


class Walker:
    """Follows traces of one graph.

    `calls` are the addresses of the calls that begin an execution, `ends` those that they return
    to.
    """

    def __init__(self, graph: Graph, calls: Iterable[int], ends: Iterable[int]) -> None:
        self._graph, self._calls, self._ends = graph, frozenset(calls), frozenset(ends)
        self.addresses = tuple(sorted({*graph.blocks, *self._calls, *self._ends}))
        self._edges = graph.edges
        self._ways = {(edge.source, edge.target): i for i, edge in enumerate(self._edges)}

    def follow(self, events: Iterable[tuple[int, int]]) -> Walk:
        """One measurement: (cycle, address) of every leader, call and end that executed."""
        walk = Walk(np.zeros(len(self._edges), dtype=np.int64))
        at: int | None = None
        since = 0
        for cycle, address in events:
            if address == self._graph.root and (at is None or at in self._calls):
                walk.executions += 1
                walk.called += [] if at is None else [cycle - since]
            elif at in self._graph.blocks:
                index = self._edge(at, address)
                walk.counts[index] += 1
                walk.taken.append((index, cycle - since))
            if address not in walk.reached:
                walk.reached[address] = walk.counts.copy()
            at, since = address, cycle
        return walk

    def _edge(self, source: int, address: int) -> int:
        index = self._ways.get((source, address), self._ways.get((source, None)))
        if index is None:
            raise CyclescopeError(
                f"control went from block {self._graph.name(source)} to {address:#x}, where its "
                "code cannot lead: it changes itself, or an interrupt came between",
                code="flow-unlike-code",
            )
        return index


def label(graph: Graph, edge: Edge) -> str:
    """An edge as `B1→B3`, `B4→call` or `B5→return`."""
    if edge.target is None or edge.kind is FlowKind.CALL:
        return f"{graph.name(edge.source)}→{edge.kind.value}"
    return f"{graph.name(edge.source)}→{graph.name(edge.target)}"
