"""The page of a comparison: one self-contained HTML file that asks nothing of the network."""

import math
from html import escape

from cyclescope.report.case_table import case, case_table
from cyclescope.report.page import bullets, definitions, document, listed, part, provenance, table
from cyclescope.report.provenance import brief
from cyclescope.studies.characterize.findings import Characterization
from cyclescope.studies.compare.attribution import Attribution
from cyclescope.studies.compare.findings import CasePair, Comparison, Systems
from cyclescope.studies.compare.gate import Gate, Outcome
from cyclescope.studies.compare.report import dot_plot, reasons, systems, wording
from cyclescope.studies.compare.report.reasons import Why
from cyclescope.studies.explain.explanation import Spent

FEW = 10
"""Verdicts that are shown unfolded."""


def render(found: Comparison, folders: tuple[str, str], why: Why | None, gate: Gate | None) -> str:
    """The whole page of what lies in both folders. The same results give the same bytes."""
    name = _title(found)
    return document(
        part("compared.html", __package__),
        title=f"{name}: compared",
        heading=name,
        conditions=[],
        opening=_opening(found, folders),
        agreed=definitions(wording.agreed(found)),
        data={"figures": {}, "explanations": {}, "listings": {}},
        script=part("report.js"),
        style=part("compared.css", __package__),
        differences=_differences(found),
        warnings=bullets(list(found.warnings), "warning"),
        gate=_gate(gate),
        plot=dot_plot.draw(found) or "<p>No case has a ratio.</p>",
        classes=_systems(found, found.systems) if found.systems else _classes(found),
        cases=_cases(found, why),
        why=_why(why),
        unmatched=listed(wording.unmatched(found)),
        provenance_a=_provenance(found.first),
        provenance_b=_provenance(found.second),
    )


def _classes(found: Comparison) -> str:
    """The classes, and the ratio of two platforms."""
    classes = table(wording.CLASS_HEADINGS, map(wording.classes, found.classes))
    platform = table(wording.PLATFORM_HEADINGS, map(wording.platform, found.platform.lines))
    return "\n".join(
        (
            "<h2>By class of functions</h2>",
            f'<div class="scroll">{classes}</div>',
            bullets(wording.class_sentences(found), "remarks"),
            f'<p class="meaning">{escape(wording.CLASS_MEANING)}</p>',
            "<h2>Platform ratio</h2>",
            f'<div class="scroll">{platform}</div>',
            bullets(wording.platform_sentences(found), "remarks"),
            f'<p class="meaning">{escape(wording.PLATFORM_MEANING)}</p>',
        )
    )


def _systems(found: Comparison, both: Systems) -> str:
    """The classes of two operating systems: times, order and laws, growth with the load."""
    shown = systems.lines(both)
    times = [systems.times(one, found) for one in shown]
    loads = [systems.load(one, found) for one in both.dependences]
    parts = [
        "<h2>Two operating systems by class of functions</h2>",
        f"<p>{escape(systems.counted(found))}.</p>",
        f'<div class="scroll">{table(systems.headings(found, systems.HEADINGS), times)}</div>',
        f'<div class="scroll">{table(systems.ORDER_HEADINGS, map(systems.order, shown))}</div>',
        bullets(systems.sentences(found, both), "remarks"),
        f'<p class="meaning">{escape(systems.meaning(found))}</p>',
    ]
    if loads:
        growth = table(systems.headings(found, systems.LOAD_HEADINGS), loads)
        parts += ["<h3>Dependence on load and size</h3>", f'<div class="scroll">{growth}</div>']
    return "\n".join(parts)


def _title(found: Comparison) -> str:
    sides = [
        f"{one.kernel} {one.kernel_version} on {one.board}"
        for one in (found.first.conditions, found.second.conditions)
    ]
    return f"{sides[0]}, A and B" if sides[0] == sides[1] else f"A: {sides[0]}; B: {sides[1]}"


