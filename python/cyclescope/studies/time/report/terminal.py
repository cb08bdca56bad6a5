"""The table of a timed fragment in a terminal of 80 columns, under its conditions."""

from rich.console import Console, Group
from rich.padding import Padding
from rich.text import Text

from cyclescope.report.terminal import heading, titled
from cyclescope.studies.time.findings import FragmentStudy
from cyclescope.studies.time.report.wording import (
    HEADINGS,
    MEANING,
    answer,
    headline,
    rows,
    steps,
    truth,
    warnings,
)

WIDTHS = (16, 7, 8, 14, 11, 6, 4, 7)


def show(found: FragmentStudy, console: Console) -> None:
    """Prints conditions, the answer, the table of techniques, and what speaks against them."""
    console.print(heading(headline(found)))
    console.print()
    console.print(Text(answer(found), style="bold"))
    for sentence in (truth(found), steps(found)):
        if sentence:
            console.print(Text(sentence))
    console.print()
    console.print(_table(found))
    console.print()
    for sentence in warnings(found):
        console.print(Padding(Text(f"warning: {sentence}", style="yellow"), (0, 0, 0, 2)))
    for sentence in _footnotes(found):
        console.print(Padding(Text(sentence, style="dim"), (0, 0, 0, 2)))


def _table(found: FragmentStudy) -> Group:
    """Two lines for each technique: what it is, and its figures."""
    lines = []
    for row in rows(found):
        name = Text(f"{row.name}{' *' if row.chosen else ''}", style="bold")
        lines.append((name.append(f"  {row.sentence}", style="not bold dim"), row.figures))
    return titled(HEADINGS, WIDTHS, lines)


def _footnotes(found: FragmentStudy) -> list[str]:
    rules = ", ".join(one.rule for one in found.unverified)
    notes = [f"unverified timing rules touched: {rules} (texts in the report)"] if rules else []
    notes += [f"not modelled: {one.sentence}" for one in found.unmodelled]
    return [*notes, f"* chosen. {MEANING}"]
