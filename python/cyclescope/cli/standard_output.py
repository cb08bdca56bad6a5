"""Standard output that fails in one sentence: full, closed, or without our characters."""

import errno
import io
import os
import sys

from cyclescope.errors import CyclescopeError

CLOSED = "standard output is closed: leave it open, or send it to /dev/null"


class OutputError(CyclescopeError):
    """Standard output takes nothing more."""


class _Output(io.FileIO):
    """File descriptor 1. Everything that prints meets its errors as an `OutputError`."""

    def write(self, data: object) -> int | None:  # type: ignore[override]
        try:
            return super().write(data)  # type: ignore[arg-type]
        except BrokenPipeError:
            raise OutputError(
                "standard output was closed by the program that read it; nothing more is shown"
            ) from None
        except OSError as error:
            remedy = "free space there" if error.errno == errno.ENOSPC else "choose another"
            raise OutputError(
                f"standard output cannot be written: {error.strerror}; {remedy}"
            ) from None


def install() -> None:
    """Makes `sys.stdout` such an output. Raises `OutputError` if there is none.

    A sign that the encoding lacks is shown as `?`; JSON escapes it (`print_json`).
    """
    if sys.stdout is None:
        # The next file of this process must not become standard output by its number.
        os.open(os.devnull, os.O_WRONLY)
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (lives as long as the process)
        raise OutputError(CLOSED)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(_Output(sys.stdout.fileno(), "w", closefd=False)),
        encoding=sys.stdout.encoding,
        errors="replace",
        line_buffering=sys.stdout.isatty(),
    )


def flush() -> None:
    """Writes what is buffered, so that a failure shows while it can be reported."""
    sys.stdout.flush()


def give_up() -> None:
    """Drops what is buffered: the interpreter would try again as it ends, and complain."""
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (lives as long as the process)
