"""The table in a terminal of 80 columns, under its conditions."""

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from cyclescope.report.terminal import heading
from cyclescope.studies.characterize.findings import Characterization
from cyclescope.studies.characterize.report.provenance import among, headline, meaning
from cyclescope.studies.characterize.report.rows import headings, refusal, rows

WIDTHS = (7, 20, 7, 15, 9, 8, 14)
WIDTHS_WITH_ENERGY = (7, 16, 6, 13, 7, 7, 10, 14)


def show(found: Characterization, console: Console) -> None:
    """Prints conditions, table, and what must be said about the figures."""
    console.print(heading(headline(found)))
    console.print()
    console.print(_table(found))
    console.print()
    for sentence in _footnotes(found):
        console.print(Padding(Text(sentence), (0, 0, 0, 2)))
    for sentence in found.problems:
        console.print(Text(f"error: {sentence}", style="bold red"))


def _table(found: Characterization) -> Group:
    """Two lines for each case: what it is, and its figures."""
    lines: list[RenderableType] = [_line(headings(found)[1:]), Rule(style="dim")]
    for row in rows(found):
        name = Text(row.name, style="bold red" if row.problem else "bold")
        told = row.call if row.form == "constant" else f"{row.call} [{row.form}]"
        lines += [name.append(f"  {told}", style="not bold dim"), _line(row.figures)]
    return Group(*lines)


def _line(figures: tuple[str, ...]) -> Table:
    line = Table.grid(padding=(0, 0, 0, 1))
    for width in WIDTHS if len(figures) == len(WIDTHS) else WIDTHS_WITH_ENERGY:
        line.add_column(width=width - 1, justify="right", overflow="fold")
    line.add_row(*(Text(figure) for figure in figures))
    return line


def _footnotes(found: Characterization) -> list[str]:
    notes = [
        f"{row.name}: {remark}" for row in rows(found) for remark in (*row.remarks, *row.clusters)
    ]
    notes += _by_function(found)
    notes += [refusal(one) for one in found.refused]
    if found.missing:
        notes.append(f"not measured yet: {len(found.missing)} runs of the plan")
    notes += [
        f"unverified timing rules touched in {where}: {', '.join(rules)} (texts in the report)"
        for where, rules in _by_cases(found)
    ]
    notes += [f"not modelled: {one.sentence}" for one in found.unmodelled]
    return [*notes, meaning(found)]


def _by_function(found: Characterization) -> list[str]:
    """Conditions that share a model; how many functions need one for each, the report lists."""
    several = [one for one in found.functions if sum(map(len, one.models)) > 1]
    merged = [models for one in several for models in one.models if len(models) > 1]
    notes = [f"one model describes {' and '.join(names)}" for names in merged]
    if several:
        apart = sum(len(one.models) > 1 for one in several)
        notes.append(
            f"of {len(several)} functions measured under several conditions {apart} need several "
            "models (table in the report)"
        )
    return notes


def _by_cases(found: Characterization) -> list[tuple[str, list[str]]]:
    rules: dict[str, list[str]] = {}
    for one in found.unverified:
        rules.setdefault(among(found, one.cases), []).append(one.name)
    return list(rules.items())
