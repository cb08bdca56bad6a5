"""Results of `time`: what one execution of a fragment takes."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope.results import TIMES_FORMAT_NAME, storage
from cyclescope.results.result_type import Analysis, ResultType
from cyclescope.studies.blocks import record
from cyclescope.studies.blocks.analyse import analyse_blocks
from cyclescope.studies.blocks.found import BlocksFound
from cyclescope.studies.blocks.report import blocks
from cyclescope.studies.blocks.report.summary import most_time
from cyclescope.studies.time.analyse import analyse
from cyclescope.studies.time.findings import FragmentStudy
from cyclescope.studies.time.report import page, structured, summary, terminal


class TimesAnalysis(Analysis):
    """The techniques of one folder."""

    def __init__(self, folder: Path) -> None:
        self._results = storage.load(folder)

    @cached_property
    def _found(self) -> FragmentStudy:
        return analyse(self._results)

    @cached_property
    def _blocks(self) -> BlocksFound | None:
        """Returns the findings of the basic blocks, if this very image's were measured."""
        measured = record.load(self._results.folder)
        if measured is None or measured.conditions != self._results.manifest.conditions:
            return None
        return analyse_blocks(measured)

    @property
    def problems(self) -> Sequence[str]:
        return ()

    def document(self) -> dict[str, Any]:
        content = structured.document(self._found)
        if self._blocks:
            content["blocks"] = blocks.document(self._blocks)
        return content

    def show(self, console: Console) -> None:
        terminal.show(self._found, console)
        if self._blocks:
            blocks.show(self._blocks, console)

    def summarise(self, console: Console) -> None:
        spent = most_time(self._blocks) if self._blocks else None
        summary.summarise(self._found, spent, console)

    def page(self) -> str:
        return page.render(self._found, blocks.part(self._blocks) if self._blocks else "")


RESULT_TYPE = ResultType(TIMES_FORMAT_NAME, TimesAnalysis)
