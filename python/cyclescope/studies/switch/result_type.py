"""Results of `switch`: what a context switch costs."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope.results.result_type import Analysis, ResultType
from cyclescope.studies.switch.report import page, summary, terminal
from cyclescope.studies.switch.results import FORMAT_NAME, SwitchResults, load


class SwitchAnalysis(Analysis):
    """The switches of one folder."""

    def __init__(self, folder: Path) -> None:
        self._found = load(folder)

    @property
    def problems(self) -> Sequence[str]:
        return list(_problems(self._found))

    def document(self) -> dict[str, Any]:
        content: dict[str, Any] = self._found.model_dump(mode="json")
        return content

    def show(self, console: Console) -> None:
        terminal.show(self._found, console)

    def summarise(self, console: Console) -> None:
        summary.summarise(self._found, self.problems, console)

    def page(self) -> str:
        return page.render(self._found, list(self.problems))


def _problems(found: SwitchResults) -> Iterator[str]:
    """Rows in which the ways do not agree."""
    for target in found.targets:
        for row in target.rows:
            where = (
                f"{target.kernel} at {target.point.name}, {row.uart}, {row.operations} operations"
            )
            if row.analytic_differences:
                yield (
                    f"{where}: the analytic way differs from the simulation at "
                    f"{row.analytic_differences:,} boundaries: do not use its figures"
                )


RESULT_TYPE = ResultType(FORMAT_NAME, SwitchAnalysis)
