"""The interface of gdb's server to the program that started it."""

from typing import Protocol

SavedRegister = tuple[str, int, int]
"""gdb's name of a register, the address of its word in memory, and what is added to the word."""
GdbThread = tuple[int, str, list[SavedRegister] | None]
"""A number other than 0, name and state, and the registers; None if it runs: the core has them."""


class GdbProgram(Protocol):
    """The program around a server. An error that it raises ends the session."""

    def reset(self) -> None:
        """Returns the board to power-on, at the entry of its program."""

    def exchange(self) -> None:
        """Hands over what waits between board and outside."""

    def monitor(self, command: str) -> str:
        """Answers `monitor COMMAND`."""

    def threads(self) -> list[GdbThread]:
        """Returns the threads there are now; none where the program has no kernel."""

    def say(self, sentence: str) -> None:
        """Says a sentence to the person who started the server."""
