"""A task set's schedules in a terminal of 80 columns, as a drawing, and for programs."""

from dataclasses import asdict
from html import escape
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cyclescope.quantity import format_number
from cyclescope.report.terminal import heading
from cyclescope.studies.schedule.exact import Hyperperiod, Stretch
from cyclescope.studies.schedule.judgement import AtPoint, Judged, ScheduleStudy

COLUMNS = 64
WIDTH, ROW, LEFT = 900, 28, 110
MEANING = (
    "One hyperperiod, all tasks released together at 0, priorities in the order of the file. "
    "Preemptions, misses and times are exact for these execution times; a switch costs cycles "
    "only where one task preempts another. The energy beside it is what it adds: the quiescent "
    "current flows without it too. Energies rest on the board file's coefficients. C·V²: "
    "for each executed cycle. By kind: active and idle cycles and the quiescent current, without "
    "memories and devices (docs/how-to/schedule.md)."
)
BOUNDED = (
    "The hyperperiod holds {jobs:,} jobs, too many to enumerate: response times are by fixed-point "
    "iteration instead (upper bounds with switch costs); preemptions and energies are not known."
)


def show(found: ScheduleStudy, console: Console) -> None:
    """Prints the points, the responses, and the timeline at the cheapest feasible point."""
    tasks = found.tasks
    long = f"{tasks.hyperperiod_us:,} µs, {tasks.jobs:,} jobs, {tasks.cycles:,} cycles"
    console.print(
        heading(
            [("board", tasks.board), ("hyperperiod", long), ("switch", found.costs), *_own(found)]
        )
    )
    console.print()
    console.print(_points(found))
    console.print()
    if found.is_enumerated:
        console.print(_switches(found))
        console.print()
    else:
        console.print(Text(BOUNDED.format(jobs=tasks.jobs)))
    shown = found.cheapest("by_kind_uj") or found.at[-1]
    console.print(Text(verdict(found)))
    console.print(_responses(found, shown))
    if shown.costly.schedule:
        console.print()
        console.print(Text(_timeline(found, shown.costly.schedule, shown.point.name)))
        console.print(Text(MEANING, style="dim"))


def _own(found: ScheduleStudy) -> list[tuple[str, str]]:
    """The tasks that have operating points of their own."""
    own = [f"{task.name} {', '.join(task.points)}" for task in found.tasks.task if task.points]
    if not own:
        return []
    return [("own points", f"{'; '.join(own)}, job by job; else, and when free, the point below")]


def verdict(found: ScheduleStudy) -> str:
    """Which operating point to take."""
    feasible = [one.point.name for one in found.at if one.costly.is_feasible]
    if not feasible:
        if any(one.without.is_feasible for one in found.at):
            return "Infeasible at every operating point once switches are paid; feasible without."
        return "Infeasible at every operating point: shorten execution or lengthen periods."
    text = f"Feasible at {', '.join(feasible)}."
    laws = (("C·V²", "capacitive_uj"), ("kind", "by_kind_uj"))
    best = [(law, found.cheapest(name)) for law, name in laws]
    cheapest = [f"{one.point.name} by {law}" for law, one in best if one]
    return f"{text} Cheapest: {', '.join(cheapest)}." if cheapest else text


def _points(found: ScheduleStudy) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    heads = ("point", "MHz", "V", "without", "with", "busy", "C·V² µJ", "by kind µJ")
    for name in heads:
        table.add_column(name, justify="left" if name == "point" else "right", no_wrap=True)
    for one in found.at:
        energies = (one.costly.capacitive_uj, one.costly.by_kind_uj)
        busy = one.utilisation
        table.add_row(
            one.point.name,
            f"{one.point.core_hz / 1e6:g}",
            f"{one.point.supply_mv / 1000:g}",
            _word(one.without),
            _word(one.costly),
            "–" if busy is None else f"{100 * busy:.1f} %",
            *("–" if energy is None else f"{energy:,.3f}" for energy in energies),
        )
    return table


