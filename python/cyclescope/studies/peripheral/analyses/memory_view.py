"""How a board's memory and its reader are known: by Linux's structures, or by a station's image."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from cyclescope.firmware.linux.built import RAM, RAM_END
from cyclescope.firmware.linux.layout import ElfSymbols, layout
from cyclescope.firmware.linux.objects import GuestMemory, symbols_of
from cyclescope.firmware.linux.ram_copy import GuestObject
from cyclescope.studies.peripheral.board_system import BoardSystem, linux
from cyclescope.studies.peripheral.infrared.freertos import FreertosStation
from cyclescope.studies.peripheral.infrared.station_memory import StationMemory
from cyclescope.targets.virtual.board import Board

LINUX_HANDLER, LINUX_RETURNS = "atmel_interrupt", "ret_fast_syscall"
STATION_HANDLERS, STATION_RETURNS = ("line_usart_taken", "line_entered"), "framer_receive"
"""The handler of the PDC's interrupts in C, or of each received octet's in assembly."""
STATION_SENDS = "send_entered"
"""The handler of each octet that is sent, where one is."""


class BoardMemory(Protocol):
    """A board's memory as it stood at one cycle."""

    def symbol(self, address: int) -> tuple[str, str] | None:
        """The image and the function or object at an address."""

    def at(self, address: int) -> GuestObject:
        """The object that an address belongs to."""

    def saves_register(self, address: int) -> bool:
        """Whether the instruction at an address saves registers."""

    def file_pages(self, size: int, content: bytes) -> list[GuestObject]:
        """Pages that hold a file of this content, in its order; none without it."""

    def held_by(self, name: str) -> Callable[[int], bool]:
        """Whether an address lies in the memory of a program."""


@dataclass(frozen=True)
class MemoryView:
    """Addresses of the line's handlers, and of the first instruction behind the reader's call that
    handed bytes over. `copied` copies a board's memory."""

    handlers: tuple[int, ...]
    returns: int
    copied: Callable[[Board], BoardMemory]


def view(system: BoardSystem) -> MemoryView:
    """The view of a board's system. Raises CyclescopeError for one that is not known."""
    if isinstance(system, FreertosStation):
        return _station(system)
    composed = linux(system)
    kernel, programs = layout(composed.kernel.vmlinux), symbols_of(composed.programs)
    handler, returns = (kernel.symbols.named(name) for name in (LINUX_HANDLER, LINUX_RETURNS))
    return MemoryView(
        (handler.start,), returns.start, lambda board: GuestMemory(_ram(board), kernel, programs)
    )


def _station(system: FreertosStation) -> MemoryView:
    symbols = ElfSymbols(system.elf.read_bytes())
    receives = next(one for one in STATION_HANDLERS if symbols.has(one))
    names = [receives, *([STATION_SENDS] if symbols.has(STATION_SENDS) else [])]
    handlers = tuple(symbols.named(one).start for one in names)
    returns = symbols.named(STATION_RETURNS)
    return MemoryView(
        handlers, returns.start, lambda board: StationMemory(_ram(board), RAM, symbols)
    )


def _ram(board: Board) -> bytes:
    return board.read_memory(RAM, RAM_END - RAM)
