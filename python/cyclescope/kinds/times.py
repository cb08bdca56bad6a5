"""Results of `time`: what one execution of a fragment takes."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope import storage
from cyclescope.fragment_study import FragmentStudy
from cyclescope.kind import Analysis, Kind
from cyclescope.reports.fragments import page, structured, terminal
from cyclescope.results import TIMES_FORMAT_NAME
from cyclescope.studies.time import analyse


class TimesAnalysis(Analysis):
    """The techniques of one folder."""

    def __init__(self, folder: Path) -> None:
        self._results = storage.load(folder)

    @cached_property
    def _found(self) -> FragmentStudy:
        return analyse(self._results)

    @property
    def problems(self) -> Sequence[str]:
        return ()

    def document(self) -> dict[str, Any]:
        return structured.document(self._found)

    def show(self, console: Console) -> None:
        terminal.show(self._found, console)

    def page(self) -> str:
        return page.render(self._found)


class TimesKind(Kind):
    """Times of a fragment by several techniques."""

    format = TIMES_FORMAT_NAME

    def analyse(self, folder: Path) -> TimesAnalysis:
        return TimesAnalysis(folder)


KIND = TimesKind()
