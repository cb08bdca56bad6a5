"""Experiments: the program of a recording, executed on the virtual ATmega2560, as edges of its pin.

All rows are one program: the points of every row, one row after the other, again and again.
`cyclescope time --program` writes the same one for a real board. The board executes every
experiment.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rows import Row

from cyclescope.firmware import boards, build
from cyclescope.firmware.configuration import Configuration
from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.targets.virtual.board import Board, Image, make_board

BOARD, CLOCK_MHZ = "atmega2560", 1
CORE_HZ = CLOCK_MHZ * 1_000_000
REFERENCE = "ports.pb5"
EXAMPLES = boards.FOLDER.parent / "examples" / "fragments"
SLICE_CYCLES = 20_000_000

Cycles = NDArray[np.int64]


@dataclass(frozen=True)
class Program:
    """An image with all rows, and the pulses of one experiment."""

    elf: bytes
    pulses: int


def program(rows: Sequence[Row], seed: int, file: Path = EXAMPLES / "hundred_cycles.c") -> Program:
    """Builds the program; `seed` decides the random times between its pulses."""
    plans = tuple((f"row{number}", row.points) for number, row in enumerate(rows))
    made = build.build(
        Configuration(
            board=BOARD,
            kernel="bare",
            settings={"timer": "pin", "clock": CLOCK_MHZ},
            fragment=FragmentSource(file=file, plans=plans, call="hundred_cycles"),
            workload="recording",
            parameters=(
                ("MEASUREMENTS", "_".join(str(row.measurements) for row in rows)),
                ("SEED", seed),
            ),
        )
    )
    return Program(made.elf.read_bytes(), sum(row.measurements for row in rows))


def executed(made: Program, count: int) -> Iterator[tuple[Cycles, Cycles]]:
    """Executes so many experiments. Yields, as they come, the edges of whole ones, experiments ×
    edges, and the edges of the reference: cycles of the board."""
    board = _started(made)
    pin, left = boards.require(boards.firmware_of(BOARD).pin, BOARD, "pin"), np.empty(0, np.int64)
    board.record([pin, REFERENCE])
    done, until = 0, 0
    while done < count:
        until += SLICE_CYCLES
        board.run(cycles=until)
        changes = board.take_recorded()
        of_pin = [(cycle, level) for cycle, signal, level in changes if signal == pin]
        cycles = np.array([cycle for cycle, _ in of_pin], np.int64)
        levels = np.array([level for _, level in of_pin])
        assert (levels == 1 - (len(left) + np.arange(len(levels))) % 2).all(), "edges alternate"
        left = np.concatenate([left, cycles])
        whole = min(len(left) // (2 * made.pulses), count - done)
        edges = left[: whole * 2 * made.pulses].reshape(whole, 2 * made.pulses)
        left = left[edges.size :]
        done += whole
        seconds = [cycle for cycle, signal, _ in changes if signal == REFERENCE]
        yield edges, np.array(seconds, np.int64)


def _started(made: Program) -> Board:
    board = make_board(BOARD)
    board.load(Image.from_elf(made.elf, "rows"))
    board.reset()
    return board
