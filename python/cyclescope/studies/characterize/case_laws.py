"""The law of one case: are its figures significant, what hides behind them, what do they follow?

Brandolese and Fornaciari, sections 3, 4.1 and 4.2: figures count only where all series vary little;
else a hidden parameter is looked for. Samples that one law does not describe get clusters, or no
law.
"""

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np

from cyclescope.laws import clustering
from cyclescope.laws.clustering import Clustered
from cyclescope.laws.model import Check, Fitted, Points, choose, constant_of
from cyclescope.quantity import format_number, format_share
from cyclescope.results import Sweep
from cyclescope.results.thresholds import Terms
from cyclescope.stats.hidden import CandidateFactor
from cyclescope.stats.spread import deviation
from cyclescope.studies.characterize.candidate_factors import factors_at, told
from cyclescope.studies.characterize.case_samples import CaseSamples
from cyclescope.studies.characterize.findings import Behaviour, CaseLaws, Spread
from cyclescope.studies.characterize.positions import find_positions, position_text
from cyclescope.studies.characterize.run_figures import Measured, net_by_length
from cyclescope.studies.characterize.swept_law import law_of_sweep
from cyclescope.target import design
from cyclescope.target.case import Case
from cyclescope.target.conditions import Conditions

LENGTHS_EACH = 2
"""Series lengths for each coefficient of a law over them: the paper's five bear a line."""

NOTHING = CaseLaws(Behaviour.CONSTANT, None, "nothing was measured", None)


def find_laws(
    case: Case,
    measured: Sequence[Measured],
    samples: CaseSamples,
    conditions: Conditions,
    terms: Terms,
    sweep: Sweep | None = None,
) -> CaseLaws:
    """Everything about the law of a case that was measured."""
    resolution = conditions.cycles_per_count
    unit = case.parameter.unit if case.parameter else ""
    found = clustering.find(terms.clustering).cluster(samples.for_law(resolution), unit)
    positions = () if conditions.noisy else find_positions(case, samples)
    if positions and (found.apart or len(found.clusters) > 1):
        found = clustering.together(samples.for_law(resolution), unit)
    spread = widest(samples, terms, resolution, robust=conditions.noisy)
    load_law = _load_law(case, measured, resolution) if spread.low else None
    why, at = _varies(measured, samples, found, spread, terms, resolution)
    candidate_factors = (
        factors_at(case, samples, at, terms.significance) if why and not load_law else ()
    )
    hidden = (
        told(at if case.parameter else None, why, candidate_factors)
        if why and not load_law
        else None
    )
    if sweep and not load_law and not why:
        law, refused = law_of_sweep(case, sweep, measured, found.clusters[0].law.sample_sigma)
        found = _with_law(found, law, samples.for_law(resolution))
    else:
        law, refused = _law(case, measured, samples, found, terms, resolution)
        if not why and samples.swept:
            found = _with_law(found, law, samples.for_law(resolution))
    if load_law:
        law, refused = None, "the time follows the load: the law is over the length of the series"
    elif why:
        law, refused = None, why
    return CaseLaws(
        behaviour=_behaviour(law, load_law, len(found.clusters), candidate_factors, why),
        law=law,
        law_refused=refused,
        load_law=load_law,
        spread=spread,
        clusters=found.clusters,
        apart=found.apart,
        candidate_factors=candidate_factors,
        hidden=hidden,
        hidden_at=int(at) if hidden and case.parameter else None,
        positions=positions,
        position=position_text(positions) if positions else None,
        labels=(found.labels + 1).astype(np.uint8).tobytes(),
    )


def widest(samples: CaseSamples, terms: Terms, resolution: float, robust: bool) -> Spread:
    """The series that varies most against its limit."""
    keys = np.stack([samples.layout, samples.x, samples.length], axis=1)
    order = np.lexsort(keys.T[::-1])
    keys = keys[order]
    begins = np.flatnonzero(np.any(keys[1:] != keys[:-1], axis=1)) + 1
    series = zip(keys[[0, *begins]].tolist(), np.split(samples.own[order], begins), strict=True)
    found = []
    for (layout, x, length), values in series:
        mean = float(values.mean())
        limit = terms.sigma_limit(mean, resolution)
        sigma = deviation(values, robust)
        found.append(Spread(sigma, limit, mean, int(x), int(length), int(layout)))
    return max(found, key=lambda one: one.sigma / one.limit)


