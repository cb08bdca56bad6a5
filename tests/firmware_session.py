"""Shared by tests of the running firmware: an image on its board, queried over its wire."""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cyclescope import wire
from cyclescope.firmware import boards, probes
from cyclescope.firmware import build as firmware
from cyclescope.firmware.configuration import Configuration
from cyclescope.firmware.program import Program
from cyclescope.target.target import Truth
from cyclescope.targets.virtual.board import Board, code_fetches, make_board, read_image
from cyclescope.targets.virtual.truth import watch, witness
from cyclescope.targets.virtual.uart import UartTransport

SOURCES = Path(__file__).parent.parent / "firmware" / "kernels" / "freertos" / "cases"
CLASSES = {
    f"{function}.{condition}": source.stem
    for source in sorted(SOURCES.glob("*.c"))
    for function, condition in re.findall(r"^TIMED_\w+\((\w+), (\w+)", source.read_text(), re.M)
}
"""The file that declares each case."""
CASES = tuple(sorted(CLASSES))
FREQUENT = {
    "malloc.one_free_block",
    "queue_receive.one_message",
    "queue_send.room",
    "semaphore_give.wakes_higher",
    "semaphore_give_from_isr.wakes_higher",
    "semaphore_take.binary_full",
    "task_create.ready",
    "yield.equals",
}
DAILY = FREQUENT | {
    min(case for case, there in CLASSES.items() if there == file) for file in CLASSES.values()
}
"""Of every test run: the first case of each file, and frequent ones. `make truth` runs all."""


def params(cases: Iterable[str], daily: Container[str] = frozenset(DAILY)) -> list[Any]:
    """The cases as parameters of a test, marked `matrix` where they are not daily."""
    return [pytest.param(case, marks=() if case in daily else pytest.mark.matrix) for case in cases]


@dataclass(frozen=True)
class Witnessed:
    """A series, real or empty, sample by sample."""

    samples: list[wire.WireSample]
    truths: list[Truth]

    @property
    def raw(self) -> list[int]:
        return [sample.ticks for sample in self.samples]


def line_of(board: Board) -> UartTransport:
    """The host's end of a board's wire."""
    wire_of_board = boards.firmware_of(board.name).wire
    return UartTransport(board, boards.require(wire_of_board, board.name, "wire"))


class Session:
    """An image on its board, watched."""

    def __init__(self, configuration: Configuration) -> None:
        built = firmware.build(configuration)
        self.board = make_board(configuration.board)
        self.board.load(read_image(built.elf))
        self.probes = probes.Probes(Program(built.elf.read_bytes()))
        line = line_of(self.board)
        assert line.read(0.1) == b"\0", "the firmware greets when it begins to listen"
        self.link = wire.Link(line)
        self.hello = self.link.hello()
        self.doubt_cycles = code_fetches(self.board, built.facts.code).doubt_cycles
        self.cases = {case.name: case for case in self.link.cases()}

    def run(
        self,
        case: str,
        length: int = 10,
        x: int = 0,
        *,
        empty: bool = False,
        delay: int | None = None,
    ) -> list[wire.WireSample]:
        options = wire.Option.EMPTY if empty else wire.NO_OPTIONS
        if delay is not None:
            options |= wire.Option.UNPLACED
        index = self.cases[case].index
        return self.link.run(index, length, x, options=options, delay=delay or 0)

    def witnessed(
        self,
        case: str,
        length: int = 10,
        x: int = 0,
        *,
        empty: bool = False,
        delay: int | None = None,
    ) -> Witnessed:
        sites = getattr(self.probes.of(case), "empty" if empty else "real")
        watch(self.board, sites, self.probes.timer)
        samples = self.run(case, length, x, empty=empty, delay=delay)
        return Witnessed(samples, witness(self.board, sites, samples, self.probes.timer))


session = cache(Session)


@cache
def pairs(configuration: Configuration, case: str) -> list[tuple[Witnessed, Witnessed]]:
    """(real series, empty series) for each value of the case's parameter that fits."""
    this = session(configuration)
    found = []
    values = this.cases[case].values or (0,)
    for x in values:
        try:
            real, empty = (this.witnessed(case, 10, x, empty=empty) for empty in (False, True))
        except wire.SeriesDoesNotFit:
            continue
        found.append((real, empty))
    small = configuration.value("code") in ("sram", "internal")
    assert found and (small or len(found) == len(values))
    return found
