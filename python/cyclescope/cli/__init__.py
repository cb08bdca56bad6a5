"""The command line: options, output, errors of usage. Its verbs are those of the questions."""

import signal
from collections.abc import Sequence

__all__ = ["execute", "main"]


def execute(arguments: Sequence[str]) -> int:
    """Runs one command line and returns its exit code."""
    from cyclescope.cli import program as _program

    return _program.execute(arguments)


def main() -> None:
    """The `cyclescope` program. Ctrl-C while it is loaded ends it at once, without a trace."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from cyclescope.cli import program as _program

    signal.signal(signal.SIGINT, before)
    _program.main()
