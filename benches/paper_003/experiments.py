"""Experiments: the program of a recording, executed on the virtual ATmega2560, as edges of its pin.

All rows are one program, the one that `cyclescope time` writes for a board of flesh and solder: the
points of every row, one row after the other, again and again. The board executes every experiment.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cyclescope.firmware import boards, build
from cyclescope.firmware.build import Built
from cyclescope.firmware.configuration import Configuration
from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.targets.virtual.board import Board, Image, make_board

from rows import Row

BOARD, CLOCK_MHZ = "atmega2560", 1
CORE_HZ = CLOCK_MHZ * 1_000_000
REFERENCE = "portb.p5"
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
