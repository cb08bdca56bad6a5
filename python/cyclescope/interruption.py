"""Ctrl-C that no library swallows, and work that it does not break.

Arrow looks for pandas when it first converts a value, and drops whatever is raised meanwhile, a
`KeyboardInterrupt` too. So an interruption is kept in mind, and long work asks for it.
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class _Asked:
    """Whether somebody asked to stop."""

    ever = False


@contextmanager
def heeded() -> Iterator[None]:
    """Keeps interruptions in mind, unless whoever started the program has it ignore them.

    One that is raised where no error can be, in a callback from C, is kept in mind without a word.
    """
    before, unraisable = signal.getsignal(signal.SIGINT), sys.unraisablehook
    sys.unraisablehook = lambda one: None if one.exc_type is KeyboardInterrupt else unraisable(one)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, _stop)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is _stop:
            signal.signal(signal.SIGINT, before)
        sys.unraisablehook = unraisable
        _Asked.ever = False


@contextmanager
def unbroken() -> Iterator[None]:
    """Work that Ctrl-C does not break: it counts when the work is done. Of the main thread."""
    asked: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: asked.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if asked:
        raise KeyboardInterrupt


def ending() -> None:
    """From now on Ctrl-C has nothing to break: the last word is about to be said."""
    if signal.getsignal(signal.SIGINT) is _stop:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def asked() -> bool:
    """Whether somebody asked to stop."""
    return _Asked.ever


def check() -> None:
    """Interrupts now, if that was asked and got lost."""
    if _Asked.ever:
        raise KeyboardInterrupt


def _stop(number: int, frame: FrameType | None) -> None:
    _Asked.ever = True
    raise KeyboardInterrupt
