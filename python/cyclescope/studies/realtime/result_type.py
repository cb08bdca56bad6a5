"""Results of `realtime`: scores of a kernel's real-time figures."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope.report.structured import plain
from cyclescope.results.result_type import Analysis, ResultType
from cyclescope.studies.realtime import storage
from cyclescope.studies.realtime.analyse import analyse
from cyclescope.studies.realtime.findings import RealtimeFigures
from cyclescope.studies.realtime.report import page, summary, terminal
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

    def summarise(self, console: Console) -> None:
        summary.summarise(self._found, console)

    def page(self) -> str:
        return page.render(self._found, self._results)


RESULT_TYPE = ResultType(FORMAT_NAME, RealtimeAnalysis)
