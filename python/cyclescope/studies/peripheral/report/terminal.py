"""Results of `cyclescope peripheral` in a terminal."""

from collections.abc import Sequence

from rich.console import Console, Group
from rich.text import Text

from cyclescope.report.terminal import aligned, heading, print_within, sentences
from cyclescope.studies.peripheral.report import matrix, opening
from cyclescope.studies.peripheral.report.beside import beside
from cyclescope.studies.peripheral.report.measured import MeasuredTransfer, measured
from cyclescope.studies.peripheral.results import PeripheralResults

MOST = 16
HEADINGS = ("Transfer", "file", "bytes", "overhead", "overruns", "lost", "s")
BESIDE = ("Stated in the paper's text", "paper", "here")
MEANING = (
    "Exact for each recording. Bytes of the line go both ways; overhead is what they have beyond "
    "the file, by its size. Lost are characters that the driver never saw."
)


def show(found: PeripheralResults, problems: list[str], console: Console) -> None:
    """Prints the matrix, the paper's numbers, and every analysis of every transfer."""
    transfers = measured(found)
    console.print(_heading(found, problems))
    console.print(_answer(transfers))
    console.print()
    console.print(aligned(HEADINGS, _rows(transfers)))
    console.print(sentences([matrix.MEANING], "dim"))
    if rows := _beside(transfers):
        console.print()
        console.print(aligned(BESIDE, rows))
    for title, sentence, lines in matrix.analyses(found):
        console.print(Text(f"\n{title}: {sentence}", style="bold"))
        for line in lines:
            console.print(Text(line))


def summarise(found: PeripheralResults, problems: list[str], console: Console) -> None:
    """Prints conditions, answer and matrix in at most 40 lines, failures whole."""
    transfers = measured(found)
    rows = _rows(transfers)
    table = aligned(HEADINGS, rows[:MOST])
    more = len(rows) - MOST
    print_within(
        [
            _heading(found, problems),
            _answer(transfers),
            Group(table, f"… and {more} more (--full)") if more > 0 else table,
            sentences([MEANING], "dim"),
        ],
        console,
    )


def _rows(transfers: Sequence[MeasuredTransfer]) -> list[tuple[str, ...]]:
    return [_row(one) for one in transfers]


def _row(one: MeasuredTransfer) -> tuple[str, ...]:
    came, size = one.outcome, one.setting.size
    sent = came.bytes_to_board + came.bytes_from_board
    return (
        f"{one.way} {size:,}",
        "same" if came.identical else "not whole",
        f"{sent:,}",
        f"{(sent - size) / size:.1%}" if came.identical else "",
        f"{came.overruns:,}",
        "?" if came.lost_to_board is None else f"{came.lost_to_board:,}",
        f"{came.seconds:.3f}",
    )


def _beside(transfers: Sequence[MeasuredTransfer]) -> list[tuple[str, ...]]:
    return [(one.label, *one.texts) for one in beside(transfers)]


def _answer(transfers: Sequence[MeasuredTransfer]) -> Group:
    return Group(
        Text(opening.answer(transfers), style="bold"), sentences(opening.points(transfers))
    )


def _heading(found: PeripheralResults, problems: list[str]) -> Group:
    errors = [Text(f"error: {one}", style="bold red") for one in problems]
    return Group(heading(matrix.conditions(found)), *errors)
