"""Results of `characterize --configurations`: the same calls under several configurations."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope.configuration_study import ConfigurationsFound
from cyclescope.configurations import FORMAT_NAME
from cyclescope.errors import CyclescopeError
from cyclescope.kind import Analysis, Asked, Comparative, Kind
from cyclescope.reports.configurations import page, structured, terminal
from cyclescope.studies.configurations import analyse


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

    def page(self) -> str:
        return page.ratios(self._found)


def _compared(first: Path, second: Path, asked: Asked) -> Comparative:
    raise CyclescopeError(
        f"{first} holds several configurations: compare the folders in it, {first / 'base'} for one"
    )


KIND = Kind(FORMAT_NAME, ConfigurationsAnalysis, _compared)
