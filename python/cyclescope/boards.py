"""Where boards are found: a name means a folder of `boards/`, NAME.toml means that file."""

from pathlib import Path

from cyclescope.errors import CyclescopeError

FOLDER = Path(__file__).resolve().parents[2] / "boards"


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
