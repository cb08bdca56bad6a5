"""A device of your own for a virtual board: the class to extend, and what its methods get.

A board file names the class (docs/reference/devices.md):

    [[device]]
    name = "counter"
    kind = "python"
    maps = [{ base = 0xE007_0000, size = 0x4000, bus = "vpb" }]
    parameters = { file = "counter.py", class = "Counter" }

The same inputs must give the same bytes. So the class depends on its parameters and calls alone: it
reads no clock, no file that changes, and no random numbers without a seed.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, Protocol

__all__ = ["Device", "Port", "Width"]

Width = Literal[8, 16, 32]
"""Width of an access, in bits."""


class Port(Protocol):
    """The device's door to the board, which acts on requests in order after the method returns.

    Levels, values and addresses are whole numbers from 0 to 2³² − 1. Anything else raises
    ValueError, and so does a name that `outputs` lacks.
    """

    @property
    def now(self) -> int:
        """The current cycle of the core's clock. In an access: the cycle in which it completes."""

    def schedule(self, event: str, at: int) -> None:
        """Asks for `event(event, port)` at cycle `at`, or now if that is past. An event has one
        time: asking again moves it."""

    def cancel(self, event: str) -> None:
        """Withdraws an event."""

    def drive(self, output: str, level: int) -> None:
        """Sets the level of an output. Listeners hear of it if it changes."""

    def send(self, output: str, value: int) -> None:
        """Sends a value over an output, such as a byte on a wire. Listeners hear of each."""

    def frame(self, bit_cycles: int) -> None:
        """Says that a bit of its serial line has so many cycles from now, 16 at least: 8 data bits,
        no parity, one stop bit. 0: the line is off. Without this call the board knows no bits."""

    def begin(self, output: str, value: int) -> None:
        """Says that a character begins on an output that `announces` has. `send` follows after
        its 10 bits, with the same value. Raises ValueError before the first `frame`."""

    def transfer(
        self,
        event: str,
        address: int,
        *,
        width: Width = 32,
        write: int | None = None,
        burst: bool = False,
    ) -> None:
        """Asks for an access to the board's memory (DMA): a write of `write`, without it a read.

        It takes the bus for the cycles of such an access, then `transferred(event, …)` is called. A
        transfer asked for there with `burst` begins before a core that waits.
        """

    def unmodelled(self, what: str) -> None:
        """Notes that something asked for is not modelled. The run's result lists each text once."""


class Device(ABC):
    """A device: registers, inputs, outputs, and events in time.

    The board makes one object, with the other parameters of the board file as keyword arguments.
    Names of signals are those after the dot in `[[connect]]`. An exception in any method ends the
    run, with the file and the line.
    """

    outputs: ClassVar[Sequence[str]] = ()
    """Signals that it drives. They are at level 0 until it drives them."""
    inputs: ClassVar[Sequence[str]] = ()
    """Signals that it listens to. They are at level 0 until they change."""
    registers: ClassVar[Mapping[int, str]] = {}
    """Names of registers by offset, for tables of accesses."""
    steady: ClassVar[Sequence[int]] = ()
    """Offsets whose reads change nothing, however often repeated, and return the same value until
    the next event, write or change of an input. A loop that polls such a register is skipped, at
    the same cycles."""

    announces: ClassVar[Sequence[str]] = ()
    """Serial lines on which it announces each character by `begin`. Infrared channels need that."""

    @abstractmethod
    def reset(self, port: Port) -> None:
        """Returns to the state after power-on, and drives the outputs. Runs before anything else,
        and again whenever the board is reset: the same state each time."""

    def read(self, offset: int, width: Width, port: Port) -> int:
        """Returns a register, 0 to 2³² − 1. `offset` is from the device's base, a multiple of the
        width; bits beyond the width are dropped."""
        port.unmodelled(f"a read of offset {offset:#x} of {type(self).__name__}")
        return 0

    def write(self, offset: int, width: Width, value: int, port: Port) -> None:
        """Writes a register."""
        port.unmodelled(f"a write to offset {offset:#x} of {type(self).__name__}")

    def event(self, event: str, port: Port) -> None:
        """Something that it scheduled is due."""
        raise NotImplementedError(f"{type(self).__name__} schedules {event} and has no event()")

    def transferred(self, event: str, value: int | None, port: Port) -> None:
        """A transfer is complete: the value that was read, 0 of a write, None where nothing
        answers."""
        raise NotImplementedError(f"{type(self).__name__} has no transferred()")

    def changed(self, input: str, level: int, port: Port) -> None:
        """An input has a new level, or a value arrived on it."""
        raise NotImplementedError(f"{type(self).__name__} has an input {input} and no changed()")

    def acknowledged(self, output: str, port: Port) -> None:  # noqa: B027 (few devices need it)
        """The core acknowledges the interrupt that this output requests. An ARM never does."""
