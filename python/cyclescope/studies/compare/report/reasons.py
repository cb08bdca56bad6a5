"""Why times differ, by function and by kind of cycle: tables for the terminal, and their words."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cyclescope.studies.compare.attribution import Attribution, FunctionShare
from cyclescope.studies.compare.findings import Unmatched
from cyclescope.studies.explain.explanation import KINDS, Spent
from cyclescope.studies.explain.report.terminal import HEADINGS, beside_words

MEANING = (
    "Core cycles of the one call that both folders explain, B less A, exact: the functions add up "
    "to the call. Column instr.: what the core needs where every access takes one cycle. Columns "
    "fetch, data, bus: what fetches, accesses to memories and to devices took beyond. A function "
    "that executes on one side only was inlined, replaced or not called on the other."
)


@dataclass(frozen=True)
class Why:
    """The attributions, greatest difference first, and the cases that have none."""

    attributed: Sequence[Attribution]
    unexplained: Sequence[Unmatched]

    @property
    def total(self) -> Spent:
        """All calls together by kind."""
        return sum((one.spent for one in self.attributed), Spent())


def headings() -> tuple[str, ...]:
    """Headings of the cells of `cells`."""
    return ("function", "entered", "cycles", *(HEADINGS[kind] for kind in KINDS))


def cells(one: FunctionShare) -> tuple[str, ...]:
    """A function: how often it is entered in A and B, and its difference by kind."""
    side = "" if one.first and one.second else f" (only in {'A' if one.first else 'B'})"
    entered = str(one.entries[0])
    if one.entries[0] != one.entries[1]:
        entered = f"{one.entries[0]} → {one.entries[1]}"
    return (f"{one.name}{side}", entered, *figures(one.difference))


def figures(spent: Spent) -> tuple[str, ...]:
    """Signed cycles in all and by kind; nothing where there is no difference."""
    return tuple(signed(value) for value in (spent.total, *(getattr(spent, k) for k in KINDS)))


def signed(cycles: int) -> str:
    """A difference of cycles.

    >>> signed(1200), signed(-3), signed(0)
    ('+1,200', '-3', '')
    """
    return f"{cycles:+,}" if cycles else ""


def sum_sentence(one: Attribution) -> str:
    """How the parts make up the difference of the net time of this call."""
    if one.by_pair:
        return (
            f"{one.call:+,} in the call {one.beside:+,} {beside_words(one.by_pair)}: "
            f"{one.net:+,} net cycles"
        )
    probes = f", {one.net:+,} by the probes" if one.beside else ""
    return (
        f"{one.call:+,} in the call, less {one.empty_call:+,} in the empty call: "
        f"{one.call - one.empty_call:+,} net cycles{probes}"
    )


def title(one: Attribution) -> str:
    """The case and its x."""
    return one.case if one.parameter is None else f"{one.case} at x = {one.parameter}"


def summary(why: Why) -> str:
    """Every explained call together."""
    total = why.total
    parts = ", ".join(
        f"{HEADINGS[kind]} {getattr(total, kind):+,}" for kind in KINDS if getattr(total, kind)
    )
    n = len(why.attributed)
    return f"one call of each case, {n} in all: {total.total:+,} cycles ({parts or 'nothing'})"


def by_reason(why: Why) -> list[str]:
    """The cases that are not explained, by the reason."""
    reasons: dict[str, list[str]] = {}
    for one in why.unexplained:
        reasons.setdefault(one.reason, []).append(one.name)
    return [f"{reason}: {', '.join(names)}" for reason, names in reasons.items()]


def show(why: Why, console: Console) -> None:
    """Prints the sum, then each case that differs."""
    console.print()
    console.print(Text("Why", style="bold"))
    console.print(Text(summary(why)))
    for one in why.attributed:
        if any(share.difference != Spent() for share in one.functions) or one.net:
            console.print()
            console.print(Text(title(one), style="bold"))
            console.print(_table(one))
            console.print(Text(sum_sentence(one), style="dim"))
    console.print()
    for sentence in [*by_reason(why), MEANING]:
        console.print(Text(sentence))


def _table(one: Attribution) -> Table:
    shown = [i for i, name in enumerate(headings()) if i < 3 or _spends(one, KINDS[i - 3])]
    table = Table(box=None, padding=(0, 2, 0, 0))
    for i in shown:
        table.add_column(headings()[i], justify="right" if i else "left", overflow="fold")
    changed = [share for share in one.functions if share.difference != Spent()]
    lines = [cells(share) for share in changed]
    for line in [*lines, ("all", "", *figures(one.spent))]:
        table.add_row(*(Text(line[i]) for i in shown))
    return table


def _spends(one: Attribution, kind: str) -> bool:
    return any(getattr(share.difference, kind) for share in one.functions)
