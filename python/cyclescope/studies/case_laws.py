"""The law of one case: are its figures significant, what hides behind them, what do they follow?

Brandolese and Fornaciari, sections 3, 4.1 and 4.2: figures count only where all series vary little;
else a hidden parameter is looked for. What one law does not describe gets clusters, or no law.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from cyclescope import clustering
from cyclescope.case import Case
from cyclescope.clustering import Clustered
from cyclescope.conditions import Conditions
from cyclescope.model import Fitted, Points, choose, constant_of
from cyclescope.quantity import format_number, format_share
from cyclescope.stats.hidden import Suspect
from cyclescope.stats.spread import deviation
from cyclescope.studies.case_samples import CaseSamples
from cyclescope.studies.suspects import suspects_at, told
from cyclescope.study import Behaviour, Measured, Spread, net_by_length
from cyclescope.terms import Terms


@dataclass(frozen=True)
class CaseLaws:
    """What was found; the fields are those of study.CaseAnalysis."""

    behaviour: Behaviour
    law: Fitted | None
    law_refused: str | None
    load_law: Fitted | None
    spread: Spread | None = None
    clusters: tuple[clustering.Cluster, ...] = ()
    apart: int = 0
    suspects: tuple[Suspect, ...] = ()
    hidden: str | None = None
    hidden_at: int | None = None
    labels: bytes = b""


NOTHING = CaseLaws(Behaviour.CONSTANT, None, "nothing was measured", None)


def find_laws(
    case: Case,
    measured: Sequence[Measured],
    samples: CaseSamples,
    conditions: Conditions,
    terms: Terms,
) -> CaseLaws:
    """Everything about the law of a case that was measured."""
    resolution = conditions.cycles_per_count
    unit = case.parameter.unit if case.parameter else ""
    found = clustering.find(terms.clustering).cluster(samples.for_law(resolution), unit)
    spread = widest(samples, terms, resolution, robust=conditions.noisy)
    load_law = _load_law(case, measured, resolution) if spread.low else None
    why, at = _varies(measured, samples, found, spread, terms, resolution)
    suspects = suspects_at(case, samples, at, terms.significance) if why and not load_law else ()
    hidden = told(at if case.parameter else None, why, suspects) if why and not load_law else None
    law, refused = _law(case, measured, found, terms, resolution)
    if load_law:
        law, refused = None, "the time follows the load: the law is over the length of the series"
    elif why:
        law, refused = None, why
    return CaseLaws(
        behaviour=_behaviour(law, load_law, len(found.clusters), suspects, why),
        law=law,
        law_refused=refused,
        load_law=load_law,
        spread=spread,
        clusters=found.clusters,
        apart=found.apart,
        suspects=suspects,
        hidden=hidden,
        hidden_at=int(at) if hidden and case.parameter else None,
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
    """Why x does not tell the time, if so, and the x where that shows most."""
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


def _law(
    case: Case, measured: Sequence[Measured], found: Clustered, terms: Terms, resolution: float
) -> tuple[Fitted | None, str | None]:
    """The law of the one cluster, or why it is none."""
    if case.parameter is None:
        one = measured[0]
        return constant_of(one.net.estimate, one.n, found.clusters[0].sigma), None
    if len(measured) < 2:
        return None, f"one value of {case.parameter.name} makes no law"
    law = found.clusters[0].law
    x = np.array([one.parameter for one in measured], dtype=np.float64)
    off = [
        (abs(one.net.estimate.value - law.at(at)), one, at)
        for one, at in zip(measured, x.tolist(), strict=True)
    ]
    gap, one, at = max(
        off, key=lambda each: each[0] / terms.residual_limit(each[1].net.estimate.value, resolution)
    )
    limit = terms.residual_limit(one.net.estimate.value, resolution)
    if gap <= limit:
        return law, None
    if len(measured) == 2:
        return None, "two values of x make no line, and their times differ"
    return None, (
        f"no constant, no line and no lines with as many knees as {len(measured)} values of x bear "
        f"describe it: the best, {law.model}, is off by {format_number(gap)} cycles "
        f"({format_share(gap / abs(one.net.estimate.value))}) at x = {format_number(at)}, "
        f"more than {format_number(limit)}"
    )


def _load_law(case: Case, measured: Sequence[Measured], resolution: float) -> Fitted | None:
    """The law over the series' lengths, if there is one: series may differ for other reasons."""
    series = measured[0].series if len(measured) == 1 else None
    if not case.load or series is None or not series.differ:
        return None
    nets = net_by_length(measured[0])
    means = np.array([fmean(there.values()) for there in nets.values()])
    points = Points(np.array(list(nets), dtype=np.float64), means, resolution)
    law = choose(points, "object")
    return None if law.model == "constant" else law


def _behaviour(
    law: Fitted | None,
    load_law: Fitted | None,
    clusters: int,
    suspects: Sequence[Suspect],
    why: str | None,
) -> Behaviour:
    """One of the four. What varies for no circumstance that was recorded is the state's doing."""
    if load_law or suspects:
        return Behaviour.STATE_DEPENDENT
    if clusters > 1:
        return Behaviour.ENUMERATED
    if why:
        return Behaviour.STATE_DEPENDENT
    constant = law is not None and law.model == "constant"
    return Behaviour.CONSTANT if constant else Behaviour.NUMERICAL
