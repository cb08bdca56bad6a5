"""Findings of the measurements of a fragment's blocks (Moreno and Fischmeister, section 5.1)."""

from dataclasses import dataclass
from fractions import Fraction

from cyclescope.quantity import Estimate
from cyclescope.studies.blocks.model import BlockUnknowns, Exactly, Split
from cyclescope.studies.blocks.record import BlockMeasurements


@dataclass(frozen=True)
class Combination:
    """Something that can be estimated: an unknown by itself, or a sum that cannot be split.

    `truth` is there where the target could see every part of it.
    """

    weights: dict[str, Fraction]
    estimate: Estimate
    truth: Exactly | None

    @property
    def text(self) -> str:
        """As people write it: `B0 + B3 + 2 B6`."""
        return _sum(self.weights)

    @property
    def error(self) -> float | None:
        """Estimate less truth."""
        return None if self.truth is None else self.estimate.value - self.truth.mean_cycles


@dataclass(frozen=True)
class BlocksFound:
    """All that the measurements say in one model.

    `combinations` are the finest that are known; `groups` the unknowns that are only known
    together; `unexecuted` those that no input reached. `rejected` counts times far from the median
    of their own measurement. The residual is of mean times, in cycles; `additive` whether it is no
    more than rounding and noise, as it is while each unknown is a constant.
    """

    measured: BlockMeasurements
    model: BlockUnknowns
    combinations: tuple[Combination, ...]
    groups: tuple[tuple[str, ...], ...]
    unexecuted: tuple[str, ...]
    equations: int
    repetitions: int
    rejected: int
    residual_sigma: float
    residual_maximum: float
    additive: bool
    splits: tuple[Split, ...]
    executions: dict[str, int]

    def single(self, name: str) -> Combination | None:
        """The unknown, if it is known by itself."""
        return next((one for one in self.combinations if set(one.weights) == {name}), None)

    @property
    def leaves(self) -> tuple[str, ...]:
        """Where executions were left early."""
        return tuple(one.left_at for one in self.measured.equations if one.left_at is not None)


def _sum(weights: dict[str, Fraction]) -> str:
    text = ""
    for name, weight in weights.items():
        sign = "-" if weight < 0 else "+"
        size = "" if abs(weight) == 1 else f"{abs(weight)} "
        text += f" {sign} {size}{name}" if text or weight < 0 else f"{size}{name}"
    return text.strip()
