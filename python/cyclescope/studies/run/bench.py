"""Runs the boards of a bench file together, and gathers what each of them took."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cyclescope.errors import CyclescopeError, WrongUsage
from cyclescope.studies.run import measure, until
from cyclescope.studies.run.addresses import address
from cyclescope.studies.run.bench_file import BenchBoard, BenchFile, BenchPeer
from cyclescope.studies.run.instruments.options import InstrumentOptions
from cyclescope.studies.run.linux.options import LinuxOptions
from cyclescope.studies.run.options import OutsideOptions, ProgramOptions
from cyclescope.studies.run.until import Until
from cyclescope.targets.virtual.board import Bench, Board, Image, Stop, make_board
from cyclescope.targets.virtual.kept import Kept
from cyclescope.targets.virtual.lines.line import Line, devices, open_peer
from cyclescope.targets.virtual.lines.peer import Nobody
from cyclescope.targets.virtual.lines.traffic import Traffic
from cyclescope.targets.virtual.vcd import Waves

SLICE_AS = 10**16
"""Between two exchanges with the outside: 10 ms of the boards' time."""


@dataclass
class Seat:
    """A board on the bench, and what ends its run."""

    board: Board
    end: Until


@dataclass
class Ending:
    """How a run of a bench ended: by which board, if by one, and each board's stop."""

    by: str | None
    stops: Mapping[str, Stop]


def refuse_what_the_file_says(
    program: ProgramOptions,
    outside: OutsideOptions,
    instruments: InstrumentOptions,
    linux: LinuxOptions,
) -> None:
    """Options that a bench file has keys for mean nothing beside one, nor do those of one board."""
    instruments.refuse_of_bench()
    given = {
        "--image": program.image, "--load": program.load, "--entry": program.entry,
        "--uart": outside.uart, "--gdb": outside.gdb,
        "--linux": linux != LinuxOptions(),
    }  # fmt: skip
    if wrong := next((option for option, value in given.items() if value), None):
        raise WrongUsage(
            f"--bench and {wrong} exclude each other: the bench file says what runs where",
            code="bench-file-says-it",
        )


def seats(
    file: Path, bench: BenchFile, program: ProgramOptions, outside: OutsideOptions
) -> dict[str, Seat]:
    """The boards, loaded and reset, with the conditions of the file and of the options."""
    made: dict[str, Seat] = {}
    missing: list[CyclescopeError] = []
    for entry in bench.board:
        board = make_board(_board_of(file, entry))
        image = measure.load(
            board,
            file.parent / entry.image if entry.image is not None else None,
            [_beside(file, item) for item in entry.load],
        )
        end = until.parse(entry.until, image)
        for condition in program.until or []:
            _add(end, condition, image, missing)
        measure.serve_semihosting(board, outside, shared=True)
        board.reset(address(entry.entry, "entry") if entry.entry is not None else None)
        made[entry.name] = Seat(board, end)
    if len(missing) == len(bench.board):
        raise missing[0]
    return made


def _add(end: Until, condition: str, image: Image | None, missing: list[CyclescopeError]) -> None:
    """Adds a condition to those of a board; a symbol that its image lacks does not count there."""
    try:
        more = until.parse([condition], image)
    except CyclescopeError as error:
        if not condition.startswith("symbol="):
            raise
        missing.append(error)
        return
    end.pcs |= more.pcs
    end.exit |= more.exit
    if more.cycles_given:
        end.cycles, end.cycles_given = more.cycles, True
    if more.instructions is not None:
        end.instructions = more.instructions


def _board_of(file: Path, entry: BenchBoard) -> str:
    return str(file.parent / entry.board) if entry.board.endswith(".toml") else entry.board


def _beside(file: Path, item: str) -> str:
    return os.path.join(file.parent, item)


def open_lines(
    placed: Mapping[str, Seat],
    bench: BenchFile,
    outside: OutsideOptions,
    capture: bool,
    kept_bytes: int,
) -> list[Line]:
    """Opens the peers; lines without peer or wire are listened to. If one cannot be opened, none
    stays open."""
    lines: list[Line] = []
    wired = bench.wired
    try:
        for peer in bench.peer:
            lines.append(_line(placed, peer, wired, capture, kept_bytes, outside.file_limit_bytes))
    except BaseException:
        for line in lines:
            line.peer.close()
        raise
    taken = {line.signals for line in lines}
    for name, seat in placed.items():
        for number, device in devices(seat.board).items():
            signals = f"{name}.{device}"
            if signals in taken:
                continue
            remedy = None if f"{signals}.txd" in wired else "a [[peer]] with stdio prints them"
            quiet = Nobody(signals, remedy)
            lines.append(Line(seat.board, number, device, quiet, signals))
    return lines


def _line(
    placed: Mapping[str, Seat],
    peer: BenchPeer,
    wired: set[str],
    capture: bool,
    kept_bytes: int,
    file_bytes: int,
) -> Line:
    name, _, device = peer.line.partition(".")
    there = {
        f"{name}.{device}": (number, device)
        for name, seat in placed.items()
        for number, device in devices(seat.board).items()
    }
    if peer.line not in there:
        raise CyclescopeError(
            f"the bench has no serial line {peer.line}: choose one of {', '.join(there) or 'none'}",
            code="no-such-line",
        )
    if f"{peer.line}.rxd" in wired:
        raise CyclescopeError(
            f"{peer.line} has a peer and a wire that leads to it: leave one of them",
            code="line-with-peer-and-wire",
        )
    number, device = there[peer.line]
    opened = open_peer(peer.line, peer.line, peer.where, capture, file_bytes)
    return Line(placed[name].board, number, device, opened, peer.line, Kept(kept_bytes))


def run(
    bench: Bench,
    placed: Mapping[str, Seat],
    stop_on_exception: bool,
    traffic: Traffic,
    consoles: Mapping[str, Kept] | None,
    waves: Waves | None,
) -> Ending:
    """Runs in slices until a board ends the run; closes the lines and the waves."""
    at = 0
    try:
        while True:
            at = traffic.bound(at + SLICE_AS)
            ended = bench.run(
                until_as=at,
                cycles={name: seat.end.cycles for name, seat in placed.items()},
                instructions={
                    name: seat.end.instructions
                    for name, seat in placed.items()
                    if seat.end.instructions is not None
                },
                pcs={name: list(seat.end.pcs) for name, seat in placed.items()},
                stop_on_exception=stop_on_exception,
            )
            for name, seat in placed.items():
                measure.print_console(seat.board, consoles[name] if consoles else None)
            if waves:
                waves.take()
            by = ended["by"]
            if by is not None and ended["stops"][by]["reason"] == "output":
                at -= SLICE_AS
                continue
            came = traffic.exchange(at, at / 10**18)
            asleep = all(stop["reason"] == "asleep" for stop in ended["stops"].values())
            if by is not None or (asleep and not came and not traffic.wait()):
                return Ending(by, ended["stops"])
    finally:
        traffic.close()
        if waves:
            waves.close()


def outcome(
    bench: Bench, placed: Mapping[str, Seat], ending: Ending, dumps: Sequence[str]
) -> dict[str, Any]:
    """Gathers what each board took, and which one ended the run."""
    return {
        "by": ending.by,
        "boards": {
            name: measure.outcome(seat.board, ending.stops[name], dumps)
            for name, seat in placed.items()
        },
        "remarks": bench.remarks(),
    }


def exit_code(ending: Ending, placed: Mapping[str, Seat]) -> int:
    """Of the board that ended the run; of the first when all sleep."""
    name = ending.by or next(iter(placed))
    return until.exit_code(ending.stops[name], placed[name].end)
