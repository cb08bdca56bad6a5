"""The page of `cyclescope proposals`: one self-contained HTML file."""

from html import escape

from cyclescope.report.page import answered, bullets, document, plot, table
from cyclescope.report.plotted import Figure
from cyclescope.studies.proposals.ablation import Ablation
from cyclescope.studies.proposals.report import opening, rows
from cyclescope.studies.proposals.report.granularity import MEANING, granularity
from cyclescope.studies.proposals.report.parts_bars import parts_bars
from cyclescope.studies.proposals.results import ProposalsManifest

TITLE = "Three proposals for a peripheral and its processor, measured"
CONTENT = "{{problems}}{{granularity}}{{sections}}"
GRANULARITY = "granularity"
COUNTED = (
    "Exact for each image (n = 1). Bytes are those of the line, both ways; active are all cycles "
    "but those of idle code and sleep. Control and data count accesses to the USART's registers. "
    "Latencies are in cycles; the greatest was observed and bounds nothing."
)


def render(found: ProposalsManifest) -> str:
    """The whole page. The same results give the same bytes."""
    figures: dict[str, Figure] = {}
    sections = [_section(found, one, figures) for one in found.ablations]
    picture = ""
    if found.measured:
        figures[GRANULARITY] = granularity(found)
        picture = f"<h2>Granularity and load</h2>{plot(GRANULARITY, MEANING)}"
    conditions = rows.conditions(found)
    under = "; ".join(text for _, text in conditions[2:])
    return document(
        CONTENT,
        title=TITLE,
        conditions=conditions,
        opening=answered(under, opening.answer(found), bullets(opening.points(found), "plain")),
        data={"figures": figures},
        problems=bullets(rows.problems(found), "problem"),
        granularity=picture,
        sections="".join(sections) + f'<p class="meaning">{escape(COUNTED)}</p>',
    )


def _section(found: ProposalsManifest, one: Ablation, figures: dict[str, Figure]) -> str:
    images = rows.documents(found, one)
    if not images:
        return ""
    figures[f"parts:{one.key}"] = parts_bars(images)
    tables = (
        ("Load", rows.LOAD, rows.load_rows(images)),
        ("Accesses", rows.ACCESSES, rows.access_rows(images)),
        ("Energy", rows.ENERGY, rows.energy_rows(images)),
        ("Latency", rows.LATENCY, rows.latency_rows(images)),
    )
    html = "".join(
        f'<h3>{name}</h3><div class="scroll">{table(headings, lines)}</div>'
        for name, headings, lines in tables
    )
    drawn = plot(f"parts:{one.key}", "Active instructions per byte by layer")
    declared = bullets(rows.declarations(images), "plain")
    return f"<h2>{escape(one.title)}</h2><p>{escape(one.asked)}</p>{declared}{drawn}{html}"
