"""Options of `cyclescope run`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.option_groups import OptionGroup
from cyclescope.cli.options import VirtualBoardOption
from cyclescope.errors import WrongUsage
from cyclescope.firmware import boards
from cyclescope.studies.run.until import DEFAULT_BOUND_CYCLES
from cyclescope.targets.virtual.kept import KEPT_MIB, MIB
from cyclescope.targets.virtual.lines.line import WHERE

FILES_MIB, MOST_FILES = 64, 1000
LARGEST_MIB = 1 << 20


@dataclass(frozen=True)
class ProgramOptions(OptionGroup):
    """The program, its board, and the end of its run."""

    board: VirtualBoardOption = boards.USUAL
    image: Annotated[Path | None, typer.Option("--image", help="ELF file to load.")] = None
    bench: Annotated[
        Path | None,
        typer.Option(
            "--bench", help="Bench file: several boards, their images, wires and peers (TOML)."
        ),
    ] = None
    load: Annotated[
        list[str] | None,
        typer.Option("--load", metavar="FILE@ADDRESS", help="Raw bytes to load; repeatable."),
    ] = None
    entry: Annotated[
        str | None,
        typer.Option(
            "--entry",
            metavar="ADDRESS",
            help="Where execution starts; its low bits as the core reads them.",
        ),
    ] = None
    until: Annotated[
        list[str] | None,
        typer.Option(
            "--until",
            metavar="CONDITION",
            help="pc=ADDRESS (stops before it executes), symbol=NAME, cycles=N, instructions=N or "
            f"exit; repeatable, the first met ends the run. Every run ends after "
            f"{DEFAULT_BOUND_CYCLES:,} cycles unless cycles=N says otherwise.",
        ),
    ] = None
    stop_on_exception: Annotated[
        bool,
        typer.Option(
            "--stop-on-exception", help="Stop at the first abort or undefined instruction."
        ),
    ] = False


@dataclass(frozen=True)
class OutsideOptions(OptionGroup):
    """Files, console and lines that the guest reaches outside the board, and their limits."""

    semihosting: Annotated[
        bool,
        typer.Option(
            "--semihosting",
            help="Serve semihosting calls. The console reads standard input when the guest asks, "
            "unless that is a terminal or a serial line's.",
        ),
    ] = False
    semihosting_root: Annotated[
        Path | None,
        typer.Option(
            "--semihosting-root",
            metavar="DIR",
            help="Folder whose regular files the guest may reach (default: none).",
        ),
    ] = None
    uart: Annotated[
        list[str] | None,
        typer.Option(
            "--uart",
            metavar=f"N={WHERE}",
            help="Where serial line N goes; repeatable. A TCP port listens on loopback, unless "
            "HOST says otherwise.",
        ),
    ] = None
    record: Annotated[
        Path | None,
        typer.Option("--record", help="File that keeps what the lines' peers send, and when."),
    ] = None
    replay: Annotated[
        Path | None,
        typer.Option("--replay", help="Recording that is sent in place of the peers, exactly."),
    ] = None
    vcd: Annotated[
        Path | None,
        typer.Option("--vcd", help="Value change dump of signals, for GTKWave and its like."),
    ] = None
    vcd_signals: Annotated[
        list[str] | None,
        typer.Option(
            "--vcd-signals",
            metavar="PATTERN",
            help="Signals for --vcd, as device.signal, * for any; repeatable. Without it interrupt "
            "lines, serial lines and pins.",
        ),
    ] = None
    gdb: Annotated[
        str | None,
        typer.Option(
            "--gdb",
            metavar="PORT",
            help="Wait for gdb at this port (0: a free one), which controls the run; the line that "
            "starts gdb is printed. ADDRESS:PORT listens beyond this machine.",
        ),
    ] = None
    keep_mib: Annotated[
        int,
        typer.Option(
            "--keep",
            metavar="MIB",
            min=0,
            max=LARGEST_MIB,
            help="Output of each kind that --json holds at most; what is printed has no limit.",
        ),
    ] = KEPT_MIB
    file_limit_mib: Annotated[
        int,
        typer.Option(
            "--file-limit",
            metavar="MIB",
            min=0,
            max=LARGEST_MIB,
            help="By so much the guest's files together may grow, and each file of --uart.",
        ),
    ] = FILES_MIB
    most_files: Annotated[
        int, typer.Option("--most-files", min=0, help="Files that the guest may make.")
    ] = MOST_FILES

    def refuse_replay_under_gdb(self) -> None:
        """Both at once could not be exact."""
        if self.gdb is not None and self.replay is not None:
            raise WrongUsage(
                "--gdb and --replay exclude each other: gdb stops a run between the recorded "
                "moments",
                code="replay-under-gdb",
            )

    @property
    def uarts(self) -> list[str]:
        """The serial lines asked for."""
        return self.uart or []

    @property
    def file_limit_bytes(self) -> int:
        """The limit on files in bytes."""
        return self.file_limit_mib * MIB


Dump = Annotated[
    list[str] | None,
    typer.Option(
        "--dump",
        metavar="WHAT",
        help="Print registers, or the memory ADDRESS:LENGTH, at the end; repeatable.",
    ),
]
