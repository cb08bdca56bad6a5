"""Fragment runs: the samples of a plan as observations, and what a board saw inside them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from cyclescope.firmware.fragment.plan import Observations
from cyclescope.results import Run, TimedPlan, reject
from cyclescope.studies.time.findings import unit_of
from cyclescope.target.conditions import Conditions
from cyclescope.target.target import FragmentTruth

WARM_UP = "warm-up"
"""Rejects the first round of each series: caches, line buffers and frequency are not settled."""

PerCopy = Sequence[Sequence[int]]
"""For each measurement the cycles of each of its copies."""


def without_warm_up(samples: pa.Table, plan: TimedPlan) -> pa.Table:
    """The samples with the first round of each series rejected."""
    return reject(samples, pc.less(samples["index"], len(plan.points)), WARM_UP)


def with_truths(samples: pa.Table, truths: Sequence[FragmentTruth]) -> pa.Table:
    """The samples with what a board saw in each; as they are without a board that sees."""
    if not truths:
        return samples
    columns = {
        "exact_cycles": [truth.total_cycles for truth in truths],
        "executions_cycles": [list(truth.executions) for truth in truths],
        "initialisations_cycles": [list(truth.initialisations) for truth in truths],
    }
    for name, values in columns.items():
        position = samples.schema.get_field_index(name)
        field = samples.schema.field(position)
        samples = samples.set_column(position, field, pa.array(values, type=field.type))
    return samples


def measured_rows(run: Run) -> npt.NDArray[np.bool_]:
    """Which rows are measurements, those among them that a technique rejected."""
    warm_up = pc.fill_null(pc.equal(run.samples["rejected_by"], WARM_UP), False)
    return np.asarray(~warm_up.to_numpy())


def observed(run: Run, plan: TimedPlan, conditions: Conditions, processes: int = 1) -> Observations:
    """The run's times of one iteration, round by round, in the unit of the conditions."""
    unit = unit_of(conditions)
    counts = run.samples["elapsed"].to_numpy()[measured_rows(run)]
    times = counts.astype(np.float64) * (unit.per_second / conditions.timer_hz / plan.turns)
    resolution = conditions.resolution_cycles * unit.per_second / conditions.core_hz / plan.turns
    return Observations(plan.points, times.reshape(-1, len(plan.points)), resolution, processes)


@dataclass(frozen=True)
class ExactExecutions:
    """The truth of each measurement of a run: in all, and of each copy."""

    points: int
    totals: Sequence[int]
    executions: PerCopy
    initialisations: PerCopy

    def overhead(self) -> tuple[float, ...]:
        """Epsilon of each point: what belongs to no copy, the mean over the rounds."""
        copies = zip(self.executions, self.initialisations, strict=True)
        inside = np.array([sum(one) + sum(other) for one, other in copies])
        beside = np.asarray(self.totals, dtype=np.float64) - inside
        return tuple(beside.reshape(-1, self.points).mean(axis=0).tolist())

    def amid(self, copies: PerCopy, point: int, period: int) -> list[int]:
        """The copies of a point's measurements without the first and the last period of each, which
        have no others on one side."""
        return [cycles for one in copies[point :: self.points] for cycles in one[period:-period]]


def exact(run: Run, plan: TimedPlan) -> ExactExecutions | None:
    """Returns the truth; None of a target that does not see its executions."""
    rows = run.samples.filter(pa.chunked_array([measured_rows(run)]))
    if rows["exact_cycles"].null_count:
        return None
    names = ("exact_cycles", "executions_cycles", "initialisations_cycles")
    return ExactExecutions(len(plan.points), *(rows[name].to_pylist() for name in names))


def rounds_of(run: Run, points: int) -> int:
    """How often each point was measured; the round that warms up does not count."""
    return int(measured_rows(run).sum()) // points
