"""The report: one self-contained HTML file that asks nothing of the network."""

import math
from collections.abc import Container, Mapping, Sequence
from html import escape

from cyclescope.laws.model import Fitted
from cyclescope.quantity import Estimate, format_estimate, format_number, format_share
from cyclescope.report.case_table import case, case_table
from cyclescope.report.law_text import formula
from cyclescope.report.page import (
    bullets,
    definitions,
    document,
    doubts,
    part,
    plot,
    provenance,
    table,
)
from cyclescope.results.confession import Confession
from cyclescope.stats.net import Basis
from cyclescope.studies.characterize.findings import CaseAnalysis, Characterization
from cyclescope.studies.characterize.report.illustration import Illustration
from cyclescope.studies.characterize.report.law_text import spread_text, terms_text
from cyclescope.studies.characterize.report.opening import opening
from cyclescope.studies.characterize.report.provenance import among, headline, meaning
from cyclescope.studies.characterize.report.rows import (
    ENERGY,
    ENERGY_DECIMALS,
    INTERVALS,
    QUARTILES,
    SIGMA,
    CaseRow,
    functions,
    headings,
    refusal,
    rows,
)
from cyclescope.studies.characterize.run_figures import Measured
from cyclescope.studies.explain.report.page import gathered

CAPTIONS = {
    "histogram": "Distribution in 30 bins, by cluster where there are several",
    "fit": "Law from x = 0, with its knees and intervals",
    "candidate_factor": "Samples over what explains most of their differences",
    "layouts": "Net time by layout",
    "series": "Samples in their order, plain link; at the edge those rejected beyond it",
}

EXPLAINED = {
    "n": "samples",
    SIGMA: "standard deviation",
    QUARTILES: "between the quartiles",
    "layouts": "least … greatest",
    "max (observed)": "longest sample",
    "irq off": "longest, cycles",
    "µs": "net time",
}
"""The rows of the table."""


def render(found: Characterization, illustrations: Sequence[Illustration]) -> str:
    """The whole page, with an illustration for each case. The same results give the same bytes."""
    illustrated = {
        one.case.name: drawn for one, drawn in zip(found.cases, illustrations, strict=True)
    }
    pictures = {
        f"{name}:{kind}": picture
        for name, drawn in illustrated.items()
        for kind, picture in drawn.pictures.items()
    }
    explained, listings = gathered(
        {name: drawn.explained for name, drawn in illustrated.items() if drawn.explained}
    )
    name = _title(found)
    return document(
        part("report.html", __package__),
        title=f"{name}: what each call costs",
        heading=name,
        conditions=headline(found),
        opening=opening(found),
        data={"figures": pictures, "explanations": explained, "listings": listings},
        script=part("report.js") if found.cases else "",
        problems=bullets(found.problems, "problem"),
        cases=_cases(found, illustrated, explained),
        functions=_functions(found),
        terms=escape(terms_text(found)),
        honesty=_honesty(found),
        provenance=_provenance(found),
    )


def _title(found: Characterization) -> str:
    conditions = found.conditions
    return f"{conditions.kernel} {conditions.kernel_version} on {conditions.board}"


def _cases(
    found: Characterization, illustrated: Mapping[str, Illustration], explained: Container[str]
) -> str:
    """Each case; its pictures are drawn when its row opens."""
    if not found.cases:
        return "<p>There is none.</p>"
    cases = [
        case(
            row.name,
            f'{escape(row.call)} <span class="form">{escape(row.form)}</span>',
            row.figures,
            row.keys,
            _more(one, row, found.basis, illustrated[row.name], row.name in explained),
            " invalid" if row.problem else "",
        )
        for one, row in zip(found.cases, rows(found), strict=True)
    ]
    return case_table(headings(found), cases, meaning(found), EXPLAINED)


def _more(
    one: CaseAnalysis,
    row: CaseRow,
    basis: Basis,
    illustration: Illustration,
    is_explained: bool,
) -> str:
    plots = "".join(
        plot(f"{row.name}:{kind}", caption)
        for kind, caption in CAPTIONS.items()
        if kind in illustration.pictures
    )
    equal = f'<p class="equal">{escape(illustration.equal)}</p>' if illustration.equal else ""
    remarks = bullets([row.problem] if row.problem else [], "problem")
    remarks += bullets(list(row.remarks), "remarks")
    told = f'<div class="explanation" data-case="{escape(row.name)}"></div>'
    return (
        f"<dl>{definitions(_about(one, row))}</dl>{remarks}{_clusters(one)}{_over_x(one, basis)}"
        f'{equal}<div class="plots">{plots}</div>{told if is_explained else ""}'
    )


