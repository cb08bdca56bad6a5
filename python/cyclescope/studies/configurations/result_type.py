"""Results of `characterize --configurations`: the same calls under several configurations."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope.results.result_type import Analysis, ResultType
from cyclescope.studies.configurations.analyse import analyse
from cyclescope.studies.configurations.configurations import FORMAT_NAME
from cyclescope.studies.configurations.findings import ConfigurationsFound
from cyclescope.studies.configurations.report import page, structured, summary, terminal


class ConfigurationsAnalysis(Analysis):
    """The ratios of one campaign."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def _found(self) -> ConfigurationsFound:
        return analyse(self._folder)

    @property
    def problems(self) -> Sequence[str]:
        return self._found.problems

    def document(self) -> dict[str, Any]:
        return structured.ratios(self._found)

    def show(self, console: Console) -> None:
        terminal.show_ratios(self._found, console)

    def summarise(self, console: Console) -> None:
        summary.summarise_ratios(self._found, console)

    def page(self) -> str:
        return page.ratios(self._found)


RESULT_TYPE = ResultType(FORMAT_NAME, ConfigurationsAnalysis)
