"""Results of `options`: what each option of a kernel adds to each call."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope.results.result_type import Analysis, ResultType
from cyclescope.studies.configurations.analyse import analyse, costs
from cyclescope.studies.configurations.configurations import COSTS_FORMAT_NAME
from cyclescope.studies.configurations.findings import ConfigurationsFound, CostRow
from cyclescope.studies.configurations.report import page, structured, summary, terminal


class CostsAnalysis(Analysis):
    """The table of calls and options of one campaign."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def _found(self) -> ConfigurationsFound:
        return analyse(self._folder)

    @cached_property
    def _rows(self) -> list[CostRow]:
        return costs(self._found)

    @property
    def problems(self) -> Sequence[str]:
        return self._found.problems

    def document(self) -> dict[str, Any]:
        return structured.costs(self._found, self._rows)

    def show(self, console: Console) -> None:
        terminal.show_costs(self._found, self._rows, console)

    def summarise(self, console: Console) -> None:
        summary.summarise_costs(self._found, self._rows, console)

    def page(self) -> str:
        return page.costs(self._found, self._rows)


RESULT_TYPE = ResultType(COSTS_FORMAT_NAME, CostsAnalysis)
