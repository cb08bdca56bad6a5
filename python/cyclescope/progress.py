"""How long work reports what it has done so far."""

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Takes how many parts are done, how many there are, and the name of the one that ended last."""


def unreported(done: int, total: int, what: str) -> None:
    """Drops the report: the progress of work that no one follows."""
