"""An estimate as one HTML page: its figures, a flame graph, and the source with cycles."""

from collections.abc import Sequence
from html import escape
from pathlib import PurePath
from typing import Any

from cyclescope.report.page import answered, document, listed, part, table
from cyclescope.studies.estimate import tree
from cyclescope.studies.estimate.estimating import EstimatedProgram
from cyclescope.studies.estimate.pricing_way import PricingWay
from cyclescope.studies.estimate.report import tables
from cyclescope.studies.estimate.report.terminal import ALL, doubts
from cyclescope.studies.estimate.tree import LineCost

HERE = __package__


def page(found: EstimatedProgram) -> str:
    """The whole page; it asks nothing of the network."""
    selection, application = found.asked.selection, found.asked.application
    program = " ".join(one.name for one in application.sources)
    settings = [f"{name} {value}" for name, value in selection.settings.items()]
    under = ", ".join([selection.board, *settings, selection.kernel, application.level])
    used = dict.fromkeys(text for one in found.here for text in one.used)
    data: dict[str, Any] = {}
    where = ""
    if found.shown is not None and found.shown.estimate is not None:
        estimate, total = found.shown.estimate, found.shown.estimate.cycles
        root = tree.tree(found.program.counts, estimate)
        data = {"way": estimate.way, "tree": root.document()}
        parts = [one for one in tree.functions(root) if one.own_cycles]
        functions = [one for one in parts if not one.is_call]
        calls = [one for one in parts if one.is_call]
        where = "".join(
            f"<h3>{name}</h3>{_scrolled(tables.FUNCTIONS, tables.functions(one, total, ALL))}"
            for name, one in (("The program's own functions", functions), ("Calls", calls))
            if one
        )
        costs = tree.lines(found.program.counts, estimate)
        where += "".join(_listing(file, costs[file], total) for file in sorted(costs))
    return document(
        part("estimate.html", HERE),
        title=f"Estimate of {program}",
        conditions=[],
        opening=answered(under, _answer(found)),
        data={"figures": data},
        script=part("flame.js", HERE),
        style=part("estimate.css", HERE),
        ways=table(tables.HEADINGS, tables.ways(found)),
        energy=_energy(found),
        what_if=_what_if(found),
        doubts=listed(doubts(found)),
        where=where,
        used=listed(list(used)),
    )


def _answer(found: EstimatedProgram) -> str:
    first = found.here[0]
    return (
        f"{tables.cycles(first.cycles)} cycles, {first.milliseconds:,.3f} ms, "
        f"{tables.share(first.share_of_calls, 1)} of them in calls"
        f"{'' if first.way is PricingWay.RUN else f', by {first.way.value}'}."
    )


def _energy(found: EstimatedProgram) -> str:
    rows = tables.energies(found)
    return _scrolled(tables.ENERGY, rows) if rows else ""


def _what_if(found: EstimatedProgram) -> str:
    if not found.asked.what_if:
        return ""
    return f"<h2>With other settings</h2>{_scrolled(tables.SETTINGS, tables.what_if(found))}"


def _scrolled(headings: Sequence[str], rows: Sequence[tables.Row]) -> str:
    """A table that a narrow window scrolls."""
    return f"<div class='scroll'>{table(headings, rows)}</div>"


def _listing(file: str, costs: dict[int, LineCost], total: float) -> str:
    text = tree.text_of(file)
    if not text or not any(one.cycles for one in costs.values()):
        return ""
    rows = "".join(
        _line(number, line, costs.get(number), total) for number, line in enumerate(text, 1)
    )
    head = "".join(
        f"<th>{one}</th>" for one in ("line", "times", "cycles", "of calls", "share", "source")
    )
    return (
        f"<h3>{escape(PurePath(file).name)}</h3><div class='scroll'><table class='source'>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _line(number: int, line: str, cost: LineCost | None, total: float) -> str:
    figures = ["", "", "", ""]
    heat = 0.0
    if cost is not None:
        costs = (cost.own_cycles, cost.call_cycles)
        figures = [f"{cost.times:,}", *(f"{one:,.0f}" if one else "" for one in costs)]
        figures.append(tables.share(cost.cycles, total) if cost.cycles else "")
        heat = cost.cycles / total if total else 0.0
    cells = "".join(f"<td>{one}</td>" for one in figures)
    return (
        f"<tr style='--heat: {min(3 * heat, 0.6):.3f}'><td>{number}</td>{cells}"
        f"<td><pre>{escape(line)}</pre></td></tr>"
    )
