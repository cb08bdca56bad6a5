"""The command line: options, output, errors of usage. Its verbs are those of the questions."""

import os
import signal
import sys
from collections.abc import Sequence

__all__ = ["execute", "main"]


def execute(arguments: Sequence[str]) -> int:
    """Runs one command line and returns its exit code."""
    from cyclescope.cli import program as _program

    return _program.execute(arguments)


def main() -> None:
    """The `cyclescope` program. Ctrl-C while it is loaded ends it at once, with a sentence."""
    # Processes share the cores. Each would have threads for each core, which wait by computing.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end_loading)
    from cyclescope.cli import program as _program

    signal.signal(signal.SIGINT, before)
    _program.main()


def _end_loading(_number: int, _frame: object) -> None:
    """Ends the program where nothing has begun; no exception, which a module could swallow."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # else Ctrl-C again says the sentence again
    if "--json" in sys.argv:
        os.write(1, b'{"error": "interrupted", "code": "interrupted"}\n')
    os.write(2, b"cyclescope: interrupted\n")
    os._exit(128 + signal.SIGINT)
