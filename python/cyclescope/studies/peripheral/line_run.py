"""The run of a transfer before it is kept, whatever is at the other end of the line."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cyclescope.studies.peripheral.board_side import Said
from cyclescope.studies.peripheral.board_system import BoardSystem
from cyclescope.studies.peripheral.wire_bytes import HeardCharacters, WireBytes
from cyclescope.targets.virtual.board import Board


@dataclass(frozen=True)
class LineRun:
    """A run that came to its end. `board` stands where it ended.

    `heard` came to the board's receiver; it is None if the wire has the same. On a medium of both
    sides a board hears itself, and characters that collided.
    """

    board: Board
    system: BoardSystem
    wire: WireBytes
    console: bytes
    said: Said
    ready_cycle: int
    frame_cycles: int
    peer_status: int | None
    arrived: bytes | None
    """The file that the other side received, if it did."""
    heard: HeardCharacters | None = None
    is_exact: bool = True
    """Whether the other side's answers came at cycles that no other work of the host can move."""
    kermit_sha256: Mapping[str, str] = field(default_factory=dict)
    peer_system: Mapping[str, Any] | None = None
    """The settings of the second board's system."""
