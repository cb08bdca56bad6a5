"""Boards: where their files are found, and what these say to the lab.

A name means a folder of `boards/`; a path that ends in .toml means that file, wherever it lies.
"""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cyclescope import input_files
from cyclescope.errors import CyclescopeError

if TYPE_CHECKING:
    # Every verb finds boards. Records, which pydantic checks, take as long to load as all else.
    from cyclescope.firmware.board_firmware import BoardFirmware

FOLDER = Path(__file__).resolve().parents[3] / "boards"
USUAL = "lpc2148"
"""The board that is meant where none is named."""
USUAL_WITH_SPACE = {"board": "lpc2148-lab", "code": "lab"}
"""The same where an image needs more space."""
KEYS = "docs/reference/boards.md"

Value = int | str
"""A value of a setting."""
SETTING_NAME = "^[a-z][a-z0-9]*$"
"""Names that settings may have: options are called so."""


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


def texts() -> dict[str, str]:
    """The text of every board file that comes with Cyclescope, by the board's name."""
    return {path.parent.name: path.read_text() for path in sorted(FOLDER.glob("*/board.toml"))}


def is_path(board: str) -> bool:
    """Whether a board is named by the path of its file."""
    return board.endswith(".toml")


def name_of(board: str) -> str:
    """Returns a board's name in results."""
    return str(_content(path_of(board)).get("name", board)) if is_path(board) else board


def description(board: str) -> str:
    """One line on a board, from its file."""
    return str(_content(path_of(board)).get("description", ""))


def firmware_of(board: str) -> "BoardFirmware":
    """Returns a board's firmware part, with the board it extends; its own settings stand for those
    of the same name there. Raises CyclescopeError where the table is not one."""
    from pydantic import ValidationError

    from cyclescope.firmware.board_firmware import BoardFirmware

    try:
        return BoardFirmware.model_validate(firmware_table(board))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, ("firmware", *first["loc"])))
        raise CyclescopeError(
            f"{path_of(board)}: {key}: {first['msg']} ({KEYS} lists every key)",
            code="board-file-wrong",
        ) from error


def firmware_table(board: str) -> dict[str, Any]:
    """The [firmware] table of a board's file and of the board that it extends, not checked: the
    settings of both, its own behind the others."""
    path = path_of(board)
    own = _content(path)
    base = _content(path_of(own["extends"])) if "extends" in own else {}
    tables = [one.get("firmware", {}) for one in (base, own)]
    for table in tables:
        if not isinstance(table, dict) or not isinstance(table.get("setting", []), list):
            raise CyclescopeError(
                f"{path}: firmware must be a table, and each of its settings a table "
                f"[[firmware.setting]] ({KEYS} lists every key)",
                code="firmware-table-wrong",
            )
    settings = [one for table in tables for one in table.get("setting", [])]
    return {**tables[0], **tables[1], "setting": settings}


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
