"""The pages of configurations: each one self-contained HTML file."""

from collections.abc import Sequence
from html import escape

from cyclescope.quantity import format_number
from cyclescope.report.page import bullets, document, listed, part, plot, provenance, table
from cyclescope.report.plotted import Figure
from cyclescope.studies.compare.findings import CasePair
from cyclescope.studies.configurations.findings import ConfigurationsFound, CostRow
from cyclescope.studies.configurations.report import figures, wording

PICTURE = "distribution"


def ratios(found: ConfigurationsFound) -> str:
    """Where the cycles go, K, and the ratio of every case. The same results give the same bytes."""
    platform = [(one.name, *line) for one in found.others for line in wording.ratio_lines(one)]
    extremes = [
        (one.name, f"{line.of} in {ratio.unit.symbol}", line.max_case, line.min_case)
        for one in found.others
        for ratio in one.ratios
        for line in ratio.lines
    ]
    spent = [(one.name, *wording.spent_figures(one)) for one in found.configurations]
    sections = [
        _section("Where the cycles go", table(("", *wording.SPENT_HEADINGS), spent)),
        _meaning(wording.spent_meaning(found)),
        _section("Ratio to the base", table(("", *wording.RATIO_HEADINGS), platform)),
        _meaning(wording.RATIO_MEANING),
        _section(
            "Distribution of the cases' ratios", plot(PICTURE, "Every point is a case, in cycles")
        ),
        _section(
            "Cases with the extremes",
            table(("", "of", "greatest ratio", "least"), extremes),
        ),
        _section("Ratio of each case", _cases(found)),
        _section("Cases without a ratio", listed(_left_out(found))),
    ]
    return _page(found, "Platform ratio K", sections, figures.ratios(found))


def costs(found: ConfigurationsFound, rows: Sequence[CostRow]) -> str:
    """Table of the cycles that each option adds to each call that any of them changes."""
    idle = wording.idle(found, rows)
    shown = [(column, one) for column, one in enumerate(found.others) if one.name not in idle]
    headings = ("call", "x", "base", *(one.name for _, one in shown))
    body = [
        (
            row.case,
            wording.at(row).removeprefix("x = "),
            wording.base_figure(row),
            *(wording.cost_figure(row.costs[column]) for column, _ in shown),
        )
        for row in rows
        if row.changes
    ]
    sections = [
        _section("Cycles that each option adds", table(headings, body, "scores")),
        _meaning(f"{len(body)} rows of {len(rows)}. {wording.COST_MEANING}"),
        _meaning(wording.alignment(found)),
        _meaning(f"No call changes with: {', '.join(idle)}." if idle else ""),
        _section(
            "Distribution over the calls", plot(PICTURE, "Every point is a call that changes")
        ),
    ]
    return _page(found, "Cost of options", sections, figures.costs(found, rows))


def _page(found: ConfigurationsFound, title: str, sections: list[str], picture: Figure) -> str:
    base = found.base.found
    tool = [("cyclescope", found.tool)]
    return document(
        part("configurations.html", __package__),
        title=title,
        conditions=wording.conditions(found),
        data={"figures": {PICTURE: picture}},
        problems=bullets(found.problems, "problem"),
        sections="".join(sections),
        provenance=provenance(tool, base.conditions) if base else "",
    )


def _section(heading: str, content: str) -> str:
    return f'<h2>{escape(heading)}</h2><div class="scroll">{content}</div>'


def _meaning(sentence: str) -> str:
    return f'<p class="meaning">{escape(sentence)}</p>'


def _cases(found: ConfigurationsFound) -> str:
    """Each case's mean net time in the base, and its ratio in each configuration."""
    if found.base.found is None:
        return ""
    headings = ("case", "base, cycles", *(one.name for one in found.others))
    body = []
    for case in found.base.found.cases:
        nets = [one.net.estimate.value for one in case.measured]
        mean = sum(nets) / len(nets) if nets else float("nan")
        pairs = found.pairs(case.case.name)
        body.append((case.case.name, format_number(mean), *map(_ratio, pairs)))
    return table(headings, body)


def _ratio(pair: CasePair | None) -> str:
    return wording.decimal(pair.ratio.value, 3) if pair else "–"


def _left_out(found: ConfigurationsFound) -> list[str]:
    return [
        f"{one.name}, {line.of}: {sentence}"
        for one in found.others
        for line in (one.ratios[0].lines if one.ratios else ())
        for sentence in line.left_out
    ]
