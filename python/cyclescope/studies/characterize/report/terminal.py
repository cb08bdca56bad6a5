"""The table in a terminal of 80 columns, under its conditions."""

from rich.console import Console, Group
from rich.text import Text

from cyclescope.report.terminal import heading, sentences, titled
from cyclescope.studies.characterize.findings import Characterization
from cyclescope.studies.characterize.report.provenance import among, headline, meaning
from cyclescope.studies.characterize.report.rows import headings, refusal, rows

WIDTHS = (6, 19, 6, 14, 8, 7, 13)
WIDTHS_WITH_ENERGY = (6, 15, 5, 12, 6, 6, 9, 13)


def show(found: Characterization, console: Console) -> None:
    """Prints conditions, table, and what must be said about the figures."""
    console.print(heading(headline(found)))
    console.print()
    console.print(_table(found))
    console.print()
    console.print(sentences(_footnotes(found)))
    for sentence in found.problems:
        console.print(Text(f"error: {sentence}", style="bold red"))


def _table(found: Characterization) -> Group:
    """Two lines for each case: what it is, and its figures."""
    shown, head = rows(found), headings(found)[1:]
    usual = WIDTHS if len(head) == len(WIDTHS) else WIDTHS_WITH_ENERGY
    lines = []
    for row in shown:
        name = Text(row.name, style="bold red" if row.problem else "bold")
        told = row.call if row.form == "constant" else f"{row.call} [{row.form}]"
        lines.append((name.append(f"  {told}", style="not bold dim"), row.figures))
    return titled(head, usual, lines)


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
