"""Virtual boards as the engine's Python module offers them: the one door to it."""

from pathlib import Path
from typing import TYPE_CHECKING

from cyclescope import input_files
from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware.architecture import of_board

try:
    from cyclescope._engine import (
        CONTRACT,
        TRANSLATES,
        Bench,
        Board,
        FlashBench,
        GdbServer,
        Image,
        InstructionBench,
        Pricer,
        Retrace,
    )

    if CONTRACT != 20:
        raise ImportError
except ModuleNotFoundError as error:
    raise CyclescopeError(
        "the engine is not built: run make build, then this again", code="engine-not-built"
    ) from error
except ImportError as error:
    raise CyclescopeError(
        "the engine was built for another version of the lab: run make build, then this again",
        code="engine-of-another-version",
    ) from error
from cyclescope.targets.virtual import own_devices, tiers
from cyclescope.targets.virtual.gdb_program import GdbThread
from cyclescope.targets.virtual.stop import Stop

if TYPE_CHECKING:  # a record of results; who only runs a board loads none
    from cyclescope.target.code_fetches import CodeFetches

__all__ = [
    "Bench",
    "Board",
    "FlashBench",
    "GdbServer",
    "GdbThread",
    "Image",
    "InstructionBench",
    "Pricer",
    "Retrace",
    "Stop",
    "choose_tier",
    "code_fetches",
    "make_board",
    "make_pricer",
    "make_retrace",
    "read_file",
    "read_image",
]


def make_board(board: str, otherwise: tiers.Tier | None = None) -> Board:
    """The virtual board meant by a name or the path of a board file.

    Unless the user has chosen a tier it executes in `otherwise`, or as the engine does.
    """
    path = boards.path_of(board)
    bases = boards.texts()
    name = path.parent.name if path.name == "board.toml" else path.name
    made = Board(_text(path), name, bases, own_devices.maker(path.parent))
    if tier := tiers.chosen(TRANSLATES) or otherwise:
        made.set_tier(tier)
    return made


def choose_tier(name: str) -> None:
    """Boards that are made from now on, here and in processes that are started, execute so."""
    tiers.choose(name, TRANSLATES)


def make_pricer(board: str, data: int) -> Pricer:
    """A pricer of code on the board meant by a name or a path; no board is made.

    Data lie at `data` if their place is not given.
    """
    path = boards.path_of(board)
    bases = boards.texts()
    return Pricer(_text(path), path.parent.name, bases, data)


def make_retrace(board: str) -> Retrace:
    """Makes the core of the board meant by a name or a path follow paths; no board is made."""
    path = boards.path_of(board)
    bases = boards.texts()
    return Retrace(_text(path), path.parent.name, bases)


def code_fetches(board: Board, memory: str) -> "CodeFetches":
    """How code in a memory is fetched, as the board is set now; in no lines where it has none."""
    from cyclescope.target.code_fetches import CodeFetches

    if memory not in [one["name"] for one in board.describe()["memory"]]:
        return CodeFetches()
    line_bytes, doubt_cycles, overlap_cycles = board.fetching(memory)
    architecture = of_board(board)
    return CodeFetches(
        line_bytes=line_bytes,
        call_bytes=architecture.call_bytes if architecture else None,
        doubt_cycles=doubt_cycles,
        overlap_cycles=overlap_cycles,
    )


def read_image(path: Path) -> Image:
    """The ELF file at `path`; truncated and foreign files are refused in a sentence."""
    return Image.from_elf(read_file(path), path.name)


def read_file(path: Path) -> bytes:
    """The bytes of a file, or a sentence why not."""
    return input_files.read_there(path)


def _text(path: Path) -> str:
    try:
        return read_file(path).decode()
    except UnicodeDecodeError as error:
        raise CyclescopeError(
            f"{path} is not a board file: it is not text in UTF-8", code="board-file-not-utf-8"
        ) from error
