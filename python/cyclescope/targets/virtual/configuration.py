"""From what a user asks of a virtual board to the image that is built for it."""

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware.configuration import Configuration
from cyclescope.target.target import Selection
from cyclescope.targets.virtual import linux_program
from cyclescope.targets.virtual.board import Board, make_board
from cyclescope.targets.virtual.clocks import PIN_TIMER


def configuration(selection: Selection) -> Configuration:
    """The image that is asked for; refuses what makes no sense on that board."""
    _require_firmware(selection.board)
    if selection.kernel == linux_program.KERNEL:
        return linux_program.configuration(selection)
    _require_memory(make_board(selection.board), str(selection.value("code")))
    _require_sense(selection)
    return selection


def _require_firmware(board: str) -> None:
    """Refuses what the firmware is not built for: a board file alone runs other programs only."""
    there = boards.with_firmware()
    if board in there:
        return
    if board not in boards.names() and not boards.is_path(board):
        raise boards.no_such_board(board, [*there, "host"])
    path = boards.path_of(board)
    if path.with_name("board.mk").is_file():
        return
    raise CyclescopeError(
        f"there is no firmware for {board}: choose one of {', '.join(there)}; a program of your "
        f"own runs on it with cyclescope run --board {board} --image FILE.elf",
        code="no-firmware-for-board",
    )


def _require_memory(board: Board, code: str) -> None:
    there = [memory["name"] for memory in board.describe()["memory"]]
    if code not in there:
        raise CyclescopeError(
            f"{board.name} has no memory for --code {code}: choose one of {', '.join(there)}, or "
            f"a board that has it "
            f"({', '.join(_boards_with(code)) or 'none comes with Cyclescope'})",
            code="no-memory-for-code",
        )


def _require_sense(selection: Selection) -> None:
    if selection.fragment and selection.kernel != "bare":
        raise CyclescopeError(
            "a fragment is timed without a kernel: choose --kernel bare",
            code="fragment-needs-kernel-bare",
        )
    if selection.analyser_hz is not None and selection.value("timer") != PIN_TIMER:
        raise CyclescopeError(
            "a logic analyser watches a pin: choose --timer pin as well",
            code="analyser-needs-timer-pin",
        )


def _boards_with(memory: str) -> list[str]:
    return [
        name
        for name in boards.names()
        if memory in (one["name"] for one in make_board(name).describe()["memory"])
    ]
