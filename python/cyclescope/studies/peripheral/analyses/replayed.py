"""Replays of a transfer: its intervals, the bytes in them, and the names of all code."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from cyclescope.studies.peripheral import transfer as transfers
from cyclescope.studies.peripheral.analyses.by_class import Bytes
from cyclescope.studies.peripheral.board_system import LinkedSystem, linux
from cyclescope.studies.peripheral.transfer import Transfer
from cyclescope.studies.run.instruments.symbols import Symbols
from cyclescope.studies.run.linux.follower import Follower
from cyclescope.targets.virtual.board import Board


class CountedPart(NamedTuple):
    """An interval of a replay: what was counted in it, and the instructions that the board ran."""

    since: int
    until: int
    instructions: int
    counted: Any


class Parts(NamedTuple):
    """The intervals before, in and after the steady state; together all of the transfer."""

    before: CountedPart
    steady: CountedPart
    after: CountedPart


def names(transfer: Transfer) -> Symbols:
    """All functions where they lie when the steady state begins."""
    return _names(transfer.folder, transfer.steady[0])


@lru_cache(maxsize=1)
def _names(folder: Path, cycle: int) -> Symbols:
    replay = transfers.load(folder).replay()
    if isinstance(replay.system, LinkedSystem):
        return replay.system.symbols()
    follower = Follower(replay.board, linux(replay.system))
    replay.run_to(cycle, follower.run_to)
    return follower.symbols()


def boundaries(transfer: Transfer) -> tuple[int, int, int, int]:
    """Cycles: before the first byte is read for the line, the steady state, the last byte's end."""
    cycles = transfer.wire_bytes.cycles
    begin, end = transfer.steady
    # The USART takes a byte from memory up to a frame before it sends it.
    first = min(int(cycles[0]) - 2 * transfer.record.frame_cycles, begin)
    return first, begin, end, max(int(cycles[-1]), end)


def moved(transfer: Transfer, since: int, until: int) -> Bytes:
    """Bytes of the line that came to their end after `since`, up to `until`, and of the file."""
    found = transfer.wire_bytes
    there = (found.cycles > since) & (found.cycles <= until)
    to_board = int((there & found.to_board).sum())
    return Bytes(to_board, int(there.sum()) - to_board, transfer.setting.size)


def counted(transfer: Transfer, attach: Callable[[Board], Callable[[], Any]]) -> Parts:
    """Replays the transfer and returns what was counted in each interval.

    `attach` attaches instruments. It returns what takes their counts and lets them count from 0.
    """
    replay = transfer.replay()
    board = replay.board
    first, *ends = boundaries(transfer)
    replay.run_to(first)
    take = attach(board)
    found = []
    for end in ends:
        since, instructions = board.cycle, board.instructions
        replay.run_to(end)
        found.append(CountedPart(since, board.cycle, board.instructions - instructions, take()))
    return Parts(*found)
