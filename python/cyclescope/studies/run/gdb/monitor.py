"""gdb's `monitor` commands: what a debugger can ask of the lab."""

from collections.abc import Callable, Sequence

from cyclescope.errors import CyclescopeError
from cyclescope.studies.run.instruments import tables
from cyclescope.studies.run.instruments.instrument import Attached
from cyclescope.targets.virtual.board import Board

ALIASES = {"pdc": "transfers"}
"""Other names of instruments: the AT91 parts call DMA by their peripheral data controller."""
FLUSH = "type `maintenance flush register-cache`, so that gdb reads the registers again"


class Monitor:
    """Answers `monitor` commands about one board, which `restart` resets, and its instruments."""

    def __init__(
        self, board: Board, restart: Callable[[], None], instruments: Sequence[Attached] = ()
    ) -> None:
        self._board, self._restart = board, restart
        self._commands: dict[str, tuple[str, Callable[[], str]]] = {
            "help": ("lists these commands", self._help),
            "reset": ("returns the board to power-on, the program as it was loaded", self._reset),
            "cycles": ("shows cycles, instructions and time since reset", self._cycles),
        }
        for one in instruments:
            self._commands |= _commands_of(one)

    def answer(self, command: str) -> str:
        """Does what the command says, and returns its answer; lines end with a newline."""
        words = [ALIASES.get(word, word) for word in command.split()]
        name = " ".join(words) or "help"
        if name not in self._commands:
            known = ", ".join(self._commands)
            return f"There is no command {name}: choose one of {known}.\n"
        try:
            return self._commands[name][1]()
        except CyclescopeError as error:
            return f"{error.sentence}.\n"

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


def _commands_of(one: Attached) -> dict[str, tuple[str, Callable[[], str]]]:
    """Commands that switch an instrument on and off, let it count from 0, and print it."""
    name = one.key

    def said(act: Callable[[], None], sentence: str) -> Callable[[], str]:
        def answer() -> str:
            act()
            return f"{name} {sentence}.\n"

        return answer

    def printed() -> str:
        if not one.is_attached:
            return f"{name} is off: switch it on by `monitor {name} on`, and continue.\n"
        return "\n".join(tables.lines(name, one.document())) + "\n"

    return {
        f"{name} on": ("counts from here on", said(one.attach, "is on")),
        f"{name} off": ("forgets what it counted", said(one.detach, "is off")),
        f"{name} reset": ("counts from 0", said(one.clear, "counts from 0")),
        f"{name} print": ("prints what it counted", printed),
    }
