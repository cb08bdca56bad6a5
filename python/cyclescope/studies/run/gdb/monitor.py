"""gdb's `monitor` commands: what a debugger can ask of the lab."""

from collections.abc import Callable

from cyclescope.targets.virtual.board import Board

FLUSH = "type `maintenance flush register-cache`, so that gdb reads the registers again"


class Monitor:
    """Answers `monitor` commands about one board, which `restart` resets."""

    def __init__(self, board: Board, restart: Callable[[], None]) -> None:
        self._board, self._restart = board, restart
        self._commands: dict[str, tuple[str, Callable[[], str]]] = {
            "help": ("lists these commands", self._help),
            "reset": ("returns the board to power-on, the program as it was loaded", self._reset),
            "cycles": ("shows cycles, instructions and time since reset", self._cycles),
        }

    def answer(self, command: str) -> str:
        """Does what the command says, and returns its answer; lines end with a newline."""
        words = command.split()
        name = " ".join(words) or "help"
        if name not in self._commands:
            known = ", ".join(self._commands)
            return f"There is no command {name}: choose one of {known}.\n"
        return self._commands[name][1]()

    def _help(self) -> str:
        width = max(map(len, self._commands))
        return "".join(f"{name:<{width}}  {what}\n" for name, (what, _) in self._commands.items())

    def _reset(self) -> str:
        self._restart()
        return f"The board stands at its entry: {FLUSH}.\n"

    def _cycles(self) -> str:
        board = self._board
        return (
            f"{board.cycle:,} cycles, {board.instructions:,} instructions, "
            f"{board.seconds(board.cycle):.9f} s\n"
        )
