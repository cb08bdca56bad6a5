"""`cyclescope run`: any image on any board, with exact cycle counts."""

from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from cyclescope.cli.option_groups import grouped
from cyclescope.cli.options import Energy, Json
from cyclescope.errors import WrongUsage
from cyclescope.studies.run import measure, report, start, until
from cyclescope.studies.run.addresses import require_readable
from cyclescope.studies.run.instruments.options import InstrumentOptions
from cyclescope.studies.run.linux.options import LinuxOptions
from cyclescope.studies.run.options import Dump, OutsideOptions, ProgramOptions
from cyclescope.targets.virtual.board import Bench, Board, make_board, read_file
from cyclescope.targets.virtual.kept import MIB, Kept
from cyclescope.targets.virtual.lines.line import Line, open_lines
from cyclescope.targets.virtual.lines.traffic import Traffic
from cyclescope.targets.virtual.vcd import Waves

if TYPE_CHECKING:
    from cyclescope.studies.run.account import Account
    from cyclescope.studies.run.gdb.session import GdbSession
    from cyclescope.studies.run.instruments.instrument import Attached
    from cyclescope.studies.run.linux.follower import Follower


@grouped
def command(
    program: ProgramOptions,
    outside: OutsideOptions,
    instruments: InstrumentOptions,
    linux: LinuxOptions,
    dump: Dump = None,
    energy: Energy = False,
    json: Json = False,
) -> None:
    """Run an image on a virtual board and say how long it took.

    Cycle 0 precedes the first fetch at the entry; filling the pipeline counts. Exit status: 0 when
    an --until condition ended the run, or the default bound if no condition was given. The guest's
    own status after a semihosting exit, 124 when the bound came before the condition, 125 when the
    guest faulted or a device in Python failed.
    """
    if program.bench is not None:
        _refuse_beside_bench(program, outside, instruments, linux)
        raise typer.Exit(_run_bench(program.bench, program, outside, dump or [], energy, json))
    outside.refuse_replay_under_gdb()
    board = make_board(program.board)
    begun = start.load(board, program, linux, instruments)
    end = until.parse(program.until or [], begun.image)
    for item in dump or []:
        require_readable(board, item)
    measure.serve_semihosting(board, outside)
    account = _account(board, begun.path) if energy else None
    counting = instruments.made(board, begun.path, outside.gdb is not None, begun.follower)
    board.reset(begun.entry)
    led = _led(outside.gdb, board, begun, counting)
    kept_bytes = outside.keep_mib * MIB if json else 0
    waves = _waves(outside, [(board.name, board)])
    lines = open_lines(board, outside.uarts, json, kept_bytes, outside.file_limit_bytes)
    traffic = Traffic(lines, "cycles", outside.record, outside.replay)
    console = Kept(kept_bytes) if json else None
    stop = measure.run(board, end, program.stop_on_exception, traffic, console, waves, *led)
    outcome = measure.outcome(board, stop, dump or []) | begun.outcome()
    outcome |= {"remarks": traffic.remarks(), **_measured(account, counting)}
    _tell(outcome, console, lines[: len(outside.uarts)])
    raise typer.Exit(until.exit_code(stop, end))


def _measured(account: "Account | None", counting: "list[Attached]") -> dict[str, Any]:
    energy = {"energy": account.document()} if account else {}
    return energy | {one.key: one.document() for one in counting if one.is_attached}


# A session, an account and a bench read files that other runs do not, and load what reads them.


def _led(
    where: str | None, board: Board, begun: start.Start, counting: "list[Attached]"
) -> "tuple[GdbSession | None, Follower | None]":
    """gdb's session at `where`; without one what follows Linux."""
    if where is None:
        return None, begun.follower
    from cyclescope.studies.run.gdb.session import GdbSession

    return GdbSession(board, where, begun.entry, begun.path, counting), None


def _account(board: Board, image: Path | None) -> "Account":
    from cyclescope.studies.run.account import Account

    return Account(board, read_file(image) if image else None)


def _waves(outside: OutsideOptions, boards: list[tuple[str, Board]]) -> Waves | None:
    if outside.vcd is None:
        if outside.vcd_signals:
            raise WrongUsage(
                "--vcd-signals chooses what --vcd FILE holds: give both, or neither",
                code="signals-without-vcd",
            )
        return None
    return Waves(outside.vcd, boards, outside.vcd_signals or [])


def _refuse_beside_bench(
    program: ProgramOptions,
    outside: OutsideOptions,
    instruments: InstrumentOptions,
    linux: LinuxOptions,
) -> None:
    from cyclescope.studies.run import bench

    bench.refuse_what_the_file_says(program, outside, instruments, linux)


def _run_bench(
    path: Path,
    program: ProgramOptions,
    outside: OutsideOptions,
    dump: list[str],
    energy: bool,
    json: bool,
) -> int:
    if energy:
        raise WrongUsage("--energy is of one board: run it without --bench", code="energy-of-bench")
    from cyclescope.studies.run import bench, bench_file

    file = bench_file.read(path)
    placed = bench.seats(path, file, program, outside)
    for item in dump:
        for seat in placed.values():
            require_readable(seat.board, item)
    boards = [(name, seat.board) for name, seat in placed.items()]
    together = Bench(boards, file.wires, file.baud, file.channels)
    kept_bytes = outside.keep_mib * MIB if json else 0
    waves = _waves(outside, boards)
    lines = bench.open_lines(placed, file, outside, json, kept_bytes)
    traffic = Traffic(lines, "attoseconds", outside.record, outside.replay)
    consoles = {name: Kept(kept_bytes) for name in placed} if json else None
    ending = bench.run(together, placed, program.stop_on_exception, traffic, consoles, waves)
    outcome = bench.outcome(together, placed, ending, dump)
    outcome["remarks"] += traffic.remarks()
    if consoles is not None:
        for name, console in consoles.items():
            outcome["remarks"] += console.remarks(f"semihosting of {name}")
            outcome["boards"][name]["semihosting"] = console.text("utf-8")
        peers = lines[: len(file.peer)]
        outcome["uart"] = {line.signals: line.captured.text("latin-1") for line in peers}
        print(dumps(outcome))
    else:
        report.show_bench(outcome)
    return bench.exit_code(ending, placed)


def _tell(outcome: dict[str, Any], console: Kept | None, lines: list[Line]) -> None:
    if console is None:
        report.show(outcome)
        return
    outcome["remarks"] += console.remarks("semihosting")
    outcome["semihosting"] = console.text("utf-8")
    outcome["uart"] = {str(line.number): line.captured.text("latin-1") for line in lines}
    print(dumps(outcome))
