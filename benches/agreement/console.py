"""Routines that a console's ARM7TDMI was timed with, run as images on the board `console`.

README.md beside the recordings defines a count. A count is what the board's own timer reads, less
what it reads without a routine: as on the part.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from agreement.console_image import DESTINATION, SOURCE, Column, Routine, assemble, columns
from agreement.data import About, Agreement, Case, load
from cyclescope.firmware import boards
from cyclescope.targets.virtual.board import Board, Image, read_image

NAME = "console"
FILE = "timing.json.gz"
ABOUT = About(
    "ARM7TDMI", "console", "the public: a test image that three consoles pass",
    "cycles between two accesses to a timer",
)  # fmt: skip

CALIBRATION = "Calibration"
GROUPS = ("without prefetch", "with prefetch", "DMA")
MOST_CYCLES = 100_000

VARIANT = """\
name = "console"
extends = "console"
[core]
kind = "arm7tdmi"
parameters = {{ variant = "ARM7TDMI", merged_is = "{merged_is}" }}
"""


class Group(NamedTuple):
    """A part of the counts: what they are, and how their cases' names end."""

    text: str
    cases: list[Case]

    @property
    def agreement(self) -> Agreement:
        return Agreement(self.text, self.cases, tolerance=0)


def compare(folder: Path, merged_is: str = "nonsequential") -> Agreement:
    """Every count beside the board's."""
    cases = [case for group in groups(folder, merged_is) for case in group.cases]
    return Agreement(NAME, cases, tolerance=0)


def groups(folder: Path, merged_is: str = "nonsequential") -> list[Group]:
    """The counts without reading ahead, those with it, and those of DMA."""
    recorded = load(folder / FILE)
    tests = [Routine.of(test) for test in recorded["tests"]]
    dma_tests = [Routine.of(test) for test in recorded["dma_tests"]]
    found: dict[str, list[Case]] = {text: [] for text in GROUPS}
    for column in columns(recorded["columns"]):
        made = [one for one in [*tests, *dma_tests] if column.name in one.expected]
        read = list(readings(made, recorded["frame"][column.isa], column, merged_is))
        calibration = read[[one.name for one in made].index(CALIBRATION)]
        for routine, reading in zip(made, read, strict=True):
            ours = reading - (calibration if routine.name != CALIBRATION else 0)
            case = Case(f"{routine.name}, {column.name}", routine.expected[column.name], ours)
            found[group_of(routine, column)].append(case)
    return [Group(text, cases) for text, cases in found.items()]


def group_of(routine: Routine, column: Column) -> str:
    """Which of the groups a count belongs to."""
    if routine.moves:
        return "DMA"
    return "with prefetch" if column.reads_ahead else "without prefetch"


def readings(
    routines: list[Routine], frame: dict[str, list[str]], column: Column, merged_is: str
) -> Iterator[int]:
    """For each routine what the timer reads behind it."""
    board = make_board(merged_is)
    with tempfile.TemporaryDirectory() as folder:
        image = read_image(assemble(Path(folder), routines, frame, column))
    board.load(image)
    for index in range(len(routines)):
        yield run(board, image, index, column)


def run(board: Board, image: Image, index: int, column: Column) -> int:
    """The timer's reading behind a routine of an image."""
    board.reset(image.address_of(f"test{index}"))
    ends = image.address_of(f"end{index}")
    stop = board.run(pcs=[ends], cycles=MOST_CYCLES)
    if stop["reason"] != "pc":
        raise ValueError(f"routine {index} of {column.name} does not end in {MOST_CYCLES} cycles")
    return board.registers()["r2"]


def make_board(merged_is: str) -> Board:
    """The board of this checkout, whose core issues fetches after I cycles so."""
    bases = {"console": boards.path_of("console").read_text()}
    return Board(VARIANT.format(merged_is=merged_is), "console", bases)


def moved(folder: Path) -> bool:
    """Whether the board's DMA moves what the recordings' tests say, from memory to memory."""
    recorded = load(folder / FILE)
    column = next(one for one in columns(recorded["columns"]) if one.name == "arm_ewram")
    routines = [Routine.of(test) for test in recorded["dma_tests"]]
    board = make_board("nonsequential")
    with tempfile.TemporaryDirectory() as target:
        made = assemble(Path(target), routines, recorded["frame"][column.isa], column)
        image = read_image(made)
    board.load(image)
    data = bytes(range(1, 65))
    board.load_bytes(SOURCE["rom"], data)
    for index, routine in enumerate(routines):
        run(board, image, index, column)
        moves: dict[str, Any] = routine.moves
        length = moves["count"] * moves["width"] // 8
        if moves["destination"] == "rom":
            continue
        if board.read_memory(DESTINATION[moves["destination"]], length) != data[:length]:
            return False
    return True
