"""Results of `time`: what one execution of a fragment takes."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope import storage
from cyclescope.blocks import record
from cyclescope.blocks.found import BlocksFound
from cyclescope.fragment_study import FragmentStudy
from cyclescope.kind import Analysis, Kind
from cyclescope.reports import blocks as block_report
from cyclescope.reports.fragments import page, structured, terminal
from cyclescope.results import TIMES_FORMAT_NAME
from cyclescope.studies import blocks
from cyclescope.studies.time import analyse


class TimesAnalysis(Analysis):
    """The techniques of one folder."""

    def __init__(self, folder: Path) -> None:
        self._results = storage.load(folder)

    @cached_property
    def _found(self) -> FragmentStudy:
        return analyse(self._results)

    @cached_property
    def _blocks(self) -> BlocksFound | None:
        """What is known of the basic blocks, if this very image's were measured."""
        measured = record.load(self._results.folder)
        if measured is None or measured.conditions != self._results.manifest.conditions:
            return None
        return blocks.analyse(measured)

    @property
    def problems(self) -> Sequence[str]:
        return ()

    def document(self) -> dict[str, Any]:
        content = structured.document(self._found)
        if self._blocks:
            content["blocks"] = block_report.document(self._blocks)
        return content

    def show(self, console: Console) -> None:
        terminal.show(self._found, console)
        if self._blocks:
            block_report.show(self._blocks, console)

    def page(self) -> str:
        return page.render(self._found, block_report.part(self._blocks) if self._blocks else "")


KIND = Kind(TIMES_FORMAT_NAME, TimesAnalysis)
