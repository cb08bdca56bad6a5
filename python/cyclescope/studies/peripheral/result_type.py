"""Results of `peripheral`: what transfers over a serial line cost."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope.results.result_type import Analysis, ResultType
from cyclescope.studies.peripheral import results
from cyclescope.studies.peripheral.report import matrix, page, terminal
from cyclescope.studies.peripheral.results import FORMAT_NAME


class PeripheralAnalysis(Analysis):
    """The transfers of one folder."""

    def __init__(self, folder: Path) -> None:
        self._found = results.load(folder)

    @property
    def problems(self) -> Sequence[str]:
        return list(matrix.problems(self._found))

    def document(self) -> dict[str, Any]:
        transfers = [
            {
                "name": one.setting.name,
                **one.record.model_dump(mode="json", exclude={"format", "version"}),
                "analyses": self._found.documents(one.setting),
            }
            for one in self._found.transfers()
        ]
        manifest = self._found.manifest.model_dump(mode="json", exclude={"planned", "finished"})
        planned = [one.name for one in self._found.manifest.planned]
        return {**manifest, "planned": planned, "transfers": transfers}

    def show(self, console: Console) -> None:
        terminal.show(self._found, list(self.problems), console)

    def summarise(self, console: Console) -> None:
        terminal.summarise(self._found, list(self.problems), console)

    def page(self) -> str:
        return page.render(self._found, list(self.problems))


RESULT_TYPE = ResultType(FORMAT_NAME, PeripheralAnalysis)
