"""A comparison in a terminal of 80 columns; the conditions that differ stand first."""

from collections.abc import Iterable, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from cyclescope.report.terminal import aligned, cells, fitting, heading, sentences
from cyclescope.studies.compare.findings import Change, Comparison, Systems
from cyclescope.studies.compare.gate import Gate, Outcome
from cyclescope.studies.compare.report import reasons, systems, wording
from cyclescope.studies.compare.report.reasons import Why

WIDTH = 80
HEADINGS = ("A", "B", "B / A (95 %)", "B is")
WIDTHS = (19, 19, 23, 15)
STYLES = {
    Change.SLOWER: "red",
    Change.FASTER: "green",
    Change.MIXED: "yellow",
    Change.UNKNOWN: "yellow",
    Change.NONE: "dim",
}


def show(found: Comparison, why: Why | None, gate: Gate | None, console: Console) -> None:
    """Prints differences of conditions, the cases, the facts, and what broke a rule."""
    console.print(heading(wording.agreed(found)))
    console.print(_differences(found))
    for sentence in found.warnings:
        console.print(Text(f"warning: {sentence}", style="bold yellow"))
    console.print()
    console.print(_cases(found))
    console.print()
    if found.systems:
        _systems(found, found.systems, console)
    else:
        _classes(found, console)
    console.print(sentences([*wording.unmatched(found), wording.meaning(found)]))
    if why:
        reasons.show(why, console)
    if gate:
        _gate(gate, console)


def _classes(found: Comparison, console: Console) -> None:
    """Prints the classes, and the ratio of two platforms."""
    console.print(grid(wording.CLASS_HEADINGS, map(wording.classes, found.classes)))
    console.print(sentences([*wording.class_sentences(found), wording.CLASS_MEANING]))
    console.print()
    console.print(grid(wording.PLATFORM_HEADINGS, map(wording.platform, found.platform.lines)))
    console.print(sentences([*wording.platform_sentences(found), wording.PLATFORM_MEANING]))
    console.print()


def _systems(found: Comparison, both: Systems, console: Console) -> None:
    """Prints the classes of two operating systems: times, order and laws, growth."""
    shown = systems.lines(both)
    console.print(Text(systems.counted(found), style="bold"))
    rows = [systems.times(one, found) for one in shown]
    console.print(aligned(systems.headings(found, systems.HEADINGS), rows))
    console.print()
    rows = [systems.order(one)[: systems.NARROW] for one in shown]
    console.print(aligned(systems.ORDER_HEADINGS[: systems.NARROW], rows))
    console.print()
    if both.dependences:
        console.print(Text("Dependence on load and size", style="bold"))
        console.print(sentences(systems.load_sentence(one, found) for one in both.dependences))
        console.print()
    console.print(sentences([*systems.sentences(found, both), systems.meaning(found)]))
    console.print()


def _differences(found: Comparison) -> RenderableType:
    if not found.differences:
        return Text(wording.SAME, style="bold")
    table = Table(box=None, padding=(0, 1), width=WIDTH, title="Conditions that differ",
                  title_justify="left", title_style="bold")  # fmt: skip
    for name, share in (("", 3), ("A", 4), ("B", 4)):
        table.add_column(name, ratio=share, overflow="fold")
    for one in found.differences:
        table.add_row(Text(one.name, style="dim"), Text(one.first), Text(one.second))
    return table


def _cases(found: Comparison) -> Group:
    """Two lines for each case and what is said of it: what it is, and its figures."""
    unit = found.unit.symbol
    headings = (f"A {unit}", f"B {unit}", *HEADINGS[2:])
    shown = wording.rows(found)
    widths = fitting(WIDTHS, [headings, *(_figures(row) for row in shown)])
    lines: list[RenderableType] = [cells(headings, widths), Rule(style="dim")]
    for pair, row in zip(found.pairs, shown, strict=True):
        title = Text(row.name, style="bold").append(
            f"  {row.call}; n {row.n}", style="not bold dim"
        )
        lines += [title, cells(_figures(row), widths, STYLES[pair.change])]
        lines += [Padding(Text(remark, style="dim"), (0, 0, 0, 4)) for remark in row.remarks]
    return Group(*lines)


def _figures(row: wording.PairRow) -> tuple[str, ...]:
    return (row.first, row.second, row.ratio, row.change)


def grid(headings: Sequence[str], lines: Iterable[Sequence[str]]) -> Table:
    """A small table whose first column is names."""
    table = Table(box=None, padding=(0, 1, 0, 0))
    table.add_column(headings[0], overflow="fold")
    for name in headings[1:]:
        table.add_column(name, justify="right", no_wrap=True)
    for line in lines:
        table.add_row(*map(Text, line))
    return table


def _gate(gate: Gate, console: Console) -> None:
    console.print()
    for outcome in (Outcome.NOT_JUDGED, Outcome.FAILED):
        for one in gate.of(outcome):
            style = "bold red" if outcome is Outcome.FAILED else "yellow"
            for reason in one.reasons:
                console.print(Text(f"{outcome}: {one.name}: {reason}", style=style))
    console.print(Text(f"gate {gate.sentence}", style="bold red" if gate.failed else "bold green"))
    console.print(sentences([gate.remark]))
