"""The console's routines at addresses of ours, across the borders of 128 KB too.

No part was asked for these counts. The board's must be those of the same rules written down a
second time (console_rules.py), which also give every recorded count.
"""

import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from agreement import console, console_rules
from agreement.console import Group
from agreement.console_image import (
    CALLEE,
    DESTINATION,
    ORIGINS,
    SOURCE,
    Column,
    Routine,
    assemble,
    columns,
)
from agreement.console_ours import ROUTINES
from agreement.console_rules import Placed, Rules
from agreement.data import Agreement, Case, load
from cyclescope.targets.virtual.board import Board, Image, read_image

NAME = "console-shifted"
BLOCK_BYTES = 0x2_0000
SPACING = {"rom": BLOCK_BYTES, "ewram": 0x800, "iwram": 0x100}
BORDERED = 0.9
"""Share of the routines in ROM into which a border falls, or which end or begin there."""


def compare(folder: Path, seeds: Sequence[int]) -> Agreement:
    """The timer's reading behind each routine, by the rules and on the board, once for a seed."""
    recorded = load(folder / console.FILE)
    cases = [case for seed in seeds for case in shifted(recorded, seed)]
    return Agreement(NAME, cases, tolerance=0)


def shifted(recorded: dict[str, Any], seed: int) -> Iterator[Case]:
    """Every routine of every column at places of this seed."""
    routines = [Routine.of(test) for test in recorded["tests"] + recorded["dma_tests"]]
    for column in columns(recorded["columns"]):
        made = [one for one in [*routines, *ROUTINES] if one.body.get(column.isa)]
        places = places_of(column, made, seed)
        frame = recorded["frame"][column.isa]
        for placed, reading in run(made, frame, column, places):
            name = f"{placed.routine.name}, {column.name}, from {placed.start:#x}"
            yield Case(name, count(placed, column, Rules()), reading)


def places_of(column: Column, routines: Sequence[Routine], seed: int) -> list[int]:
    """Of each routine: in ROM mostly so that a border of 128 KB falls into it."""
    chance = random.Random(f"{seed} {column.name}")
    step = 2 if column.isa == "thumb" else 4
    origin, spacing = ORIGINS[column.memory], SPACING[column.memory]
    places = []
    for index, routine in enumerate(routines):
        lines = len(routine.setup.get(column.isa, [])) + len(routine.body[column.isa])
        bytes_before = step * chance.randrange(lines + 8)
        if column.memory != "rom" or chance.random() > BORDERED:
            bytes_before = spacing // 2 - step * chance.randrange(16)
        places.append(origin + spacing * (index + 1) - bytes_before)
    return places


def run(
    routines: list[Routine], frame: dict[str, list[str]], column: Column, places: list[int]
) -> Iterator[tuple[Placed, int]]:
    """Each routine as it lies in an image, and what the timer reads on the board."""
    board = console.make_board("nonsequential")
    with tempfile.TemporaryDirectory() as folder:
        image = read_image(assemble(Path(folder), routines, frame, column, places))
    board.load(image)
    board.reset()
    all_placed = [place(board, image, index, one) for index, one in enumerate(routines)]
    for index, placed in enumerate(all_placed):
        yield placed, console.run(board, image, index, column)


def place(board: Board, image: Image, index: int, routine: Routine) -> Placed:
    """A routine of an image whose memories are as loaded."""
    start, end = (image.address_of(f"{name}{index}") for name in ("routine", "end"))
    memory = dict(enumerate(board.read_memory(start, end - start + 0x20), start))
    if routine.callee:
        memory |= enumerate(board.read_memory(CALLEE, 4 * len(routine.callee)), CALLEE)
    return Placed(routine, start, end, memory)


def count(placed: Placed, column: Column, rules: Rules) -> int:
    """The timer's reading by the rules."""
    moves = placed.routine.moves
    buffers = {}
    if moves:
        buffers = {"from": SOURCE[moves["source"]], "to": DESTINATION[moves["destination"]]}
    return console_rules.count(placed, column, rules, buffers)


VARIANTS = {
    "all as the board has them": Rules(),
    "nothing is read ahead": Rules(reads_ahead=False),
    "an N fetch takes nothing that was read ahead": Rules(takes_first=False),
    "the buffer holds 1 halfword": Rules(capacity=1),
    "the buffer holds 3 halfwords": Rules(capacity=3),
    "the buffer holds 4 halfwords": Rules(capacity=4),
    "a full buffer does not end the burst": Rules(stops_full=False),
    "data do not wait for the last cycle of a halfword": Rules(data_wait=False),
    "a fetch from elsewhere does not either": Rules(branch_wait=False),
    "an N fetch behind a fetch goes on with the burst": Rules(begins_late=False),
    "a burst crosses 128 KB": Rules(blocks=False),
    "the fetch behind an I cycle is S": Rules(internal_breaks=False),
    "DMA asks 1 cycle after its store": Rules(delay_cycles=1),
    "DMA asks 3 cycles after its store": Rules(delay_cycles=3),
    "the bus goes over to DMA in 2 cycles, and back in none": Rules(
        before_cycles=2, after_cycles=0
    ),
    "it goes over in none, and back in 2": Rules(before_cycles=0, after_cycles=2),
}
"""The rules, and each of them replaced."""


def variants(folder: Path) -> dict[str, list[Group]]:
    """The recorded counts beside those of each variant."""
    recorded = load(folder / console.FILE)
    routines = [Routine.of(test) for test in recorded["tests"] + recorded["dma_tests"]]
    placed = list(as_recorded(recorded, routines))
    return {text: recorded_by(placed, rules) for text, rules in VARIANTS.items()}


def recorded_by(all_placed: list[tuple[Column, list[Placed]]], rules: Rules) -> list[Group]:
    """Every recorded count beside what rules give."""
    cases: dict[str, list[Case]] = {text: [] for text in console.GROUPS}
    for column, placed in all_placed:
        counts = [count(one, column, rules) for one in placed]
        names = [one.routine.name for one in placed]
        calibration = counts[names.index(console.CALIBRATION)]
        for one, found in zip(placed, counts, strict=True):
            ours = found - (calibration if one.routine.name != console.CALIBRATION else 0)
            name = f"{one.routine.name}, {column.name}"
            case = Case(name, one.routine.expected[column.name], ours)
            cases[console.group_of(one.routine, column)].append(case)
    return [Group(text, found) for text, found in cases.items()]


def as_recorded(
    recorded: dict[str, Any], routines: list[Routine]
) -> Iterator[tuple[Column, list[Placed]]]:
    """All routines of each column where they were recorded."""
    for column in columns(recorded["columns"]):
        made = [one for one in routines if column.name in one.expected]
        board = console.make_board("nonsequential")
        with tempfile.TemporaryDirectory() as folder:
            frame = recorded["frame"][column.isa]
            image = read_image(assemble(Path(folder), made, frame, column))
        board.load(image)
        board.reset()
        yield column, [place(board, image, index, one) for index, one in enumerate(made)]
