"""Drawings of one case when its row opens: its pictures, and where its cycles go.

It is made while the samples of the case are at hand, in any process, and is small.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cyclescope.report.page import Json, json_text
from cyclescope.results import Run
from cyclescope.studies.characterize.findings import CaseAnalysis
from cyclescope.studies.characterize.report import figures
from cyclescope.studies.explain.report.page import Explained, explained


@dataclass(frozen=True)
class Illustration:
    """The pictures of a case by their kind, and its explanation if there is one.

    `equal` is said where samples do not differ, so that a picture of them would show nothing.
    """

    pictures: dict[str, Json]
    equal: str | None
    explained: Explained | None


def illustrate(
    one: CaseAnalysis, runs: Sequence[Run], folder: Path, fingerprint: str
) -> Illustration:
    """From the runs of the case, and its explanation under these conditions."""
    drawn = figures.of_case(one, runs)
    return Illustration(
        {kind: json_text(figure) for kind, figure in drawn.items()},
        figures.equal(one, runs),
        explained(folder, one.case, fingerprint),
    )