def _varies(
    measured: Sequence[Measured],
    samples: CaseSamples,
    found: Clustered,
    spread: Spread,
    terms: Terms,
    resolution: float,
) -> tuple[str | None, float]:
    """Returns why x does not decide the time, if so, and the x where that shows most."""
    if len(found.clusters) > 1:
        peaks = ", ".join(
            f"{format_share(one.share)} near {format_number(one.law.at(one.law.domain[0]))}"
            for one in found.clusters
        )
        where = f" at x = {format_number(found.clusters[0].law.domain[0])}" if samples.swept else ""
        sentence = f"{len(found.clusters)} clusters of times{where}: {peaks} cycles"
        return sentence, samples.widest_x()
    if not spread.low:
        share, least = format_share(terms.relative_sigma), format_number(terms.least_cycles)
        sentence = (
            f"σ is {format_number(spread.sigma)} cycles in the series of {spread.length}, more "
            f"than {format_number(spread.limit)} ({share} of the mean, or {least})"
        )
        return sentence, float(spread.parameter or 0)
    for one in measured:
        limit = terms.sigma_limit(one.net.estimate.value, resolution)
        if one.series and one.series.differ and one.series.median_range > limit:
            by_length = zip(one.series.lengths, one.series.means, strict=True)
            means = ", ".join(f"{length}: {format_number(mean)}" for length, mean in by_length)
            sentence = f"the series' raw means differ (p < {terms.significance}): {means} cycles"
            return sentence, float(one.parameter or 0)
    return None, 0.0


def _with_law(found: Clustered, law: Fitted | None, samples: clustering.NetTimes) -> Clustered:
    """The one cluster with the law of the sweep, which knows of more x."""
    if law is None:
        return found
    (only,) = found.clusters
    sigma = clustering.residual_sigma(law, samples.of(found.labels == 0))
    return replace(found, clusters=(replace(only, law=law, sigma=sigma),))


def _law(
    case: Case,
    measured: Sequence[Measured],
    samples: CaseSamples,
    found: Clustered,
    terms: Terms,
    resolution: float,
) -> tuple[Fitted | None, str | None]:
    """The law of the one cluster, or why it is none."""
    if case.parameter is None:
        one = measured[0]
        return constant_of(one.net.estimate, one.n, found.clusters[0].sigma), None
    if len(measured) < 2:
        return None, f"one value of {case.parameter.name} makes no law"
    law = _through_fitted_x(samples, found, terms, resolution, case.parameter.unit)
    x = np.array([one.parameter for one in measured], dtype=np.float64)
    off = [
        (abs(one.net.estimate.value - law.at(at)), one, at)
        for one, at in zip(measured, x.tolist(), strict=True)
    ]
    gap, one, at = max(
        off, key=lambda each: each[0] / terms.residual_limit(each[1].net.estimate.value, resolution)
    )
    limit = terms.residual_limit(one.net.estimate.value, resolution)
    if gap <= limit and law.lack_of_fit is not None and law.lack_of_fit < terms.significance:
        return None, (
            f"the best law, {law.model}, does not describe the means at its x: lack of fit, "
            f"p < {terms.significance:g}, off by up to {format_number(law.max_residual)} cycles"
        )
    if gap <= limit:
        return replace(law, check=_check(law, measured, terms)), None
    if len(measured) == 2:
        return None, "two values of x make no line, and their times differ"
    return None, (
        f"no constant, no line and no line with the knees that {len(measured)} values of x allow "
        f"describes it. The best, {law.model}, is off by {format_number(gap)} cycles "
        f"({format_share(gap / abs(one.net.estimate.value))}) at x = {format_number(at)}. "
        f"The limit is {format_number(limit)}"
    )


def _through_fitted_x(
    samples: CaseSamples, found: Clustered, terms: Terms, resolution: float, unit: str
) -> Fitted:
    """The law of the cluster's samples, but for those at the x that are held out of it."""
    out = design.held_out(np.unique(samples.x).astype(int).tolist())
    chosen = (found.labels == 0) & ~np.isin(samples.x, out)
    fitted = samples.of(chosen)
    way = clustering.find(terms.clustering)
    return way.law_of(fitted.for_law(resolution), unit)


def _check(law: Fitted, measured: Sequence[Measured], terms: Terms) -> Check:
    """How the law did at the x that were held out of it."""
    means = {one.parameter: one.net.estimate.value for one in measured if one.parameter is not None}
    out = design.held_out(list(means))
    off = [abs(law.at(x) - means[x]) / abs(means[x]) for x in out if means[x]]
    return Check(law.n, len(out), max(off, default=0.0), terms.relative_residual)


def _load_law(case: Case, measured: Sequence[Measured], resolution: float) -> Fitted | None:
    """The law over the series' lengths, if there is one: series may differ for other reasons."""
    series = measured[0].series if len(measured) == 1 else None
    if not case.load or series is None or not series.differ:
        return None
    nets = net_by_length(measured[0])
    means = np.array([fmean(there.values()) for there in nets.values()])
    points = Points(np.array(list(nets), dtype=np.float64), means, resolution)
    law = choose(points, "object", points_each=LENGTHS_EACH)
    return None if law.model == "constant" else law


def _behaviour(
    law: Fitted | None,
    load_law: Fitted | None,
    clusters: int,
    candidate_factors: Sequence[CandidateFactor],
    why: str | None,
) -> Behaviour:
    """Returns one of the four. Variation without a recorded circumstance comes from the state."""
    if load_law or candidate_factors:
        return Behaviour.STATE_DEPENDENT
    if clusters > 1:
        return Behaviour.ENUMERATED
    if why:
        return Behaviour.STATE_DEPENDENT
    constant = law is not None and law.model == "constant"
    return Behaviour.CONSTANT if constant else Behaviour.NUMERICAL
