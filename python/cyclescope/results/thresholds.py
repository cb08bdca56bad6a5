"""Thresholds of an analysis: the limits its judgements rest on, and where x begins.

They stand in the manifest, so that an analysis made again judges alike.
"""

from typing import Literal

from pydantic import Field

from cyclescope.record import Record


class Terms(Record):
    """Thresholds of an analysis of calls.

    `relative_sigma` of the mean is the deviation that a series may have to be significant
    (Brandolese and Fornaciari, sections 3 and 4.1: "sufficiently low"). It is no less than
    `least_cycles` and one count of the timer. `relative_residual`, with the same floor, is how far
    a law may be from any measured mean. `significance` is that of every test. `origin` is where q
    is taken: x = 0 is the zero of the parameter itself, also where no such x was measured.
    """

    clustering: str = "peaks"
    relative_sigma: float = Field(default=0.05, gt=0)
    relative_residual: float = Field(default=0.05, gt=0)
    least_cycles: float = Field(default=4.0, ge=0)
    significance: float = Field(default=0.01, gt=0, lt=1)
    origin: Literal[0] = 0

    def sigma_limit(self, cycles: float, resolution: float) -> float:
        """The deviation allowed of times of so many cycles."""
        return max(self.relative_sigma * abs(cycles), self.least_cycles, resolution)

    def residual_limit(self, cycles: float, resolution: float) -> float:
        """How far a law may be off a mean of so many cycles."""
        return max(self.relative_residual * abs(cycles), self.least_cycles, resolution)
