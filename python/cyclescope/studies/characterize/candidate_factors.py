"""Hidden parameters: the circumstances of a sample that are recorded, and what they explain."""

from cyclescope.quantity import format_number, format_share
from cyclescope.stats.hidden import CandidateFactor, examine
from cyclescope.studies.characterize.case_samples import CaseSamples
from cyclescope.target.case import Case

TREND = 0.3
"""Spearman's ρ, either way, from which times are said to rise or fall with a circumstance."""

LEAST_P_VALUE = 1e-12
"""Smaller ones are not distinguished."""


def factors_at(
    case: Case, samples: CaseSamples, x: float, significance: float
) -> tuple[CandidateFactor, ...]:
    """The circumstances that explain how times differ at x, the strongest first."""
    here = samples.x == x
    levelled = samples.levelled[here]
    length = (
        "load (objects, as many as the series is long)" if case.load else "length of the series"
    )
    index = "objects made so far (index in the series)" if case.load else "index in the series"
    tested = [
        examine(length, samples.length[here], levelled),
        examine(index, samples.index[here], levelled),
    ]
    found = [one for one in tested if one and one.convicts(significance)]
    return tuple(sorted(found, key=lambda one: -one.share))


def told(x: float | None, why: str, candidate_factors: tuple[CandidateFactor, ...]) -> str:
    """The hidden parameter in a sentence, with the strongest candidate factor and its numbers."""
    at = "" if x is None else f" at x = {format_number(x)}"
    if not candidate_factors:
        return f"hidden parameter{at}: {why}; neither series, index nor load explains it"
    first, *others = candidate_factors
    also = "".join(f"; {one.name} explains {format_share(one.share)}" for one in others)
    return f"hidden parameter{at}: {why}; strongest candidate factor: {_sentence(first)}{also}"


def _sentence(one: CandidateFactor) -> str:
    rises_or_falls = one.rho_p_value < one.p_value or abs(one.rho) >= TREND
    trend = f", Spearman ρ {one.rho:.2f}" if rises_or_falls else ""
    return (
        f"{one.name}, explains {format_share(one.share)} "
        f"(Kruskal–Wallis {_p(one.p_value)}{trend}): "
        f"{format_number(one.low_cycles)} cycles at {format_number(one.low)}, "
        f"{format_number(one.high_cycles)} at {format_number(one.high)}"
    )


def _p(value: float) -> str:
    return f"p < {LEAST_P_VALUE:g}" if value < LEAST_P_VALUE else f"p = {value:.2g}"
