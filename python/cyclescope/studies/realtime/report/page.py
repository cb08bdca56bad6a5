"""The page of real-time figures: one self-contained HTML file."""

from collections.abc import Iterable, Sequence
from html import escape

from cyclescope.quantity import format_number
from cyclescope.report.page import (
    answered,
    bullets,
    document,
    doubts,
    part,
    plot,
    provenance,
    table,
)
from cyclescope.report.plotted import Figure
from cyclescope.report.provenance import brief, under
from cyclescope.studies.realtime.findings import RealtimeFigures, TrialFigures
from cyclescope.studies.realtime.report import figures, rows
from cyclescope.studies.realtime.report.terminal import curves, cyclictest
from cyclescope.studies.realtime.results import RealtimeResults, TrialRun

CAPTIONS = {
    "histogram": "Distribution in 30 bins of what is kept; counts on a logarithmic scale",
    "tail": "Share of the samples that are at least as long",
    "samples": "Samples in the order of measurement; at the edge those rejected beyond it",
    "timeline": "Tasks and ISRs around the longest sample",
}
SCORES = ("", "n", "load", "score ± 95 %", "again ≥", "raw", "filtered", "integer unit", "paper")
TIMES = ("", "min", "median", "p99", "p99.9", "max", "max µs")
DECOMPOSITION = (
    "Section II.C of the paper: a response is made of the kernel's longest masked window, of "
    "nested interrupts, and of the hardware's own time. The window is the longest of the whole "
    "run, which need not be the one that the longest response met. Times in core cycles."
)


def render(found: RealtimeFigures, results: RealtimeResults) -> str:
    """The whole page. The same results give the same bytes."""
    pictures = figures.all_pictures(found, results)
    runs = {run.trial: run for run in results.runs}
    conditions = found.conditions
    name = f"{conditions.kernel} {conditions.kernel_version} on {conditions.board}"
    return document(
        part("realtime.html", __package__),
        title=f"{name}: real-time figures",
        conditions=under(conditions),
        opening=_opening(found),
        data={"figures": pictures},
        problems=bullets(list(found.problems), "problem"),
        table=_scores(found, found.alone or found.runs),
        times=_times(found, found.alone or found.runs),
        meaning=escape(rows.MEANING),
        paper=escape(f"Paper: RTLinux / RGMP-ROS. {rows.WHY_NOT_COMPARABLE}"),
        units=bullets(rows.units(found), "plain") + bullets(rows.coarse_clock(found), "remarks"),
        determinism=_determinism(found),
        masked=_masked(found),
        decomposition=escape(DECOMPOSITION),
        load=_load(found),
        runs="".join(_run(one, row, runs[one.trial], pictures) for one, row in _rows(found)),
        cyclictest=_cyclictest(found),
        honesty=_honesty(found),
        provenance=provenance([("cyclescope", found.tool)], conditions),
    )


def _rows(found: RealtimeFigures) -> Iterable[tuple[TrialFigures, rows.TrialRow]]:
    shown = found.alone or found.runs
    return zip(shown, rows.rows(found, shown), strict=True)


def _opening(found: RealtimeFigures) -> str:
    """The longest time of each run without extra tasks."""
    times = [
        f"{row.title}: {row.maximum} cycles ({row.time} µs); median {row.median}, n {row.n}"
        for _, row in _rows(found)
    ]
    answer = "The longest times seen, which bound nothing:" if times else "Nothing was measured."
    return answered(brief(found.conditions), answer, bullets(times, "plain"))


def _scores(found: RealtimeFigures, runs: Sequence[TrialFigures]) -> str:
    body = [
        (
            *(one.title, one.n, one.load, one.score, one.again),
            *(one.raw, one.filtered, one.integer, one.paper),
        )
        for one in rows.rows(found, runs)
    ]
    return table(SCORES, body, "scores")


def _times(found: RealtimeFigures, runs: Sequence[TrialFigures]) -> str:
    body = [
        (one.title, one.minimum, one.median, one.p99, one.p999, one.maximum, one.time)
        for one in rows.rows(found, runs)
    ]
    return table(TIMES, body, "scores")


