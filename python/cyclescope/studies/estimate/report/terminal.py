"""An estimate in a terminal of 80 columns."""

from pathlib import PurePath

from rich.console import Console, Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from cyclescope.report.terminal import aligned, first_of, heading, print_within, sentences
from cyclescope.studies.estimate import tree
from cyclescope.studies.estimate.estimating import EstimatedProgram
from cyclescope.studies.estimate.report import tables
from cyclescope.studies.estimate.tree import TreeNode
from cyclescope.studies.estimate.ways import PricedWay

MOST_FUNCTIONS, MOST_CALLS, MOST_DOUBTS = 6, 6, 4
ALL = 10**6
LEAST_SHARE = 0.01
"""Of all cycles, for a node of the tree or a line to be shown."""
WIDE = 100


def show(
    found: EstimatedProgram, console: Console, wants_tree: bool, wants_lines: bool, full: bool
) -> None:
    """Prints the figures, then where the cycles go as far as it is asked for."""
    sections: list[RenderableType] = [_head(found), aligned(tables.HEADINGS, tables.ways(found))]
    if energies := tables.energies(found):
        sections.append(aligned(tables.ENERGY, energies))
    if found.asked.what_if:
        sections.append(aligned(tables.SETTINGS, tables.what_if(found), WIDE))
    if told := doubts(found):
        sections.append(sentences(first_of(told, ALL if full else MOST_DOUBTS), "yellow"))
    sections += _tops(found, full)
    if full or wants_tree or wants_lines:
        for number, one in enumerate(sections):
            if number:
                console.print()
            console.print(one)
    else:
        print_within(sections, console)
    shown = found.shown
    if shown is None or shown.estimate is None:
        return
    if wants_tree:
        console.print()
        root = tree.tree(found.program.counts, shown.estimate)
        console.print(_tree(root, root.cycles, full))
    if wants_lines:
        _show_lines(found, shown, console, full)


def _head(found: EstimatedProgram) -> RenderableType:
    selection, application = found.asked.selection, found.asked.application
    settings = [f"{name} {value}" for name, value in selection.settings.items()]
    used = dict.fromkeys(text for one in found.here for text in one.used)
    return heading(
        [
            (
                "program",
                f"{' '.join(one.name for one in application.sources)}, {application.level}",
            ),
            ("board", ", ".join([selection.board, *settings, selection.kernel])),
            ("used", "; ".join(used)),
        ]
    )


def doubts(found: EstimatedProgram) -> list[str]:
    """What to doubt, of the run on this machine and of each way."""
    own = [f"{one.way.value}: {doubt}" for one in found.here for doubt in one.doubts]
    known = {doubt for one in found.here for doubt in one.doubts}
    own += [
        f"{one.label}, {one.way.value}: {doubt}"
        for one in found.priced
        for doubt in one.doubts
        if doubt not in known
    ]
    unpriced = [
        f"calls without a law of their condition, {tables.share(cost, one.cycles)} of all cycles "
        f"by {one.way.value}: {text}"
        for one in found.here
        for text, cost in _unpriced(one)
    ]
    return list(dict.fromkeys([*found.doubts, *own, *unpriced]))


def _unpriced(one: PricedWay) -> list[tuple[str, float]]:
    """How calls without a law were priced, and their cycles; the dearest first."""
    calls = one.estimate.unpriced if one.estimate is not None else ()
    return [(f"{call.times:,} of {call.callee}: {call.fallback}", call.cycles) for call in calls]


def _tops(found: EstimatedProgram, full: bool) -> list[RenderableType]:
    if found.shown is None or found.shown.estimate is None:
        return []
    estimate = found.shown.estimate
    parts = tree.functions(tree.tree(found.program.counts, estimate))
    own = [one for one in parts if not one.is_call and one.own_cycles]
    calls = [one for one in parts if one.is_call]
    made: list[RenderableType] = []
    for name, listed, most in (("function", own, MOST_FUNCTIONS), ("call", calls, MOST_CALLS)):
        if listed:
            rows = tables.functions(listed, estimate.cycles, ALL if full else most)
            made.append(aligned((f"{name} ({estimate.way})", *tables.FUNCTIONS[1:]), rows))
    return made


def _tree(root: TreeNode, total: float, full: bool) -> Tree:
    def label(node: TreeNode) -> Text:
        calls = "" if node.is_call else f", calls {tables.share(node.cycles_of_calls, node.cycles)}"
        name = f"{node.name}()" if node.is_call and node.name.isidentifier() else node.name
        return Text(
            f"{name}  {tables.cycles(node.cycles)}  {tables.share(node.cycles, total)}{calls}",
            style="cyan" if node.is_call else "",
        )

    made = Tree(label(root))
    waiting = [(root, made)]
    while waiting:
        node, above = waiting.pop()
        shown = [one for one in node.below if full or one.cycles >= LEAST_SHARE * total]
        waiting += [(one, above.add(label(one))) for one in shown]
        if rest := len(node.below) - len(shown):
            above.add(Text(f"{rest} more below {LEAST_SHARE:.0%} (--full)", style="dim"))
    return made


def _show_lines(found: EstimatedProgram, shown: PricedWay, console: Console, full: bool) -> None:
    assert shown.estimate is not None
    total = shown.estimate.cycles
    for file, costs in tree.lines(found.program.counts, shown.estimate).items():
        text = tree.text_of(file)
        if not text or not any(one.cycles for one in costs.values()):
            continue
        rows: list[RenderableType] = [
            Text(PurePath(file).name, style="bold"),
            Text(f"{'times':>10} {'cycles':>11} {'of calls':>11} {'share':>6}  line", style="dim"),
        ]
        for number, line in enumerate(text, 1):
            cost = costs.get(number)
            if not full and (cost is None or cost.cycles < LEAST_SHARE / 10 * total):
                continue
            figures = f"{'':41}"
            if cost is not None:
                figures = f"{cost.times:>10,} {cost.own_cycles:>11,.0f} {cost.call_cycles:>11,.0f}"
                figures += f" {tables.share(cost.cycles, total):>6}"
            row = Text(f"{figures} {number:>4} {line.strip()}", no_wrap=True, overflow="ellipsis")
            rows.append(row)
        console.print()
        console.print(Group(*rows))
