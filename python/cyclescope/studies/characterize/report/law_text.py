"""Laws of a characterization as text: form, domain, significance, thresholds."""

from cyclescope.laws import clustering
from cyclescope.laws.model import Fitted
from cyclescope.quantity import format_number, format_share
from cyclescope.report.law_text import formula, goodness, origin_text, shape
from cyclescope.studies.characterize.findings import CaseAnalysis, Characterization, Spread


def form(one: CaseAnalysis) -> str:
    """The form of what describes a case, in a word or two."""
    if one.load_law:
        return f"{shape(one.load_law)} in the load"
    if len(one.clusters) > 1:
        return f"{len(one.clusters)} clusters"
    return shape(one.law) if one.law else "no law"


def law_text(one: CaseAnalysis, law: Fitted) -> str:
    """The law of a swept case."""
    assert one.case.parameter is not None
    low, high = (format_number(end) for end in law.domain)
    unit = one.case.parameter.unit
    every = f", every {law.step}th" if law.step > 1 else ""
    where = f"x = {one.case.parameter.name}, {low} … {high} {unit}{every}"
    return f"{formula(law)}; {where}{origin_text(law, unit)}; {goodness(law)}"


def spread_text(spread: Spread) -> str:
    """Whether the series vary little enough for the figures to count."""
    series = f"in the series of {spread.length}"
    told = f"greatest σ {format_number(spread.sigma)} cycles {series}, allowed "
    return f"{'yes' if spread.low else 'no'}: {told}{format_number(spread.limit)}"


def terms_text(found: Characterization) -> str:
    """The thresholds of the analysis, and where x begins."""
    terms = found.terms
    sigma, off, tail = map(
        format_share, (terms.relative_sigma, terms.relative_residual, terms.significance)
    )
    floor = f"or {format_number(terms.least_cycles)} cycles, or a count of the timer"
    return (
        f"Figures are significant where σ of every series is at most {sigma} of "
        f"its mean, {floor}. A law is refused where it is off a mean by more than "
        f"{off}, {floor}. Tests reject at {tail}. q is "
        f"the time at x = {terms.origin}, the zero of the parameter itself, measured or not. "
        f"Clusters ({terms.clustering}): {clustering.find(terms.clustering).sentence}."
    )