def _determinism(found: RealtimeFigures) -> str:
    """Figure 9 and its verdicts; nothing if no curve was measured."""
    if not found.curves:
        return ""
    keys = dict.fromkeys((one.indicator, one.load_percent) for one in found.curves)
    plots = "".join(
        plot(f"determinism:{indicator}-load{load}", f"{rows.NAMES[indicator]}, load {load} %")
        for indicator, load in keys
    )
    crowded = [one for one in found.runs if one.trial.extra_tasks]
    return (
        f'<h2>Over the number of tasks</h2><div class="plots">{plots}</div>'
        f"{bullets(curves(found), 'verdicts')}"
        f'<p class="meaning">{escape(rows.CRITERION)}</p>'
        f"<details><summary>Scores at each number of tasks ({len(crowded)} runs)</summary>"
        f'<div class="scroll">{_scores(found, crowded)}</div></details>'
    )


def _brief(one: TrialFigures, found: RealtimeFigures) -> str:
    """Names a row: by its indicator alone, if all rows have one load and one number of extra
    tasks."""
    alike = {(run.trial.load_percent, run.trial.extra_tasks) for run in found.alone or found.runs}
    return str(one.trial.indicator) if len(alike) == 1 else one.trial.label


def _masked(found: RealtimeFigures) -> str:
    headings = ("indicator", "longest masked", "call", "of", "from", "to", "median", "longest")
    body = []
    for one in found.alone or found.runs:
        window, times = one.masked, one.times
        seen = (
            (
                format_number(window.longest_cycles),
                window.call,
                window.task,
                window.begin,
                window.end,
            )
            if window
            else ("not known", "", "", "", "")
        )
        figures_of = (format_number(times.median.value), format_number(times.summary.maximum))
        body.append((_brief(one, found), *seen, *figures_of))
    return table(headings, body)


def _load(found: RealtimeFigures) -> str:
    shown = found.alone or found.runs
    names = dict.fromkeys((part.name, part.holds) for one in shown for part in one.load)
    if not names:
        return "<p>There was none: the background threads were not there.</p>"
    body = []
    for name, holds in names:
        calls = [sum(p.calls for p in one.load if p.name == name) for one in shown]
        body.append((name, holds, *(format_number(count) for count in calls)))
    labels = [_brief(one, found) for one in shown]
    body.append(("all calls", "", *(format_number(one.calls) for one in shown)))
    headings = ("facility", "what it does to others", *labels)
    return table(headings, body)


def _run(one: TrialFigures, row: rows.TrialRow, run: TrialRun, pictures: dict[str, Figure]) -> str:
    plots = "".join(
        plot(f"{one.trial.name}:{kind}", caption, kind)
        for kind, caption in CAPTIONS.items()
        if f"{one.trial.name}:{kind}" in pictures
    )
    said = figures.equal(run)
    equal = f'<p class="equal">{escape(said)}</p>' if said else ""
    return (
        f'<section id="{one.trial.name}"><h3>{escape(row.name)} '
        f"<small>{escape(one.trial.among)}</small>"
        f"</h3>{bullets(list(row.remarks), 'remarks')}"
        f'{equal}<div class="plots">{plots}</div></section>'
    )


def _cyclictest(found: RealtimeFigures) -> str:
    """Results of cyclictest beside each trial that it accompanied."""
    if not found.cyclictest:
        return ""
    told = [cyclictest(one) for one in found.cyclictest]
    plots = "".join(
        plot(f"cyclictest:{one.trial.name}", f"Both, in the same microseconds, {one.trial.among}")
        for one in found.cyclictest
        if one.seen.histogram
    )
    return f'<h2>Beside cyclictest</h2>{bullets(told, "plain")}<div class="plots">{plots}</div>'


def _honesty(found: RealtimeFigures) -> str:
    parts = [
        ("Remarks of the target", list(found.remarks)),
        ("Not available", [f"{rows.NAMES[one]}: {why}" for one, why in found.unavailable.items()]),
        ("Unverified timing rules touched", [one.sentence for one in found.unverified]),
        ("Met but not modelled", [one.sentence for one in found.unmodelled]),
        ("Refused", [f"{one.trial.label}: {one.sentence}" for one in found.refused]),
        ("Planned and not measured", [one.label for one in found.missing]),
    ]
    return doubts(parts)
