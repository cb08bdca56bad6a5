"""How often turned points go round: so often that what overlaps with the clock is little."""

import math

import numpy as np

from cyclescope.results import TimedPlan
from cyclescope.target.target import Target

LEAST_NS = 4000.0
"""The shortest measurement. Processors have some hundred instructions under way at a time. So what
overlaps with the readings of the clock is at most some tens of ns of it, and much the same in all
points of a plan."""
MOST_TURNS = 4096
PILOT_TURNS, PILOT_ROUNDS = 32, 5


def with_turns(target: Target, plan: TimedPlan) -> TimedPlan:
    """The plan with as many iterations as make its shortest point last long enough. It stays as it
    is if it has been measured already, or its points have no loop."""
    if plan.turns > 1 or not all(point.turned for point in plan.points):
        return plan
    if _shortest_ns(target, plan, 1) >= LEAST_NS:
        return plan
    one_ns = _shortest_ns(target, plan, PILOT_TURNS) / PILOT_TURNS
    turns = min(math.ceil(LEAST_NS / max(one_ns, LEAST_NS / MOST_TURNS)), MOST_TURNS)
    return plan.model_copy(update={"turns": turns})


def _shortest_ns(target: Target, plan: TimedPlan, turns: int) -> float:
    """The median time of the point that takes the least."""
    case = next(one for one in target.cases() if one.name == plan.case)
    target.go_round(case, turns)
    length = PILOT_ROUNDS * len(plan.points)
    samples = target.run_series(case, None, length, empty=False).samples
    counts = (samples.stop - samples.start).astype(np.float64).reshape(PILOT_ROUNDS, -1)
    return float(np.median(counts, axis=0).min()) * 1e9 / target.conditions().timer_hz
