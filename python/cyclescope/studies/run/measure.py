"""Loads a program into a virtual board, runs it, and gathers what it took."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cyclescope.errors import CyclescopeError
from cyclescope.studies.run.addresses import address, dumped_range
from cyclescope.studies.run.options import OutsideOptions
from cyclescope.studies.run.until import Until
from cyclescope.targets.virtual.board import Board, Image, Stop, read_file, read_image
from cyclescope.targets.virtual.kept import Kept
from cyclescope.targets.virtual.lines.traffic import Traffic
from cyclescope.targets.virtual.vcd import Waves

if TYPE_CHECKING:  # they read ELF files, which no other run does
    from cyclescope.studies.run.gdb.session import GdbSession
    from cyclescope.studies.run.linux.follower import Follower

SLICE_CYCLES = 1_000_000


def load(board: Board, image: Path | None, raw: Sequence[str]) -> Image | None:
    """Loads the image and each `FILE@ADDRESS`; returns the image. Refuses if there is nothing."""
    if image is None and not raw:
        raise CyclescopeError(
            "there is nothing to run: give --image FILE.elf or --load FILE@ADDRESS",
            code="nothing-to-run",
        )
    program = None
    if image is not None:
        program = read_image(image)
        board.load(program)
    for item in raw:
        file, at, start = item.rpartition("@")
        if not at:
            raise CyclescopeError(
                f"--load {item} has no address: write it as FILE@ADDRESS",
                code="load-without-address",
            )
        board.load_bytes(address(start, "--load"), read_file(Path(file)))
    return program


def serve_semihosting(board: Board, outside: OutsideOptions, shared: bool = False) -> None:
    """Serves the guest's calls of the host, if the options ask for it. Where boards would share
    standard input, none reads it."""
    if outside.semihosting or outside.semihosting_root:
        root = str(outside.semihosting_root) if outside.semihosting_root else None
        board.enable_semihosting(
            root=root,
            stdin=b"" if shared else _console_input(outside.uarts),
            file_bytes=outside.file_limit_bytes,
            files=outside.most_files,
        )


def _console_input(uarts: Sequence[str]) -> bytes | None:
    """None lets the guest read standard input; asked for in vain it would wait for ever."""
    taken = any(line.endswith("=stdio") for line in uarts)
    return b"" if taken or sys.stdin is None or sys.stdin.isatty() else None


def run(
    board: Board,
    until: Until,
    stop_on_exception: bool,
    traffic: Traffic,
    console: Kept | None,
    waves: Waves | None,
    session: "GdbSession | None" = None,
    follower: "Follower | None" = None,
) -> Stop:
    """Runs in slices, between which bytes go from and to the outside; without a `console` what the
    guest prints is printed. With a session, gdb controls the run first; a follower takes notice of
    what Linux loads. Closes the lines and the waves."""
    try:
        if session is not None:
            ended = session.control(
                until, stop_on_exception, lambda: _exchange(board, traffic, console, waves)
            )
            if ended:
                return ended
        while True:
            stop = board.run(
                cycles=traffic.bound(min(board.cycle + SLICE_CYCLES, until.cycles)),
                instructions=until.instructions,
                pcs=[*until.pcs, *(follower.pcs if follower else ())],
                stop_on_exception=stop_on_exception,
            )
            came = _exchange(board, traffic, console, waves)
            if stop["reason"] == "output":
                continue
            if follower and stop["reason"] == "pc" and stop["pc"] in follower.pcs:
                follower.stopped(stop["pc"])
                if stop["pc"] not in until.pcs:
                    continue
            if stop["reason"] == "asleep" and (came or traffic.wait()):
                continue
            if stop["reason"] != "cycles" or stop["cycle"] >= until.cycles:
                return stop
    finally:
        traffic.close()
        if waves:
            waves.close()


def _exchange(board: Board, traffic: Traffic, console: Kept | None, waves: Waves | None) -> bool:
    print_console(board, console)
    came = traffic.exchange(board.cycle, board.seconds(board.cycle))
    if waves:
        waves.take()
    return came


def print_console(board: Board, console: Kept | None) -> None:
    """Prints what the guest has printed, or keeps it in `console`."""
    if output := board.semihosting_output():
        if console is not None:
            console.add(output)
        else:
            sys.stdout.buffer.write(output)
            sys.stdout.buffer.flush()


def outcome(board: Board, stop: Stop, dumps: Sequence[str]) -> dict[str, Any]:
    """The time of the run, the gaps of the model, and the contents asked for."""
    found: dict[str, Any] = {
        "board": board.name,
        **stop,
        "core_hz": board.core_hz,
        "seconds": board.seconds(board.cycle),
        "unmodelled": board.unmodelled(),
        "unverified": board.unverified(),
    }
    for item in dumps:
        span = dumped_range(item)
        if span is None:
            found["registers"] = board.registers()
        else:
            memory = found.setdefault("memory", {})
            memory[f"0x{span[0]:08x}"] = board.read_memory(*span).hex()
    return found