def _switches(found: ScheduleStudy) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("switches")
    for name in ("δ_t1", "δ_t2", "preemptions", "cycles", "µs", "C·V² µJ", "by kind µJ"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in found.at:
        if cost := one.switches:
            table.add_row(
                one.point.name,
                f"{one.switch.into_cycles:,}",
                f"{one.switch.back_cycles:,}",
                f"{cost.preemptions:,}",
                f"{cost.cycles:,}",
                f"{cost.us:,.2f}",
                f"{cost.capacitive_uj:,.3f}",
                f"{cost.by_kind_uj:,.3f}",
            )
    return table


def _word(judged: Judged) -> str:
    if judged.is_feasible:
        return "feasible"
    misses = len(judged.schedule.misses) if judged.schedule else 0
    return f"{misses:,} late" if misses else "late"


def _responses(found: ScheduleStudy, at: AtPoint) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(f"task at {at.point.name}")
    for name in ("C cycles", "T µs", "D µs", "longest response µs", "without switches"):
        table.add_column(name, justify="right", no_wrap=True)
    for index, task in enumerate(found.tasks.task):
        responses = (at.costly.responses_us[index], at.without.responses_us[index])
        table.add_row(
            Text(task.name),
            f"{task.execution_cycles:,}",
            f"{task.period_us:,}",
            f"{task.due_us:,}",
            *("not over" if one is None else format_number(one, 2) for one in responses),
        )
    return table


def _timeline(found: ScheduleStudy, made: Hyperperiod, point: str) -> str:
    """A line for each task: █ executes, ▒ switches, over equal parts of the hyperperiod."""
    width = max(len(task.name) for task in found.tasks.task)
    lines = [f"timeline at {point}: █ executes, ▒ is switched into or back to"]
    for index, task in enumerate(found.tasks.task):
        own = [one for one in made.stretches if one.task == index]
        lines.append(f"{task.name:>{width}} {''.join(_cells(own, made.end))}")
    lines.append(f"{'':>{width}} 0{found.tasks.hyperperiod_us:>{COLUMNS - 1},} µs")
    return "\n".join(lines)


def _cells(stretches: list[Stretch], end: int) -> list[str]:
    cells = [" "] * COLUMNS
    for mark, is_switch in (("█", False), ("▒", True)):
        for one in stretches:
            if one.is_switch == is_switch:
                last = max(one.begin, one.end - 1) * COLUMNS // end
                for cell in range(one.begin * COLUMNS // end, last + 1):
                    if cells[cell] == " ":
                        cells[cell] = mark
    return cells


def drawing(found: ScheduleStudy) -> str:
    """The timeline at the cheapest feasible point (else the fastest) as an SVG picture."""
    at = found.cheapest("by_kind_uj") or found.at[-1]
    made = at.costly.schedule
    stretches = made.stretches if made else ()
    end = made.end if made else 1
    height = ROW * (len(found.tasks.task) + 2)
    scale = (WIDTH - LEFT - 20) / end
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="{LEFT}" y="18">{escape(found.tasks.board)} at {escape(at.point.name)}, '
        f"one hyperperiod of {found.tasks.hyperperiod_us:,} µs</text>",
    ]
    for index, task in enumerate(found.tasks.task):
        y = ROW * (index + 1)
        parts.append(f'<text x="4" y="{y + 18}">{escape(task.name)}</text>')
        for release_us in range(0, found.tasks.hyperperiod_us, task.period_us):
            x = LEFT + release_us * made.per_us * scale if made else LEFT
            parts.append(f'<path d="M{x:.2f} {y + 2}v{ROW - 6}" stroke="#888"/>')
    for one in stretches:
        y, fill = ROW * (one.task + 1) + 5, "#c4541a" if one.is_switch else "#0b66a8"
        x, width = LEFT + one.begin * scale, max((one.end - one.begin) * scale, 0.5)
        parts.append(f'<rect x="{x:.2f}" y="{y}" width="{width:.2f}" height="16" fill="{fill}"/>')
    y = ROW * (len(found.tasks.task) + 1) + 16
    parts.append(f'<text x="{LEFT}" y="{y}">blue executes, orange switches, grey releases</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def document(found: ScheduleStudy) -> dict[str, Any]:
    """The same for programs."""
    cheapest = {law: found.cheapest(law) for law in ("capacitive_uj", "by_kind_uj")}
    return {
        "tasks": {
            **found.tasks.model_dump(mode="json"),
            "task": [one.model_dump() | {"deadline_us": one.due_us} for one in found.tasks.task],
        },
        "costs": found.costs,
        "hyperperiod_us": found.tasks.hyperperiod_us,
        "jobs": found.tasks.jobs,
        "enumerated": found.is_enumerated,
        "points": [
            {
                "name": one.point.name,
                "core_hz": one.point.core_hz,
                "supply_mv": one.point.supply_mv,
                "switch": one.switch.model_dump(),
                "without_switches": _judged(one.without),
                "with_switches": _judged(one.costly),
                "switches": asdict(one.switches) if one.switches else None,
            }
            for one in found.at
        ],
        "cheapest": {law: one.point.name if one else None for law, one in cheapest.items()},
    }


def _judged(one: Judged) -> dict[str, Any]:
    made = one.schedule
    late = [{"task": m.task, "release_us": m.release_us} for m in made.misses] if made else None
    return {
        "feasible": one.is_feasible,
        "responses_us": list(one.responses_us),
        "preemptions": made.preemptions if made else None,
        "switch_cycles": made.cycles(is_switch=True) if made else None,
        "late": late,
        "capacitive_uj": one.capacitive_uj,
        "by_kind_uj": one.by_kind_uj,
    }