def _about(one: CaseAnalysis, row: CaseRow) -> list[tuple[str, str]]:
    about = [("call", one.case.call), ("condition", one.case.condition)]
    if one.case.parameter:
        about.append(("x", f"{one.case.parameter.name} in {one.case.parameter.unit}"))
    about.append(("library", one.case.library))
    about.append(("behaviour", str(one.behaviour)))
    if one.spread:
        about.append(("significant", spread_text(one.spread)))
    if any(measured.between for measured in one.measured):
        about.append(("distinct layouts", str(one.distinct_layouts)))
    about.append(("overhead", row.overhead))
    about.append(("σ of series means", f"{row.between} cycles"))
    return about


def _clusters(one: CaseAnalysis) -> str:
    """A line for each of several clusters."""
    if len(one.clusters) < 2:
        return ""
    rows = [
        (str(number), format_number(cluster.n), format_share(cluster.share, 1),
         formula(cluster.law), format_number(cluster.sigma))
        for number, cluster in enumerate(one.clusters, 1)
    ]  # fmt: skip
    return table(("cluster", "n", "share", "law", "σ about it"), rows, "laws")


X_HEADINGS = ("σ", "σ layouts", "layouts: min", "max", "max (observed)", "irq off")
LAW_HEADINGS = ("law ± 95 %", "one call more ± 95 %")


def _over_x(one: CaseAnalysis, basis: Basis) -> str:
    """The figures at each value of x, of a case that has some, and what the law says there."""
    if not one.case.parameter:
        return ""
    metered = any(measured.energy for measured in one.measured)
    headings = ("x", "n", f"net cycles {INTERVALS[basis]}", *X_HEADINGS)
    energy = [f"{ENERGY} {INTERVALS[basis]}"] if metered else []
    shown = (*headings, *energy, *(LAW_HEADINGS if one.law else []))
    return table(shown, [_figures(measured, one.law) for measured in one.measured])


def _figures(one: Measured, law: Fitted | None) -> tuple[str, ...]:
    off = math.nan if one.interrupts_off is None else one.interrupts_off
    x = float(one.parameter or 0)
    said = [law.predict(x), law.predict_new(x)] if law else []
    return (
        str(one.parameter),
        format_number(one.n),
        _unbroken(one.net.estimate),
        format_number(one.spread),
        format_number(one.sigma_between),
        format_number(one.between.minimum if one.between else math.nan),
        format_number(one.between.maximum if one.between else math.nan),
        format_number(one.observed_maximum),
        format_number(off),
        *([_unbroken(one.energy.estimate, ENERGY_DECIMALS)] if one.energy else []),
        *map(_unbroken, said),
    )


def _unbroken(estimate: Estimate, decimals: int = 1) -> str:
    return format_estimate(estimate, decimals).replace(" ", "\u00a0")


def _functions(found: Characterization) -> str:
    """Functions under several conditions: a model for each, or one for several."""
    models = table(("function", "behaviour", "models"), functions(found), "laws")
    if not models:
        return ""
    return (
        "<h2>Functions by condition</h2><details><summary>Which conditions need a model of their "
        f'own, and which share one</summary><div class="scroll">{models}</div></details>'
    )


def _honesty(found: Characterization) -> str:
    missing = [
        f"{case} at x = {value}" if value is not None else case
        for case, value in dict.fromkeys((case, value) for _, case, value in found.missing)
    ]
    parts = [
        ("Unverified timing rules touched", _confessed(found, found.unverified)),
        ("Met but not modelled", _confessed(found, found.unmodelled)),
        ("Not measured", [refusal(one) for one in found.refused]),
        ("Planned and not measured", missing),
    ]
    return doubts(parts)


def _confessed(found: Characterization, confessions: tuple[Confession, ...]) -> list[str]:
    return [f"{one.sentence} (in {among(found, one.cases)})" for one in confessions]


def _provenance(found: Characterization) -> str:
    pairs = [("cyclescope", found.tool), ("technique", found.technique)]
    if len(found.layouts) > 1:
        layouts = (f"{one.number} ({one.image_sha256[:16]}…)" for one in found.layouts)
        pairs += [("layouts", ", ".join(layouts)), ("layout_seed", str(found.layout_seed))]
    return provenance(pairs, found.conditions)
