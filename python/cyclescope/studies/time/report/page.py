"""The page of a timed fragment: one self-contained HTML file that asks nothing of the network."""

from html import escape

from cyclescope.firmware.fragment.plan import Point
from cyclescope.quantity import format_number, format_precisely, format_trimmed
from cyclescope.report.page import (
    answered,
    bullets,
    definitions,
    document,
    doubts,
    part,
    plot,
    provenance,
)
from cyclescope.report.provenance import brief
from cyclescope.results import TimedFragment
from cyclescope.studies.time.findings import FragmentStudy, TechniqueFigures, unit_of
from cyclescope.studies.time.report import figures, wording


def render(found: FragmentStudy, blocks: str = "") -> str:
    """The whole page; `blocks` is the part about basic blocks. The same results give the same
    bytes."""
    exact = wording.truth(found)
    name = wording.title(found)
    return document(
        part("fragment.html", __package__),
        title=f"{name}: one execution",
        heading=name,
        conditions=wording.headline(found),
        opening=answered(
            brief(found.conditions),
            wording.answer(found),
            (f"<p>{escape(exact)}</p>" if exact else "")
            + bullets(wording.warnings(found), "warning"),
        ),
        data={"figures": figures.of_study(found)},
        table=_table(found),
        meaning=escape(wording.MEANING),
        sections="".join(
            _section(one, found)
            for one in sorted(found.techniques, key=lambda one: one.name != found.fragment.chosen)
        ),
        steps=_steps(found),
        blocks=blocks,
        honesty=_honesty(found),
        provenance=provenance(_provenance(found.tool, found.fragment), found.conditions),
    )


def _table(found: FragmentStudy) -> str:
    head = "".join(
        f'<th scope="col">{escape(one)}</th>' for one in ("technique", *wording.HEADINGS)
    )
    body = ""
    for row in wording.rows(found):
        cells = "".join(f"<td>{escape(figure)}</td>" for figure in row.figures)
        name = f'<a href="#{escape(row.name)}">{escape(row.name)}</a>'
        style = ' class="total"' if row.chosen else ""
        body += (
            f'<tr{style}><th scope="row">{name}<small>{escape(row.sentence)}</small></th>'
            f"{cells}</tr>"
        )
    unit = escape(unit_of(found.conditions).name)
    return (
        f'<table class="techniques" id="techniques"><caption>in {unit}</caption><thead><tr>{head}'
        f"</tr></thead><tbody>{body}</tbody></table>"
    )


def _section(one: TechniqueFigures, found: FragmentStudy) -> str:
    unit = unit_of(found.conditions).name
    chosen = " (chosen)" if one.name == found.fragment.chosen else ""
    return (
        f'<section id="{escape(one.name)}"><h2>{escape(one.name)}{chosen}</h2>'
        f"<p>{escape(one.sentence)}. <small>{escape(one.equation)}</small></p>"
        f"<dl>{definitions(_about(one, unit))}</dl>"
        f"{bullets(list(one.signs), 'warning')}{_pictures(one, unit)}</section>"
    )


def _about(one: TechniqueFigures, unit: str) -> list[tuple[str, str]]:
    estimated, plan = one.estimated, one.observed.plan
    rounds = one.observed.times.shape[0]
    about = [("T_e ± 95 %", f"{format_precisely(estimated.execution)} {unit}")]
    about += [(name, f"{format_precisely(value)} {unit}") for name, value in estimated.beside]
    about.append(("measurements", f"{rounds:,} rounds of {len(plan)} points: {_points(one)}"))
    if estimated.rejected.any():
        about.append(("rejected", f"{int(estimated.rejected.sum()):,}: {estimated.rule}"))
    if one.overhead is not None:
        low, high = (format_number(end) for end in (min(one.overhead), max(one.overhead)))
        span = low if low == high else f"{low} … {high}"
        about.append(("ε, seen by the board", f"{span} cycles"))
    if one.bias is not None:
        about.append(("bias", f"{format_trimmed(one.bias)} cycles"))
    return about


def _points(one: TechniqueFigures) -> str:
    def point(it: Point) -> str:
        more = f" + {it.initialisations} INITIALISE" if it.initialisations else ""
        return f"{it.executions}{more}{' in a loop' if it.looped else ''}"

    return ", ".join(point(each) for each in one.observed.plan)


def _pictures(one: TechniqueFigures, unit: str) -> str:
    """The times; the residuals' pictures, or that they are all equal."""
    said = figures.equal(one, unit)
    if said is None:
        return _plots(one.name, figures.CAPTIONS)
    times = {"times": figures.CAPTIONS["times"]}
    return f'<p class="equal">{escape(said)}</p>{_plots(one.name, times)}'


def _plots(name: str, captions: dict[str, str]) -> str:
    plots = "".join(plot(f"{name}:{kind}", caption) for kind, caption in captions.items())
    return f'<div class="plots">{plots}</div>'


def _steps(found: FragmentStudy) -> str:
    said = wording.steps(found)
    if found.steps is None or said is None:
        return ""
    plots = _plots("steps", figures.STEP_CAPTIONS) if found.steps.is_staircase else ""
    return f'<section id="steps"><h2>The steps of T(N)</h2><p>{escape(said)}</p>{plots}</section>'


def _honesty(found: FragmentStudy) -> str:
    parts = [
        ("Unverified timing rules touched", [one.sentence for one in found.unverified]),
        ("Met but not modelled", [one.sentence for one in found.unmodelled]),
        ("Planned and not measured", list(found.missing)),
    ]
    return doubts(parts)


def _provenance(tool: str, fragment: TimedFragment) -> list[tuple[str, str]]:
    return [
        ("cyclescope", tool),
        ("technique", f"{fragment.chosen}: {fragment.reason}"),
        ("period", str(fragment.period)),
    ]
