"""Results of `characterize`: what each call costs, and what it costs elsewhere."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope.laws import clustering
from cyclescope.results import FORMAT_NAME, Results, storage
from cyclescope.results.result_type import Analysis, ResultType
from cyclescope.studies.characterize.analyse import analyse, examine
from cyclescope.studies.characterize.findings import Characterization
from cyclescope.studies.characterize.report import page, structured, summary, terminal
from cyclescope.studies.characterize.report.illustration import illustrate


class CharacterizationAnalysis(Analysis):
    """The table of one folder. An executor shares the work of its page."""

    def __init__(self, results: Results, executor: Executor | None = None, jobs: int = 1) -> None:
        self._results, self._executor, self._jobs = results, executor, jobs

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

    def summarise(self, console: Console) -> None:
        summary.summarise(self._found, console)

    def page(self) -> str:
        results = self._results
        draw = partial(
            illustrate, folder=results.folder, fingerprint=results.conditions.fingerprint()
        )
        self._found, illustrations = examine(results, draw, self._executor, self._jobs)
        return page.render(self._found, illustrations)

    def by_clustering(self, name: str) -> "CharacterizationAnalysis":
        manifest = self._results.manifest
        terms = manifest.terms.model_copy(update={"clustering": clustering.find(name).name})
        changed = manifest.model_copy(update={"terms": terms})
        return CharacterizationAnalysis(replace(self._results, manifest=changed))


def _analysis(folder: Path) -> CharacterizationAnalysis:
    return CharacterizationAnalysis(storage.load(folder))


RESULT_TYPE = ResultType(FORMAT_NAME, _analysis)
