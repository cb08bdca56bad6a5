"""Results of `proposals`: what each image took to receive one file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope.results.result_type import Analysis, ResultType
from cyclescope.studies.proposals import results
from cyclescope.studies.proposals.report import page, terminal
from cyclescope.studies.proposals.report.rows import problems
from cyclescope.studies.proposals.results import FORMAT_NAME


class ProposalsAnalysis(Analysis):
    """The comparisons of one folder."""

    def __init__(self, folder: Path) -> None:
        self._found = results.load(folder)

    @property
    def problems(self) -> Sequence[str]:
        return problems(self._found)

    def document(self) -> dict[str, Any]:
        manifest = self._found.model_dump(mode="json")
        comparisons = [
            {
                "key": one.key,
                "title": one.title,
                "base": one.base.name,
                "images": [image.name for image in one.images],
            }
            for one in self._found.ablations
        ]
        return {**manifest, "comparisons": comparisons}

    def show(self, console: Console) -> None:
        terminal.show(self._found, console)

    def summarise(self, console: Console) -> None:
        terminal.summarise(self._found, console)

    def page(self) -> str:
        return page.render(self._found)


RESULT_TYPE = ResultType(FORMAT_NAME, ProposalsAnalysis)
