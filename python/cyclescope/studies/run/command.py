"""`cyclescope run`: any image on any board, with exact cycle counts."""

from json import dumps
from typing import Any

import typer

from cyclescope.cli.option_groups import grouped
from cyclescope.cli.options import Energy, Json
from cyclescope.studies.run import measure, report, until
from cyclescope.studies.run.account import Account
from cyclescope.studies.run.addresses import address, require_readable
from cyclescope.studies.run.gdb.session import session_at
from cyclescope.studies.run.options import Dump, OutsideOptions, ProgramOptions
from cyclescope.studies.run.serial_line import SerialLine, open_lines
from cyclescope.targets.virtual.board import make_board, read_file
from cyclescope.targets.virtual.kept import MIB, Kept


@grouped
def command(
    program: ProgramOptions,
    outside: OutsideOptions,
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
    board = make_board(program.board)
    image = measure.load(board, program.image, program.load or [])
    end = until.parse(program.until or [], image)
    for item in dump or []:
        require_readable(board, item)
    measure.serve_semihosting(board, outside)
    elf = read_file(program.image) if energy and program.image else None
    account = Account(board, elf) if energy else None
    entry = address(program.entry, "--entry") if program.entry is not None else None
    board.reset(entry)
    session = session_at(outside.gdb, board, entry, program.image)
    kept_bytes = outside.keep_mib * MIB if json else 0
    lines = open_lines(board, outside.uarts, json, kept_bytes, outside.file_limit_bytes)
    console = Kept(kept_bytes) if json else None
    stop = measure.run(board, end, program.stop_on_exception, lines, console, session)
    outcome = measure.outcome(board, stop, dump or [])
    outcome["remarks"] = [remark for line in lines for remark in line.remarks()]
    if account:
        outcome["energy"] = account.document()
    if console is not None:
        _print_json(outcome, console, lines[: len(outside.uarts)])
    else:
        report.show(outcome)
    raise typer.Exit(until.exit_code(stop, end))


def _print_json(outcome: dict[str, Any], console: Kept, lines: list[SerialLine]) -> None:
    outcome["remarks"] += console.remarks("semihosting")
    outcome["semihosting"] = console.text("utf-8")
    outcome["uart"] = {str(line.number): line.captured.text("latin-1") for line in lines}
    print(dumps(outcome))
