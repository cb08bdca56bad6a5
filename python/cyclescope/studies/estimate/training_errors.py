"""How far estimates of training programs were off, by configuration: what intervals are made of."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cyclescope.firmware.configuration import Configuration
from cyclescope.studies.estimate.estimated import ProgramEstimate
from cyclescope.studies.estimate.source import prices as source_prices

FILE = Path(__file__).parent / "training_errors.json"
"""Written by `benches/paper_000/intervals.py`."""


@dataclass(frozen=True)
class TrainingErrors:
    """Parts of the estimated cycles that 90 % of training programs stay within.

    `own` is of own code by `blocks`, `calls` of calls in all ways. `contradicted` and `unpriced`
    are the greatest shares of a training program: cycles whose counts the image contradicts, and
    cycles of calls without a law. `is_known` is false for configurations without training
    programs: they take the greatest figures of all.
    """

    own: float
    calls: float
    contradicted: float
    unpriced: float
    is_known: bool = True

    def own_bounds(self, contradicted: float = 0.0) -> tuple[float, float]:
        """Bounds of the true cycles of own code, as parts of the estimated ones.

        `contradicted` is the share of these that the image contradicts. If it is greater than in
        training, all of that share is in doubt: the bounds are wider by it.
        """
        off = self.own + (contradicted if contradicted > self.contradicted else 0.0)
        return max(1 - off, 0.0), 1 + off


def training_errors(configuration: Configuration, level: str) -> TrainingErrors:
    """The errors in one configuration at one level of optimisation."""
    found = _all()
    one = found.get(source_prices.name_of(configuration, level))
    if one is not None:
        return one
    return TrainingErrors(
        max((row.own for row in found.values()), default=0.0),
        max((row.calls for row in found.values()), default=0.0),
        max((row.contradicted for row in found.values()), default=0.0),
        max((row.unpriced for row in found.values()), default=0.0),
        is_known=False,
    )


@cache
def _all() -> Mapping[str, TrainingErrors]:
    found = json.loads(FILE.read_text()) if FILE.is_file() else {}
    return {
        where: TrainingErrors(row["own"], row["calls"], row["contradicted"], row["unpriced"])
        for where, row in found.items()
    }


def unseen_paths(contradicted: float, known: TrainingErrors) -> list[str]:
    """What to doubt of counts that fit the image worse than those of any training program."""
    if not known.is_known:
        return [
            "no training program ran in this configuration: the interval has the greatest errors "
            "of all others"
        ]
    if contradicted <= known.contradicted:
        return []
    return [
        f"the image contradicts the counts of {contradicted:.1%} of own cycles, in training at "
        f"most {known.contradicted:.1%}: training never saw such paths, the interval is wider by "
        "that share"
    ]


def unseen_calls(estimate: ProgramEstimate, known: TrainingErrors) -> list[str]:
    """What to doubt of calls that have less of laws than those of any training program."""
    share = share_without_law(estimate)
    if not known.is_known or share <= known.unpriced:
        return []
    return [
        f"{share:.1%} of the cycles are in calls without a law of their condition, in training at "
        f"most {known.unpriced:.1%}: the interval may be too narrow"
    ]


def share_without_law(estimate: ProgramEstimate) -> float:
    """The part of all cycles that is in calls without a law of their condition."""
    cycles = estimate.cycles
    return sum(one.cycles for one in estimate.unpriced) / cycles if cycles else 0.0
