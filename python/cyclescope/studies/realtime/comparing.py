"""Compares two folders of `realtime`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope.errors import WrongUsage
from cyclescope.results.result_type import Asked, Comparative
from cyclescope.studies.realtime import storage
from cyclescope.studies.realtime.compare import compare
from cyclescope.studies.realtime.findings import RealtimeComparison
from cyclescope.studies.realtime.report import compared, summary
from cyclescope.studies.realtime.results import FORMAT_NAME


class RealtimeCompared(Comparative):
    """Table I for two folders."""

    def __init__(self, found: RealtimeComparison) -> None:
        self._found = found

    @property
    def problems(self) -> Sequence[str]:
        return ()

    def document(self) -> dict[str, Any]:
        return compared.document(self._found)

    def show(self, console: Console) -> None:
        compared.show(self._found, console)

    def summarise(self, console: Console) -> None:
        summary.summarise_comparison(self._found, console)


def _compared(first: Path, second: Path, asked: Asked) -> RealtimeCompared:
    if asked != Asked():
        raise WrongUsage(
            "--case, --in, --why, --fail-if and --pairs are of results of characterize: real-time "
            "results are compared without them",
            code="option-not-for-realtime",
        )
    return RealtimeCompared(compare(storage.load(first), storage.load(second)))


COMPARISONS = {FORMAT_NAME: _compared}
