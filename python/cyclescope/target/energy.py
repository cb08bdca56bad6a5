"""Energy: the model that a power meter worked by, as results name it.

See docs/explanation/energy.md.
"""

from pydantic import Field

from cyclescope.record import Record

FJ_PER_UJ = 1_000_000_000


def microjoules(energy_fj: float) -> float:
    """Femtojoules, which meters count in, as the unit that people read.

    >>> microjoules(2_200_000)
    0.0022
    """
    return energy_fj / FJ_PER_UJ


class EnergyCoefficient(Record):
    """One figure of the model with its source, or else the rule that says it is unverified."""

    of: str
    value: int
    unit: str
    source: str | None = None
    rule: str | None = None


class EnergyModel(Record):
    """A board's energy by kind of cycle and event, and the operating point it was measured at.

    The coefficients hold at `nominal_mv`. With the supply "regulator" energies go with the supply
    voltage, with "direct" with its square. `operating_point` is None on a board without any.
    """

    supply: str
    nominal_mv: int = Field(gt=0)
    operating_point: str | None
    supply_mv: int = Field(gt=0)
    capacitance_ff: int = Field(ge=0)
    coefficients: tuple[EnergyCoefficient, ...]

    @property
    def sentence(self) -> str:
        """The model as text, for the head of a report."""
        at = "" if self.operating_point is None else f"operating point {self.operating_point}, "
        rules = sorted({one.rule for one in self.coefficients if one.rule})
        doubt = f"; unverified: {', '.join(rules)}" if rules else ""
        return (
            f"by kind of cycle and event, {at}{self.supply_mv / 1000:g} V, {self.supply} supply"
            f"{doubt} (docs/explanation/energy.md)"
        )
