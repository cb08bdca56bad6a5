"""The bar of a verb's progress on a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    Task,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text


class _Counted(MofNCompleteColumn):
    """How many parts are done, of how many where that is known."""

    def render(self, task: Task) -> Text:
        if task.total is None:
            return Text(f"{int(task.completed):,}" if task.completed else "")
        return super().render(task)


@contextmanager
def shown() -> Iterator[Callable[[int, int, str], None]]:
    """A bar on standard error, and what advances it: done, of how many, what is done."""
    columns = (
        BarColumn(),
        _Counted(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def advance(done: int, total: int, what: str) -> None:
            bar.update(task, completed=done, total=total or None, description=what)

        yield advance
