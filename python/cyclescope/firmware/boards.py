"""Boards: where their files are found, and what these say to the lab.

A name means a folder of `boards/`; a path that ends in .toml means that file, wherever it lies.
"""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import Field, ValidationError

from cyclescope import input_files
from cyclescope.errors import CyclescopeError
from cyclescope.firmware.pin_delays import PinDelays
from cyclescope.record import Record

FOLDER = Path(__file__).resolve().parents[3] / "boards"
USUAL = "lpc2148"
"""The board that is meant where none is named."""
USUAL_WITH_SPACE = {"board": "lpc2148-lab", "code": "lab"}
"""The same where an image needs more space."""
KEYS = "docs/reference/boards.md"

Value = int | str
"""A value of a setting."""


class BoardSetting(Record):
    """One choice that a board leaves to its user, and the make variable that it becomes.

    Without `default` the board's build chooses. `unit` is what help calls an integer.
    """

    name: str = Field(pattern="^[a-z][a-z0-9]*$")
    variable: str = Field(pattern="^[A-Z][A-Z0-9_]*$")
    values: tuple[Value, ...] = Field(min_length=1)
    default: Value | None = None
    unit: str = ""
    help: str
    labels: dict[str, str] = Field(default_factory=dict)
    """Names of values in tables, where they are not the values themselves."""


class WireSignals(Record):
    """The two signals that the wire goes over, as the host sees them."""

    to: str
    by: str = Field(alias="from")


class CountedSignal(Record):
    """A signal that makes the firmware act, and the address of the counter that dates it.

    The counter has so many `bits` and counts once in `pclk_per_count` cycles of the peripheral
    clock. From the count of an alarm to its signal pass `late_counts`. `settings` are the values
    under which the peripheral clock is the core's; of them `timer` is the one that reads the
    counter.
    """

    signal: str
    count: int
    bits: int = Field(default=32, ge=1, le=32)
    pclk_per_count: int = Field(default=1, ge=1)
    late_counts: int = Field(default=0, ge=0)
    settings: dict[str, Value] = Field(default_factory=dict)


class TransmitterLine(Record):
    """The UART that programs may use beside the wire (firmware/include/transmitter.h)."""

    baud: int = Field(gt=0)


class RoomierBoard(Record):
    """Where an image fits that does not fit here."""

    board: str
    code: str

    @property
    def options(self) -> str:
        """The options that choose it."""
        return f"--board {self.board} --code {self.code}"

    @property
    def place(self) -> str:
        return f"on {self.board} with --code {self.code}"


class ErrorMemory(Record):
    """A memory in which `errors` measures, and the values of settings that make it."""

    name: str
    settings: dict[str, Value]


class MemoryRegister(Record):
    """A register that the start writes for the time of memories.

    Its value is the one of `values` that a fact of the build names; the first without a fact.
    """

    address: int
    fact: str | None = None
    values: tuple[int, ...] = Field(min_length=1)


class BoardFirmware(Record):
    """A board's [firmware] table (docs/reference/boards.md); what is None the board lacks."""

    setting: tuple[BoardSetting, ...] = ()
    wire: WireSignals | None = None
    line: CountedSignal | None = None
    alarm: CountedSignal | None = None
    transmitter: TransmitterLine | None = None
    pin: str | None = None
    reference: str | None = None
    pin_delays: PinDelays | None = None
    roomier: RoomierBoard | None = None
    error_memory: tuple[ErrorMemory, ...] | None = None
    memory_register: tuple[MemoryRegister, ...] = ()
    lacks_options: tuple[str, ...] = ()

    @property
    def settings(self) -> Mapping[str, BoardSetting]:
        """By name; of two with one name, the later."""
        return {one.name: one for one in self.setting}

    def default(self, name: str) -> Value | None:
        """The value that the file gives a setting; None without one, or without the setting."""
        there = self.settings.get(name)
        return there.default if there else None


Part = TypeVar("Part")


def require(part: Part | None, board: str, key: str) -> Part:
    """Returns the firmware part of a board's file; refuses a board that lacks it."""
    if part is None:
        raise CyclescopeError(
            f"the file of {board} names no {key}: add [firmware] {key} ({KEYS})",
            code="board-file-lacks-key",
        )
    return part


def larger_code(board: str, code: str) -> str:
    """The largest memory for code that has more bytes than `code`; empty if there is none."""
    setting = firmware_of(board).settings.get("code")
    sizes = _sizes(board)
    there = [one for one in map(str, setting.values) if one in sizes] if setting else []
    largest = max(there, key=lambda one: sizes[one], default=code)
    return largest if sizes.get(largest, 0) > sizes.get(code, 0) else ""