def _opening(found: Comparison, folders: tuple[str, str]) -> str:
    """Which folder is A and which B, and how many cases are slower or faster in B."""
    sides = [
        (name, f"{folder}: {brief(side.conditions)}")
        for name, folder, side in zip("AB", folders, (found.first, found.second), strict=True)
    ]
    answer = escape(wording.answer(found))
    return f'<dl class="sides">{definitions(sides)}</dl><p class="answer">{answer}</p>'


def _differences(found: Comparison) -> str:
    if not found.differences:
        return f"<p>{escape(wording.SAME)}</p>"
    lines = [(one.name, one.first, one.second) for one in found.differences]
    return table(("", "A", "B"), lines, "text")


def _gate(gate: Gate | None) -> str:
    if gate is None:
        return ""
    said = [
        f"{outcome}: {one.name}: {reason}"
        for outcome in (Outcome.FAILED, Outcome.NOT_JUDGED)
        for one in gate.of(outcome)
        for reason in one.reasons
    ]
    style = "problem" if gate.failed else "passed"
    verdicts = (
        f"<details{' open' if len(said) <= FEW else ''}><summary>Verdicts ({len(said)})</summary>"
        f"{bullets(said, 'remarks')}</details>"
    )
    return (
        f"<h2>Gate</h2><p class='{style}'>{escape(gate.sentence)}</p>{verdicts if said else ''}"
        f'<p class="meaning">{escape(gate.remark)}</p>'
    )


def _cases(found: Comparison, why: Why | None) -> str:
    unit = found.unit.symbol
    headings = ("case", f"A {unit}", f"B {unit}", "B / A (95 %)", "B is")
    explained = {one.case: one for one in why.attributed} if why else {}
    cases = [
        case(
            row.name,
            f"{escape(row.call)}; n {row.n}",
            (row.first, row.second, row.ratio, row.change),
            _keys(pair),
            _more(pair, row, found, explained.get(pair.case.name)),
        )
        for pair, row in zip(found.pairs, wording.rows(found), strict=True)
    ]
    return case_table(headings, cases, wording.meaning(found))


def _keys(pair: CasePair) -> tuple[float, ...]:
    """Sort keys of the cells; verdicts by how far from 1 the ratio is."""
    nan = math.nan
    sides = [max((p.means[i].value for p in pair.points), default=nan) for i in (0, 1)]
    return (*sides, pair.ratio.value, abs(math.log(pair.ratio.value)))


def _more(pair: CasePair, row: wording.PairRow, found: Comparison, why: Attribution | None) -> str:
    points = [wording.point(one, found) for one in pair.points]
    remarks = [f"law: {wording.laws(pair)}", *pair.remarks]
    return (
        f"{bullets([pair.problem] if pair.problem else [], 'problem')}{bullets(remarks, 'remarks')}"
        f"{table(wording.point_headings(found), points)}"
        f"{_attribution(why) if why else ''}"
    )


def _attribution(one: Attribution) -> str:
    lines = [reasons.cells(share) for share in one.functions if share.difference != Spent()]
    lines.append(("all", "", *reasons.figures(one.spent)))
    at = "" if one.parameter is None else f" at x = {one.parameter}"
    return (
        f"<h4>Why{at}</h4><p>{escape(reasons.sum_sentence(one))}</p>"
        f"{table(reasons.headings(), lines)}"
    )


def _why(why: Why | None) -> str:
    if why is None:
        return ""
    return (
        f"<h2>Why</h2><p>{escape(reasons.summary(why))}</p>"
        f"{bullets(reasons.by_reason(why), 'remarks')}"
        f'<p class="meaning">{escape(reasons.MEANING)} Open a case to see its own.</p>'
    )


def _provenance(found: Characterization) -> str:
    pairs = [("cyclescope", found.tool), ("technique", found.technique)]
    pairs.append(("layouts", ", ".join(str(one.number) for one in found.layouts)))
    return provenance(pairs, found.conditions)
