"""`cyclescope run`: any image on any board, with exact cycle counts."""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from cyclescope.errors import CyclescopeError, shortened
from cyclescope.studies.run.account import Account
from cyclescope.studies.run.report import show
from cyclescope.studies.run.serial_line import SerialLine, open_lines
from cyclescope.targets.virtual.board import Board, Image, Stop, make_board, read_file, read_image
from cyclescope.targets.virtual.kept import KEPT_MIB, MIB, Kept

DEFAULT_BOUND_CYCLES = 1_000_000_000
SLICE_CYCLES = 1_000_000
LARGEST_COUNT = 2**63 - 1
FILES_MIB, MOST_FILES = 64, 1000
LARGEST_MIB = 1 << 20

EXIT_BOUND = 124  # as timeout(1)
EXIT_FAULT = 125


@dataclass
class Until:
    """Where a run ends: parsed `--until` conditions, all bounded."""

    cycles: int = DEFAULT_BOUND_CYCLES
    cycles_given: bool = False
    instructions: int | None = None
    pcs: dict[int, str] = field(default_factory=dict)
    exit: bool = False


def command(
    board: Annotated[
        str, typer.Option(help="Name of a board, or a board file (.toml).")
    ] = "lpc2148",
    image: Annotated[Path | None, typer.Option(help="ELF file to load.")] = None,
    load: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE@ADDRESS", help="Raw bytes to load; repeatable."),
    ] = None,
    entry: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Where execution starts; bit 0 selects Thumb."),
    ] = None,
    until: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONDITION",
            help="pc=ADDRESS (stops before it executes), symbol=NAME, cycles=N, instructions=N or "
            f"exit; repeatable, the first met ends the run. Every run ends after "
            f"{DEFAULT_BOUND_CYCLES:,} cycles unless cycles=N says otherwise.",
        ),
    ] = None,
    semihosting: Annotated[
        bool,
        typer.Option(
            "--semihosting",
            help="Serve semihosting calls. The console reads standard input when the guest asks, "
            "unless that is a terminal or a serial line's.",
        ),
    ] = False,
    semihosting_root: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder whose regular files the guest may reach (default: none).",
        ),
    ] = None,
    uart: Annotated[
        list[str] | None,
        typer.Option(metavar="N=stdio|pty|FILE", help="Where serial line N goes; repeatable."),
    ] = None,
    dump: Annotated[
        list[str] | None,
        typer.Option(metavar="registers|ADDRESS:LENGTH", help="Print this at the end; repeatable."),
    ] = None,
    keep_mib: Annotated[
        int,
        typer.Option(
            "--keep",
            metavar="MIB",
            min=0,
            max=LARGEST_MIB,
            help="Output of each kind that --json holds at most; what is printed has no limit.",
        ),
    ] = KEPT_MIB,
    file_limit_mib: Annotated[
        int,
        typer.Option(
            "--file-limit",
            metavar="MIB",
            min=0,
            max=LARGEST_MIB,
            help="By so much the guest's files together may grow, and each file of --uart.",
        ),
    ] = FILES_MIB,
    most_files: Annotated[
        int, typer.Option("--most-files", min=0, help="Files that the guest may make.")
    ] = MOST_FILES,
    stop_on_exception: Annotated[
        bool,
        typer.Option(
            "--stop-on-exception", help="Stop at the first abort or undefined instruction."
        ),
    ] = False,
    energy: Annotated[
        bool, typer.Option("--energy", help="Show the energy by part, task and function.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object on standard output.")
    ] = False,
) -> None:
    """Run an image on a virtual board and say exactly how long it took.

    Cycle 0 precedes the first fetch at the entry; filling the pipeline counts. Exit status: 0 when
    an --until condition (or the default bound, if none was given) ended the run, the guest's own
    status after a semihosting exit, 124 when the bound came before the condition, 125 when the
    guest faulted.
    """
    machine = make_board(board)
    program = _load(machine, image, load or [])
    wanted = _until(until or [], program)
    for item in dump or []:
        _check_dump(machine, item)
    if semihosting or semihosting_root:
        root = str(semihosting_root) if semihosting_root else None
        machine.enable_semihosting(
            root=root,
            stdin=_console_input(uart or []),
            file_bytes=file_limit_mib * MIB,
            files=most_files,
        )
    account = Account(machine, read_file(image) if image else None) if energy else None
    machine.reset(_address(entry, "--entry") if entry is not None else None)
    kept_bytes = keep_mib * MIB if as_json else 0
    lines = open_lines(machine, uart or [], as_json, kept_bytes, file_limit_mib * MIB)
    console = Kept(kept_bytes) if as_json else None
    try:
        stop = _run(machine, wanted, stop_on_exception, lines, console)
    finally:
        for line in lines:
            line.close()
    outcome = _outcome(machine, stop, dump or [])
    outcome["remarks"] = [remark for line in lines for remark in line.remarks()]
    if account:
        outcome["energy"] = account.document()
    if console is not None:
        outcome["remarks"] += console.remarks("semihosting")
        outcome["semihosting"] = console.text("utf-8")
        asked = lines[: len(uart or [])]
        outcome["uart"] = {str(line.number): line.captured.text("latin-1") for line in asked}
        print(json.dumps(outcome))
    else:
        show(outcome)
    raise typer.Exit(_status(stop, wanted))


def _console_input(uart: list[str]) -> bytes | None:
    """None lets the guest read standard input; asked for in vain it would wait for ever."""
    taken = any(line.endswith("=stdio") for line in uart)
    return b"" if taken or sys.stdin is None or sys.stdin.isatty() else None