def _sizes(board: str) -> dict[str, int]:
    """Bytes of each memory of a board, with those of the board that it extends."""
    own = _content(path_of(board))
    found = _sizes(own["extends"]) if "extends" in own else {}
    return found | {one["name"]: one["size"] for one in own.get("memory", ())}


class OperatingPoint(NamedTuple):
    """A clock and the supply that goes with it."""

    name: str
    core_hz: int
    supply_mv: int


class BoardEnergy(NamedTuple):
    """A board's [energy] table and its operating points (docs/reference/boards.md)."""

    table: dict[str, Any]
    points: list[OperatingPoint]


def names() -> list[str]:
    """The virtual boards that come with Cyclescope."""
    found = {path.parent.name: _content(path) for path in FOLDER.glob("*/board.toml")}
    return sorted(name for name, content in found.items() if {"core", "extends"} & content.keys())


def with_settings() -> list[str]:
    """The boards that come with Cyclescope and can be set in some way, the host among them."""
    return sorted(path.parent.name for path in FOLDER.glob("*/board.toml"))


def with_firmware() -> list[str]:
    """The virtual boards that come with Cyclescope and that the firmware is built for."""
    return [name for name in names() if (FOLDER / name / "board.mk").is_file()]


def path_of(board: str) -> Path:
    """The board file meant by a name or a path; raises CyclescopeError when there is none."""
    path = Path(board) if is_path(board) else FOLDER / board / "board.toml"
    if path.is_file():
        return path
    if is_path(board):
        raise CyclescopeError(
            f"there is no board file {board}: check the path", code="no-such-board-file"
        )
    raise no_such_board(board, names())


def no_such_board(board: str, choice: list[str]) -> CyclescopeError:
    """Returns the error for a name that no board has; `choice` are the names to offer."""
    return CyclescopeError(
        f"there is no board named {board}: choose one of {', '.join(choice)}, or give the path of "
        "a board.toml",
        code="no-such-board",
    )


def is_path(board: str) -> bool:
    """Whether a board is named by the path of its file."""
    return board.endswith(".toml")


def name_of(board: str) -> str:
    """Returns a board's name in results."""
    return str(_content(path_of(board)).get("name", board)) if is_path(board) else board


def firmware_of(board: str) -> BoardFirmware:
    """Returns a board's firmware part, with the boards it extends; its own settings stand for those
    of the same name there. Raises CyclescopeError where the table is not one."""
    path = path_of(board)
    own = _content(path)
    base = _content(path_of(own["extends"])) if "extends" in own else {}
    tables = [one.get("firmware", {}) for one in (base, own)]
    try:
        settings = [*tables[0].get("setting", ()), *tables[1].get("setting", ())]
        return BoardFirmware.model_validate({**tables[0], **tables[1], "setting": settings})
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, ("firmware", *first["loc"])))
        raise CyclescopeError(
            f"{path}: {key}: {first['msg']} ({KEYS} lists every key)", code="board-file-wrong"
        ) from error


def energy_of(board: str) -> BoardEnergy:
    """The energy model of a board, with what it extends; refuses a board without one."""
    table, points = _energy(board)
    if not table or not points:
        raise CyclescopeError(
            f"{board} has no energy model with operating points: give its board file [energy] and "
            f"[[operating_point]] tables ({KEYS}), or choose {USUAL}",
            code="no-operating-points",
        )
    return BoardEnergy(
        table, [OperatingPoint(one["name"], one["core_hz"], one["supply_mv"]) for one in points]
    )


def oscillator_hz(board: str) -> int:
    """The core's clock of a board after a reset, as its file has it."""
    own = _content(path_of(board))
    if "clock" in own:
        return int(own["clock"]["oscillator_hz"])
    return oscillator_hz(own["extends"]) if "extends" in own else 1_000_000


def core_of(board: str) -> str:
    """The kind of a board's core, such as arm7tdmi."""
    own = _content(path_of(board))
    base = _content(path_of(own["extends"])) if "extends" in own else {}
    return str({**base, **own}["core"]["kind"])


def _energy(board: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    own = _content(path_of(board))
    table, points = _energy(own["extends"]) if "extends" in own else ({}, [])
    return own.get("energy", table), [*points, *own.get("operating_point", [])]


def _content(path: Path) -> dict[str, Any]:
    try:
        return _parsed(input_files.read_there(path).decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CyclescopeError(
            f"{path} is not a board file: {error}", code="not-a-board-file"
        ) from error


@lru_cache(maxsize=16)
def _parsed(text: str) -> dict[str, Any]:
    return tomllib.loads(text)
