"""Laws on a noisy target: through the medians, for there σ speaks of the machine and not of a call.

Series that vary more than a quiet target's may are no sign of a hidden parameter here; clusters of
times are, and stay.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cyclescope.laws.model import POINTS_EACH, Check, Fitted, Points, choose, constant_of
from cyclescope.quantity import format_number
from cyclescope.results.thresholds import Terms
from cyclescope.studies.characterize.findings import Behaviour, CaseLaws
from cyclescope.studies.characterize.run_figures import Measured
from cyclescope.target import design
from cyclescope.target.case import Case

NORMAL_SPREAD = 1.349
"""Distance of the quartiles of a normal distribution whose deviation is 1."""


def through_medians(
    case: Case, measured: Sequence[Measured], found: CaseLaws, resolution: float, terms: Terms
) -> CaseLaws:
    """Returns the findings, with the law of the medians in place of the samples' law."""
    if found.load_law:
        return found
    law, refused = _law(case, measured, resolution, terms)
    found = replace(found, law=law, law_refused=refused)
    if len(found.clusters) > 1 or law is None:
        return found
    constant = law.model == "constant"
    behaviour = Behaviour.CONSTANT if constant else Behaviour.NUMERICAL
    return replace(found, behaviour=behaviour, candidate_factors=(), hidden=None)


def _law(
    case: Case, measured: Sequence[Measured], resolution: float, terms: Terms
) -> tuple[Fitted | None, str | None]:
    """The law, or why it is none: further from a median than the thresholds, its own interval and
    the drift between the runs allow."""
    sigma = max(one.spread for one in measured) / NORMAL_SPREAD
    if case.parameter is None:
        return constant_of(measured[0].net.estimate, measured[0].n, sigma), None
    if len(measured) < 2:
        return None, f"one value of {case.parameter.name} makes no law"
    x = np.array([one.parameter for one in measured], dtype=np.float64)
    medians = np.array([one.net.estimate.value for one in measured])
    out = design.held_out(x.astype(int).tolist())
    fitted = ~np.isin(x, out)
    points = Points(x[fitted], medians[fitted], resolution, sigma)
    law = choose(points, case.parameter.unit, points_each=POINTS_EACH)
    drift = _drift(measured)
    for at, one in zip(x.tolist(), measured, strict=True):
        net = one.net.estimate
        gap = abs(net.value - law.at(at))
        allowed = terms.residual_limit(net.value, resolution)
        limit = max(allowed, net.half_width, drift * abs(net.value))
        if gap > limit:
            return None, (
                f"no law describes the medians: the best, {law.model}, is off by "
                f"{format_number(gap)} cycles at x = {format_number(at)}"
                f"{', held out of the fit' if at in out else ''}, more than "
                f"{format_number(limit)}"
            )
    off = [abs(law.at(at) / net - 1) for at, net in zip(x, medians, strict=True) if at in out]
    worst = float(max(off, default=0.0))
    return replace(law, check=Check(law.n, len(out), worst, terms.relative_residual)), None


def _drift(measured: Sequence[Measured]) -> float:
    """Spread of the empty calls, the same code in every run: a share of their time."""
    overheads = [run.overhead for one in measured for run in one.runs]
    return float(np.ptp(overheads) / np.median(overheads)) if min(overheads) > 0 else 0.0
