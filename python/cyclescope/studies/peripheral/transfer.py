"""One transfer, run once and recorded; every analysis runs on an exact replay of it.

A recording has no need of G-Kermit on the host: it holds each character with the cycle at which it
came to its end. A replay repeats the run to the cycle.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from cyclescope.errors import CyclescopeError
from cyclescope.record import Record
from cyclescope.results import files
from cyclescope.results.whole_files import ResultsError, write_whole
from cyclescope.studies.peripheral import lines, wire_bytes
from cyclescope.studies.peripheral.board_side import BOARD, LINE
from cyclescope.studies.peripheral.board_system import BoardSystem
from cyclescope.studies.peripheral.choices import SystemType
from cyclescope.studies.peripheral.exchange import Exchange
from cyclescope.studies.peripheral.outcome import TransferOutcome, outcome
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.wire_bytes import HeardCharacters, WireBytes
from cyclescope.targets.virtual.board import Board, make_board

HEAD, WIRE, CONSOLE_TEXT = "transfer.json", "wire.npz", "console.txt"
HEARD = "heard.npz"
"""Only where a board hears something else than the other side sends."""
FORMAT: Literal["cyclescope transfer"] = "cyclescope transfer"
REMEDY = "measure again"
SYSTEM_NAMES = {SystemType.LINUX: "Linux", SystemType.FREERTOS: "FreeRTOS"}
AHEAD_CYCLES = 1_000_000
"""Characters are queued so far ahead of the cycle up to which a replay runs."""


class TransferRecord(Record):
    """All that is kept of a transfer beside its wire. Cycles count from power-on."""

    format: Literal["cyclescope transfer"] = FORMAT
    version: Literal[2] = 2
    setting: TransferSetting
    system: dict[str, Any]
    """How the board's side was composed, with versions and hashes."""
    kermit_sha256: dict[str, str]
    """Of G-Kermit on the host and on the board, if it is the protocol."""
    host_is_exact: bool
    """Whether the peer's answers came at cycles that no other work of the host can move."""
    core_hz: int
    frame_cycles: int
    wire_sha256: str
    ready_cycle: int
    end_cycle: int
    end_instructions: int
    end_registers: dict[str, int]
    steady: tuple[int, int] | None
    outcome: TransferOutcome
    peer_system: dict[str, Any] | None = None
    """How a second board's system was composed, if there is one."""
    heard_sha256: str | None = None
    """Of what the board heard, if that is not what the wire has."""


@dataclass
class TransferReplay:
    """A board at the beginning of the run, which will repeat it. `system` names its symbols."""

    board: Board
    system: BoardSystem
    heard: HeardCharacters
    _next: int = 0

    def run_to(self, cycle: int, run: Callable[[int], object] | None = None) -> None:
        """Runs to the first boundary at or after a cycle. `run`, if given, runs the board there."""
        found = self.heard
        while self.board.cycle < cycle:
            step = min(cycle, self.board.cycle + AHEAD_CYCLES)
            end = int(found.cycles.searchsorted(step + AHEAD_CYCLES, side="right"))
            for place in range(self._next, end):
                at, value = int(found.cycles[place]), int(found.values[place])
                self.board.drive(f"{LINE}.rxd", value, at=at)
            self._next = max(self._next, end)
            if run is None:
                self.board.run(cycles=step)
            else:
                run(step)


@dataclass(frozen=True)
class Transfer:
    """A recorded transfer in its folder."""

    folder: Path
    record: TransferRecord

    @property
    def setting(self) -> TransferSetting:
        """The transfer's setting."""
        return self.record.setting

    @property
    def steady(self) -> tuple[int, int]:
        """The steady state in cycles: from the begin of the first data packet's first byte to the
        end of the last one's acknowledgement. Raises CyclescopeError if no data went."""
        if self.record.steady is None:
            raise CyclescopeError(
                f"{self.setting.name}: no data packet was sent, so there is no steady state: "
                "choose another setting",
                code="transfer-without-data",
            )
        return self.record.steady

    @cached_property
    def wire_bytes(self) -> WireBytes:
        """The wire as columns, with the bits that the line changed."""
        return wire_bytes.load(self.folder / WIRE, self.record.wire_sha256)

    @property
    def wire(self) -> list[tuple[int, bool, int]]:
        """The wire: (cycle of its end, whether to the board, value at the board's pin)."""
        found = self.wire_bytes
        columns = (found.cycles.tolist(), found.to_board.tolist(), found.values.tolist())
        return list(zip(*columns, strict=True))

    @cached_property
    def heard(self) -> HeardCharacters:
        """Characters that came to the board's receiver."""
        sha256 = self.record.heard_sha256
        if sha256 is None:
            return self.wire_bytes.heard
        return wire_bytes.load_heard(self.folder / HEARD, sha256)

    @cached_property
    def exchange(self) -> Exchange:
        """The wire decoded; side 0 is the peer, side 1 the board."""
        return lines.of(self.setting).decode(self.wire_bytes)

    def replay(self) -> TransferReplay:
        """A board that will repeat the run to the cycle. Raises CyclescopeError if the built
        software is not the one that was recorded."""
        composed = lines.of(self.setting).system(self.setting)
        self.require_same(composed)
        board = make_board(BOARD)
        composed.load(board)
        return TransferReplay(board, composed, self.heard)

    def require_same(self, composed: BoardSystem) -> None:
        """Raises CyclescopeError unless the recording is of this system."""
        titled = SYSTEM_NAMES[self.setting.system]
        if composed.settings["sha256"] != self.record.system["sha256"]:
            raise CyclescopeError(
                f"{self.setting.name} was recorded with another {titled} than the one that is "
                "built: measure again",
                code="recorded-with-other-linux",
            )


def record(setting: TransferSetting, folder: Path) -> Transfer:
    """Runs a transfer once, with both sides of its line, and keeps its recording in the folder."""
    line = lines.of(setting)
    run = line.run(setting)
    board, wire, exchange = run.board, run.wire, line.decode(run.wire)
    kept = TransferRecord(
        setting=setting,
        system=dict(run.system.settings),
        kermit_sha256=dict(run.kermit_sha256),
        host_is_exact=run.is_exact,
        core_hz=board.core_hz,
        frame_cycles=run.frame_cycles,
        wire_sha256=wire.sha256,
        ready_cycle=run.ready_cycle,
        end_cycle=board.cycle,
        end_instructions=board.instructions,
        end_registers=board.registers(),
        steady=exchange.span(run.frame_cycles),
        outcome=outcome(
            setting,
            wire,
            exchange,
            run.said,
            run.peer_status,
            run.arrived,
            board.core_hz,
            None if run.heard is None else len(run.heard.cycles),
        ),
        peer_system=None if run.peer_system is None else dict(run.peer_system),
        heard_sha256=None if run.heard is None else run.heard.sha256,
    )
    folder.mkdir(parents=True, exist_ok=True)
    wire.save(folder / WIRE)
    if run.heard is not None:
        run.heard.save(folder / HEARD)
    write_whole(folder / CONSOLE_TEXT, run.console)
    files.save(folder / HEAD, kept)
    return Transfer(folder, kept)


def load(folder: Path) -> Transfer:
    """The transfer in a folder. Raises ResultsError if it is damaged or of another version."""
    found = files.read_record(folder / HEAD, TransferRecord, REMEDY)
    if found is None:
        raise ResultsError(f"{folder} holds no transfer: {REMEDY}", code="no-transfer-in-folder")
    return Transfer(folder, found)
