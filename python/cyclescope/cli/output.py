"""Where text, JSON, files and progress of all verbs go."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Any

import typer

from cyclescope.errors import CyclescopeError, unwritable

if TYPE_CHECKING:
    # Much of what is printed is plain text or JSON, and is there sooner without rich.
    from rich.console import Console

    from cyclescope.cli.options import Shown
    from cyclescope.results.result_type import Finding

REPORT = "report.html"
"""The page in a results folder."""

WIDTH = 80
"""Columns of output that is not a terminal's."""


def console() -> "Console":
    """Standard output, at a terminal's own width or 80 columns."""
    from rich.console import Console

    return Console() if sys.stdout.isatty() else Console(width=WIDTH)


def width() -> int:
    """Columns of standard output: the terminal's own, or 80."""
    return get_terminal_size().columns if sys.stdout.isatty() else WIDTH


def print_wrapped(sentence: str) -> None:
    """Prints a sentence in lines of a terminal's width, a path in it whole; elsewhere in one."""
    if sys.stdout.isatty():
        sentence = fill(sentence, width(), break_long_words=False, break_on_hyphens=False)
    print(sentence)


def print_json(content: Any) -> None:
    """Prints one JSON document; characters that the output's encoding lacks are escaped."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(content, indent=2, ensure_ascii=not unicode, allow_nan=False))


def write_file(path: Path, text: str) -> None:
    """Writes a file that can be made again, whole or not at all; a failure is one sentence."""
    from cyclescope.results.whole_files import write_whole

    try:
        if path.is_file() or not path.exists():
            write_whole(path, text.encode())
        else:
            path.write_text(text)  # a device, say, which nothing may take the place of
    except OSError as error:
        raise CyclescopeError(unwritable(path, error), code="cannot-write") from None


def show(found: "Finding", full: bool) -> None:
    """Prints all that was found, or its summary."""
    if full:
        found.show(console())
    else:
        found.summarise(console())


def conclude(folder: Path, shown: "Shown") -> None:
    """Writes the report of what was measured into its folder and shows what it found."""
    from cyclescope.results import result_type

    report = folder / REPORT
    with working("analysing", shown.json):
        found = result_type.of(folder).analyse(folder)
        write_file(report, found.page())
    if shown.json:
        print_json({"folder": str(folder), "report": str(report), **found.document()})
    else:
        show(found, shown.full)
        print_wrapped(f"results in {folder}, report in {report}")
    if found.problems:
        raise typer.Exit(1)


@contextmanager
def progress(quiet: bool) -> Iterator[Callable[[int, int, str], None]]:
    """A bar on standard error while it is a terminal, unless `quiet`."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield lambda _done, _total, _what: None
        return
    from cyclescope.cli import progress_bar

    with progress_bar.shown() as advance:
        yield advance


@contextmanager
def working(what: str, quiet: bool) -> Iterator[None]:
    """Shows that work goes on whose parts are not counted."""
    with progress(quiet) as advance:
        advance(0, 0, what)
        yield
