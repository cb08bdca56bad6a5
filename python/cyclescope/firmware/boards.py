"""Where boards are found, and what they say of energy.

A name means a folder of `boards/`, NAME.toml means that file.
"""

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from cyclescope.errors import CyclescopeError

FOLDER = Path(__file__).resolve().parents[3] / "boards"


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
    """The boards that come with Cyclescope."""
    return sorted(path.parent.name for path in FOLDER.glob("*/board.toml"))


def with_firmware() -> list[str]:
    """Those of them that the firmware is built for."""
    return [name for name in names() if (FOLDER / name / "board.mk").is_file()]


def path_of(board: str) -> Path:
    """The board file meant by a name or a path; raises CyclescopeError when there is none."""
    path = Path(board) if board.endswith(".toml") else FOLDER / board / "board.toml"
    if path.is_file():
        return path
    if board.endswith(".toml"):
        raise CyclescopeError(f"there is no board file {board}: check the path")
    raise CyclescopeError(
        f"there is no board named {board}: choose one of {', '.join(names())}, or give the path of "
        "a file that ends in .toml"
    )


def energy_of(board: str) -> BoardEnergy:
    """The energy model of a board, with what it extends; refuses a board without one."""
    table, points = _energy(board)
    if not table or not points:
        raise CyclescopeError(
            f"{board} has no energy model with operating points: give its board file [energy] and "
            "[[operating_point]] tables (docs/reference/boards.md), or choose lpc2148"
        )
    return BoardEnergy(
        table, [OperatingPoint(one["name"], one["core_hz"], one["supply_mv"]) for one in points]
    )


def _energy(board: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    own = tomllib.loads(path_of(board).read_text())
    table, points = _energy(own["extends"]) if "extends" in own else ({}, [])
    return own.get("energy", table), [*points, *own.get("operating_point", [])]
