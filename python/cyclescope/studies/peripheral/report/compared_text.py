"""Two peripheral results beside each other, in a terminal."""

from collections.abc import Iterator, Sequence

from rich.console import Console, Group
from rich.text import Text

from cyclescope.report.terminal import aligned, first_of, print_within, sentences
from cyclescope.studies.peripheral.compared import (
    EXACT,
    PeripheralComparison,
    Quantity,
    TransferPair,
)
from cyclescope.studies.peripheral.gate import PeripheralGate

HEADINGS = ("", "A", "B", "B - A", "B / A")
SUMMARY = ("file whole", "bytes over the line", "overruns", "transfer", "active instructions",
           "active cycles", "energy", "copies")  # fmt: skip
"""Quantities that the summary shows."""
MOST_PAIRS, MOST_SENTENCES = 3, 4
MEANING = (
    "Exact for these recordings: replays are deterministic, so a difference has no interval. Per "
    "byte means bytes through the USART in the steady state, unless it says of the file."
)


def show(found: PeripheralComparison, gate: PeripheralGate | None, console: Console) -> None:
    """Prints every quantity of every pair."""
    for pair in found.pairs:
        console.print(_block(pair, pair.quantities))
        console.print()
    console.print(sentences([*differences(found), *missing(found), MEANING]))
    console.print(_gate(gate, len(gate.broken) if gate else 0))


def summarise(found: PeripheralComparison, gate: PeripheralGate | None, console: Console) -> None:
    """Prints the most important quantities in at most 40 lines; the gate always."""
    blocks = [
        _block(pair, [one for one in pair.quantities if one.name in SUMMARY])
        for pair in found.pairs[:MOST_PAIRS]
    ]
    more = len(found.pairs) - MOST_PAIRS
    rest = [Text(f"… and {more} more transfers (--full)")] if more > 0 else []
    verdict = _gate(gate, MOST_SENTENCES)
    rest_of = [*differences(found), *missing(found)]
    remarks = sentences([MEANING, *first_of(rest_of, MOST_SENTENCES)])
    print_within([Group(*([verdict] if gate else []), blocks[0]), *blocks[1:], *rest, remarks],
                 console)  # fmt: skip


def rows(quantities: Sequence[Quantity]) -> list[tuple[str, ...]]:
    """Quantities as text: both values, difference and ratio."""
    return [
        (
            f"{one.name}, {one.unit}" if one.unit else one.name,
            _number(one.first),
            _number(one.second),
            _number(one.difference, "+"),
            "–" if one.ratio is None else f"{one.ratio:.3f}",
        )
        for one in quantities
    ]


def differences(found: PeripheralComparison) -> Iterator[str]:
    """A sentence for each exact quantity of which B has more or less than A, over all pairs."""
    for name in EXACT:
        of = [one for pair in found.pairs for one in pair.differences if one.name == name]
        if of:
            more = sum((one.difference or 0) > 0 for one in of)
            yield f"{name}: more in B in {more}, less in {len(of) - more} of {len(found.pairs)}"


def missing(found: PeripheralComparison) -> Iterator[str]:
    """Transfers that only one result has."""
    if found.only_first:
        yield f"only in A: {'; '.join(found.only_first)}"
    if found.only_second:
        yield f"only in B: {'; '.join(found.only_second)}"


def differing(pair: TransferPair) -> str:
    """The text of the settings that differ; empty if none does."""
    return ", ".join(
        f"{name.replace('_', ' ')} {values[0]} / {values[1]}"
        for name, values in pair.differing.items()
    )


def _block(pair: TransferPair, quantities: Sequence[Quantity]) -> Group:
    settings = f" ({differing(pair)})" if pair.differing else ""
    title = Text(f"{pair.name}{settings}", style="bold")
    return Group(title, aligned(HEADINGS, rows(quantities)))


def _gate(gate: PeripheralGate | None, most: int) -> Group:
    if gate is None:
        return Group()
    style = "bold red" if gate.broken else "bold green"
    return Group(Text(gate.sentence, style=style), sentences(first_of(gate.broken, max(most, 1))))


def _number(value: float | None, sign: str = "") -> str:
    if value is None:
        return "–"
    decimals = 0 if float(value).is_integer() else 2
    return format(value, f"{sign},.{decimals}f")
