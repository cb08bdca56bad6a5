"""Results of `realtime`: scores of a kernel's real-time figures."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope.errors import WrongUsage
from cyclescope.results.kind import Analysis, Asked, Comparative, Kind
from cyclescope.studies.characterize.report.structured import plain
from cyclescope.studies.realtime import storage
from cyclescope.studies.realtime.analyse import analyse
from cyclescope.studies.realtime.compare import compare
from cyclescope.studies.realtime.findings import RealtimeComparison, RealtimeFigures
from cyclescope.studies.realtime.report import compared, terminal
from cyclescope.studies.realtime.report import page as html
from cyclescope.studies.realtime.results import FORMAT_NAME


class RealtimeAnalysis(Analysis):
    """The scores of one folder."""

    def __init__(self, folder: Path) -> None:
        self._results = storage.load(folder)

    @cached_property
    def _found(self) -> RealtimeFigures:
        return analyse(self._results)

    @property
    def problems(self) -> Sequence[str]:
        return self._found.problems

    def document(self) -> dict[str, Any]:
        content: dict[str, Any] = plain(self._found)
        return content

    def show(self, console: Console) -> None:
        terminal.show(self._found, console)

    def page(self) -> str:
        return html.render(self._found, self._results)


class Compared(Comparative):
    """Table I for two folders."""

    def __init__(self, found: RealtimeComparison) -> None:
        self._found = found

    @property
    def problems(self) -> Sequence[str]:
        return ()

    def document(self) -> dict[str, Any]:
        return compared.document(self._found)

    def show(self, console: Console) -> None:
        compared.show(self._found, console)


def _compared(first: Path, second: Path, asked: Asked) -> Compared:
    if asked != Asked():
        raise WrongUsage(
            "--case, --in, --why and --fail-if are of results of characterize: real-time "
            "results are compared without them"
        )
    return Compared(compare(storage.load(first), storage.load(second)))


KIND = Kind(FORMAT_NAME, RealtimeAnalysis, _compared)