def _load(machine: Board, image: Path | None, raw: list[str]) -> Image | None:
    if image is None and not raw:
        raise CyclescopeError(
            "there is nothing to run: give --image FILE.elf or --load FILE@ADDRESS",
            code="nothing-to-run",
        )
    program = None
    if image is not None:
        program = read_image(image)
        machine.load(program)
    for item in raw:
        file, at, address = item.rpartition("@")
        if not at:
            raise CyclescopeError(
                f"--load {item} has no address: write it as FILE@ADDRESS",
                code="load-without-address",
            )
        machine.load_bytes(_address(address, "--load"), read_file(Path(file)))
    return program


def _address(text: str, option: str) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value <= 0xFFFF_FFFF:
        raise CyclescopeError(
            f"{option}: {shortened(text)!r} is not an address: write it like 0x40000000 or in "
            "decimal",
            code="not-an-address",
        )
    return value


def _until(conditions: list[str], program: Image | None) -> Until:
    wanted = Until()
    for condition in conditions:
        kind, _, value = condition.partition("=")
        if kind == "pc":
            wanted.pcs[_address(value, "--until pc") & ~1] = condition
        elif kind == "symbol":
            wanted.pcs[_symbol(program, value)] = condition
        elif kind in ("cycles", "instructions"):
            _set_count(wanted, kind, value)
        elif condition == "exit":
            wanted.exit = True
        else:
            raise CyclescopeError(
                f"--until {shortened(condition)} is not a condition: use pc=ADDRESS, symbol=NAME, "
                "cycles=N, instructions=N or exit",
                code="not-a-condition",
            )
    return wanted


def _set_count(wanted: Until, kind: str, value: str) -> None:
    digits = value.replace("_", "").lstrip("0") or value[:1]
    too_long = len(digits) > len(str(LARGEST_COUNT))
    if too_long or not digits.isdecimal() or int(digits) > LARGEST_COUNT:
        raise CyclescopeError(
            f"--until {kind}={shortened(value)} is not a count: write a whole number from 0 to "
            f"{LARGEST_COUNT}",
            code="not-a-count",
        )
    if kind == "cycles":
        wanted.cycles, wanted.cycles_given = int(digits), True
    else:
        wanted.instructions = int(digits)


def _symbol(program: Image | None, name: str) -> int:
    if program is None:
        raise CyclescopeError(
            "--until symbol=… needs an image with symbols: give --image FILE.elf",
            code="image-without-symbols",
        )
    if name not in program.symbols:
        raise CyclescopeError(
            f"the image has no symbol {name}: list them with nm", code="no-such-symbol"
        )
    return program.symbols[name][0]


def _run(
    machine: Board,
    wanted: Until,
    stop_on_exception: bool,
    lines: list[SerialLine],
    console: Kept | None,
) -> Stop:
    """Runs in slices, between which bytes go from and to the outside; without a `console` what the
    guest prints is printed."""
    while True:
        slice_end = min(machine.cycle + SLICE_CYCLES, wanted.cycles)
        stop = machine.run(
            cycles=slice_end,
            instructions=wanted.instructions,
            pcs=list(wanted.pcs),
            stop_on_exception=stop_on_exception,
        )
        if output := machine.semihosting_output():
            if console is not None:
                console.add(output)
            else:
                sys.stdout.buffer.write(output)
                sys.stdout.buffer.flush()
        for line in lines:
            line.exchange(machine)
        if stop["reason"] == "output":
            continue
        if stop["reason"] != "cycles" or stop["cycle"] >= wanted.cycles:
            return stop


def _status(stop: Stop, wanted: Until) -> int:
    if stop["reason"] == "semihosting-exit":
        return (stop["exit_code"] or 0) & 0xFF
    if stop["reason"] in ("exception", "no-handler", "asleep"):
        return EXIT_FAULT
    if stop["reason"] == "cycles":
        waited_for_more = bool(wanted.pcs or wanted.instructions is not None or wanted.exit)
        return EXIT_BOUND if waited_for_more and not wanted.cycles_given else 0
    return 0


def _dump_range(item: str) -> tuple[int, int] | None:
    """`registers` gives None, ADDRESS:LENGTH the two numbers."""
    if item == "registers":
        return None
    address, colon, length = item.partition(":")
    if not colon:
        raise CyclescopeError(
            f"--dump {item} is neither 'registers' nor ADDRESS:LENGTH", code="dump-not-understood"
        )
    return _address(address, "--dump"), _address(length, "--dump")


def _check_dump(machine: Board, item: str) -> None:
    """Refuses what could not be printed before the run rather than after it."""
    span = _dump_range(item)
    if span is not None:
        try:
            machine.read_memory(*span)
        except CyclescopeError as error:
            raise CyclescopeError(f"--dump {item}: {error.sentence}", code=error.code) from None


def _outcome(machine: Board, stop: Stop, dumps: list[str]) -> dict[str, Any]:
    outcome: dict[str, Any] = {
        "board": machine.name,
        **stop,
        "core_hz": machine.core_hz,
        "seconds": machine.seconds(machine.cycle),
        "unmodelled": machine.unmodelled(),
        "unverified": machine.unverified(),
    }
    for item in dumps:
        span = _dump_range(item)
        if span is None:
            outcome["registers"] = machine.registers()
        else:
            memory = outcome.setdefault("memory", {})
            memory[f"0x{span[0]:08x}"] = machine.read_memory(*span).hex()
    return outcome
