"""Unknown times of a fragment's blocks, and their combinations that can be estimated.

Moreno and Fischmeister, section 5.1, equations 9 and 10. Two models of the same measurements:

* `blocks`: a time for each block as it is when it falls through, and one surcharge for every
  branch that is taken though it need not be. Each other optional way out has a surcharge of its
  own. It is a predicated return, a jump by a table, or the branch of a block whose own instructions
  may go by the same condition;
* `edges`: a time for each way out of each block.

Both have the call that begins an execution, the overhead epsilon of whole executions, and epsilon′
of those that are left early.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cyclescope.firmware.cfg.flow import FlowKind
from cyclescope.stats.row_space import Integers, RowSpace, row_space
from cyclescope.stats.summary import Values
from cyclescope.studies.blocks.record import BlockMeasurements, Equations, ExactCycles, MeasuredEdge
from cyclescope.target.conditions import Conditions

CALL, EPSILON, LEFT = "call", "ε", "ε′"
TAKEN = "taken branch"
EDGES = "edges"
ModelKind = Literal["blocks", "edges"]
SHARED = (FlowKind.TAKEN, FlowKind.CALL)
"""Optional ways out that all cost the same on top of falling through: a refill of the pipeline."""


@dataclass(frozen=True)
class Exactly:
    """The truth of an unknown: its mean, and how far single executions are from it."""

    mean_cycles: float
    shortest_cycles: float
    longest_cycles: float


@dataclass(frozen=True)
class BlockUnknowns:
    """The unknowns of a model by name, and their columns in the equations."""

    measured: BlockMeasurements
    kind: str
    names: tuple[str, ...]
    of_edges: Integers

    def rows(self, one: Equations) -> Integers:
        """The equations of one kind of measurement: a row each, a column for each unknown."""
        left = one.left_at is not None
        return self._columns(one.counts, one.executions, left)

    def exit_rows(self, at: str) -> Integers:
        """Equations that stand for all that leaving at that place could add."""
        place = next(one for one in self.measured.exits if one.name == at)
        return self._columns(place.rows, (0,) * len(place.rows), left=True)

    def _columns(
        self, counts: Sequence[Sequence[int]], executions: Sequence[int], left: bool
    ) -> Integers:
        edges = np.array(counts, dtype=np.int64).reshape(len(counts), len(self.of_edges))
        ones = np.ones((len(counts), 1), dtype=np.int64)
        called = np.array(executions, dtype=np.int64)[:, None]
        return np.hstack([called, edges @ self.of_edges, ones * (not left), ones * left])

    def design(self) -> Integers:
        """All equations of the measurements."""
        return np.vstack([self.rows(one) for one in self.measured.equations])


def suitable_model(conditions: Conditions) -> ModelKind:
    """The model for these conditions. A branch costs the same everywhere only if all fetches do and
    no instructions overlap. Else each way out of a block needs a time of its own."""
    fetches = conditions.code_fetches
    return "edges" if fetches.doubt_cycles or fetches.overlap_cycles else "blocks"


def model_of(measured: BlockMeasurements, kind: str) -> BlockUnknowns:
    """The model of that kind, `blocks` or `edges`."""
    if kind == EDGES:
        names = [edge.label for edge in measured.edges]
        of_edges = np.eye(len(names), dtype=np.int64)
    else:
        parts = [_parts(measured, edge) for edge in measured.edges]
        blocks = [block.name for block in measured.blocks]
        surcharges = dict.fromkeys(name for one in parts for name in one[1:])
        names = [*blocks, *surcharges]
        of_edges = np.array([[int(name in one) for name in names] for one in parts], dtype=np.int64)
    return BlockUnknowns(measured, kind, (CALL, *names, EPSILON, LEFT), of_edges)


def _parts(measured: BlockMeasurements, edge: MeasuredEdge) -> tuple[str, ...]:
    """Returns the parts of an edge in the model of blocks."""
    own = next(block for block in measured.blocks if block.leader == edge.source)
    block = own.name
    falls = any(one.source == edge.source and one.kind is FlowKind.NEXT for one in measured.edges)
    if not (edge.optional and falls) or edge.kind is FlowKind.NEXT:
        return (block,)
    if edge.kind in SHARED and not own.varies:
        return (block, TAKEN)
    return (block, f"{block} {'table' if edge.kind is FlowKind.COMPUTED else edge.kind.value}")


def truths(found: BlockUnknowns) -> dict[str, Exactly | None]:
    """The truth about each unknown; None where no execution shows it by itself."""
    measured = found.measured
    known: dict[str, Exactly | None] = {CALL: _exactly(measured.call_exact)}
    if found.kind == EDGES:
        return known | {edge.label: _exactly(edge.exact) for edge in measured.edges}
    parts = {edge.label: _parts(measured, edge) for edge in measured.edges}
    plain: dict[str, list[ExactCycles]] = {}
    for edge in measured.edges:
        if edge.exact and len(parts[edge.label]) == 1:
            plain.setdefault(parts[edge.label][0], []).append(edge.exact)
    known |= {name: _pooled(seen) for name, seen in plain.items()}
    extra: dict[str, list[tuple[ExactCycles, float]]] = {}
    for edge in measured.edges:
        base = known.get(parts[edge.label][0])
        if edge.exact and base and len(parts[edge.label]) == 2:
            extra.setdefault(parts[edge.label][1], []).append((edge.exact, base.mean_cycles))
    known |= {name: _difference(seen) for name, seen in extra.items()}
    for edge in measured.edges:
        block, *surcharge = parts[edge.label]
        more = known.get(surcharge[0]) if surcharge else None
        if edge.exact and block not in known and more is not None:
            known[block] = _difference([(edge.exact, more.mean_cycles)])
    return known


def _exactly(one: ExactCycles | None) -> Exactly | None:
    return None if one is None else _pooled([one])


def _pooled(seen: Sequence[ExactCycles]) -> Exactly:
    n = sum(one.executions for one in seen)
    return Exactly(
        sum(one.total_cycles for one in seen) / n,
        min(one.shortest_cycles for one in seen),
        max(one.longest_cycles for one in seen),
    )


def _difference(seen: Sequence[tuple[ExactCycles, float]]) -> Exactly:
    """Returns the time of each beyond its own base, over all of them."""
    n = sum(one.executions for one, _ in seen)
    return Exactly(
        sum(one.total_cycles - one.executions * base for one, base in seen) / n,
        min(one.shortest_cycles - base for one, base in seen),
        max(one.longest_cycles - base for one, base in seen),
    )


@dataclass(frozen=True)
class Split:
    """A measurement that would split something: where to leave early, and what it sets free."""

    at: str
    frees: tuple[str, ...]


def alone(space: RowSpace) -> set[int]:
    """The unknowns that can be estimated by themselves."""
    rows = zip(space.pivots, space.combinations, strict=True)
    return {pivot for pivot, row in rows if sum(map(bool, row)) == 1}


def splits(found: BlockUnknowns, tried: Collection[str] = ()) -> list[Split]:
    """The early exits that would split what the measurements leave together, best first.

    Each adds to those before it; those `tried` in vain are left out. An early exit
    needs one at the root beside it, which determines epsilon′ by itself. So the list begins with
    the root, unless that was measured or tried.
    """
    design = found.design()
    chosen: list[Split] = []
    done = {*tried, *(one.left_at for one in found.measured.equations)}
    waiting = [one.name for one in found.measured.exits if one.name not in done]
    if not waiting:
        return []
    root = found.measured.exits[0].name
    base = np.vstack([design, found.exit_rows(root)])
    space, executed = row_space(base), _executed(found, design)
    free = alone(row_space(design))
    while executed - alone(space):
        unseen = np.array(space.null_space, dtype=np.float64).reshape(-1, space.unknowns).T
        gains = {at: _gain(unseen, found.exit_rows(at)) for at in waiting if at != root}
        best = max(gains, key=lambda at: gains[at], default=None)
        if best is None or not gains[best]:
            break
        if root in waiting and not chosen:
            chosen.append(Split(root, ()))
        waiting.remove(best)
        base = np.vstack([base, found.exit_rows(best)])
        space = row_space(base)
        freed = alone(space) & executed
        chosen.append(Split(best, tuple(found.names[i] for i in sorted(freed - free))))
        free |= freed
    return chosen


def _executed(found: BlockUnknowns, design: Integers) -> set[int]:
    """The unknowns of the fragment that any input executed."""
    return {i for i in range(len(found.names) - 2) if design[:, i].any()}


def _gain(unseen: Values, rows: Integers) -> int:
    """How many dimensions the rows would add to the row space of which these changes are unseen."""
    return int(np.linalg.matrix_rank(rows.astype(np.float64) @ unseen)) if unseen.size else 0
