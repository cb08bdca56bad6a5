"""Results of `characterize`: what each call costs."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope import storage
from cyclescope.kind import Analysis, Kind
from cyclescope.reports import html, structured, terminal
from cyclescope.results import FORMAT_NAME
from cyclescope.studies.characterize import analyse
from cyclescope.study import Characterization


class CharacterizationAnalysis(Analysis):
    """The table of one folder."""

    def __init__(self, folder: Path) -> None:
        self._results = storage.load(folder)

    @cached_property
    def _found(self) -> Characterization:
        return analyse(self._results)

    @property
    def problems(self) -> Sequence[str]:
        return self._found.problems

    def document(self) -> dict[str, Any]:
        return structured.document(self._found)

    def show(self, console: Console) -> None:
        terminal.show(self._found, console)

    def page(self) -> str:
        return html.render(self._found, self._results)


class CharacterizationKind(Kind):
    """Times of calls under conditions."""

    format = FORMAT_NAME

    def analyse(self, folder: Path) -> CharacterizationAnalysis:
        return CharacterizationAnalysis(folder)


KIND = CharacterizationKind()
