"""Explanations in at most 40 lines: one call by function, or a line for each call."""

from collections.abc import Mapping, Sequence

from rich.console import Console, Group
from rich.text import Text

from cyclescope.report.provenance import brief_lines
from cyclescope.report.terminal import aligned, heading, print_within, sentences
from cyclescope.studies.explain.explanation import KINDS, Explanation, Spent
from cyclescope.studies.explain.report.terminal import (
    HEADINGS,
    MEANING,
    energy_sentences,
    interrupts_sentence,
    sum_sentence,
    titled_call,
)
from cyclescope.target.case import Case
from cyclescope.target.conditions import Conditions

MOST_FUNCTIONS, MOST_CALLS = 12, 20
WHOLE = "Everything: --full."


def summarise(
    found: Sequence[Explanation],
    cases: Mapping[str, Case],
    conditions: Conditions,
    console: Console,
) -> None:
    """Prints the conditions, then where the cycles go."""
    told = [_one(found[0], cases, conditions)] if len(found) == 1 else [_each(found)]
    meaning = sentences([f"{MEANING} {WHOLE}"], "dim")
    print_within([heading(brief_lines(conditions)), *told, meaning], console)


def _one(one: Explanation, cases: Mapping[str, Case], conditions: Conditions) -> Group:
    functions = sorted(one.functions, key=lambda function: -function.spent.total)
    rows = [_row(function.name, function.spent) for function in functions[:MOST_FUNCTIONS]]
    if others := functions[MOST_FUNCTIONS:]:
        rest = sum((function.spent for function in others), Spent())
        rows.append(_row(f"{len(others)} other functions", rest))
    rows.append(_row("all", one.spent))
    return Group(
        titled_call(one, cases[one.case]),
        aligned(_headings("function"), rows),
        Text(sum_sentence(one, conditions)),
        Text(interrupts_sentence(one, conditions)),
        *map(Text, energy_sentences(one)),
    )


def _each(found: Sequence[Explanation]) -> Group:
    rows = [_row(_name(one), one.spent) for one in found[:MOST_CALLS]]
    more = [f"… and {len(found) - MOST_CALLS} more (--full)"] if len(found) > MOST_CALLS else []
    return Group(aligned(_headings("call, entry to return"), rows), *more)


def _name(one: Explanation) -> str:
    return one.case if one.parameter is None else f"{one.case}, x = {one.parameter}"


def _headings(first: str) -> tuple[str, ...]:
    return (first, "cycles", *(HEADINGS[kind] for kind in KINDS))


def _row(name: str, spent: Spent) -> tuple[str, ...]:
    return (name, f"{spent.total:,}", *(f"{getattr(spent, kind):,}" for kind in KINDS))
