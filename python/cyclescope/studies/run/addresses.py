"""Addresses and memory ranges as the options of `run` give them."""

from cyclescope.errors import CyclescopeError, shortened
from cyclescope.targets.virtual.board import Board


def address(text: str, option: str) -> int:
    """The number; raises CyclescopeError that names the option if it is no 32-bit address."""
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value <= 0xFFFF_FFFF:
        raise CyclescopeError(
            f"{option}: {shortened(text)!r} is not an address: write it like 0x40000000 or in "
            "decimal",
            code="not-an-address",
        )
    return value


def dumped_range(item: str) -> tuple[int, int] | None:
    """Start and length of `ADDRESS:LENGTH` in bytes; None for `registers`."""
    if item == "registers":
        return None
    start, colon, length = item.partition(":")
    if not colon:
        raise CyclescopeError(
            f"--dump {item} is neither 'registers' nor ADDRESS:LENGTH", code="dump-not-understood"
        )
    return address(start, "--dump"), address(length, "--dump")


def require_readable(board: Board, item: str) -> None:
    """Refuses before the run what could not be printed after it."""
    span = dumped_range(item)
    if span is not None:
        try:
            board.read_memory(*span)
        except CyclescopeError as error:
            raise CyclescopeError(f"--dump {item}: {error.sentence}", code=error.code) from None
