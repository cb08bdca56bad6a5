"""Operating points of a board, and what a schedule takes at each (Pillai and Isha, equations 1, 2).

Two laws, as docs/explanation/energy.md has them. One is C·V² for each cycle that executes. The
other is by kind: every cycle that executes is an active one, the others are idle, and the quiescent
current flows all the time. Memories and devices are left out: what they take depends on the
program.
"""

from dataclasses import dataclass

from cyclescope.firmware import boards

FJ_PER_NW_S = 1_000_000
"""1 µA at 1 mV is 1 nW: a million femtojoules a second."""


@dataclass(frozen=True)
class BoardCoefficients:
    """Of a board file's [energy]; energies in femtojoules at the nominal voltage."""

    is_direct: bool
    nominal_mv: int
    quiescent_ua: int
    capacitance_ff: int
    active_fj: int
    idle_fj: int


@dataclass(frozen=True)
class PointCosts:
    """A clock with its supply, and what cycles take there."""

    name: str
    core_hz: int
    supply_mv: int
    coefficients: BoardCoefficients

    def capacitive_uj(self, busy_cycles: float) -> float:
        """C·V² for each cycle that executes."""
        return self.coefficients.capacitance_ff * self.supply_mv**2 * busy_cycles / 1e15

    def by_kind_uj(self, busy_cycles: float, idle_cycles: float) -> float:
        """Active and idle cycles, and the quiescent current over both."""
        one = self.coefficients
        scale = (self.supply_mv / one.nominal_mv) ** (2 if one.is_direct else 1)
        cycles_fj = (busy_cycles * one.active_fj + idle_cycles * one.idle_fj) * scale
        time_s = (busy_cycles + idle_cycles) / self.core_hz
        quiescent_fj = one.quiescent_ua * self.supply_mv * FJ_PER_NW_S * time_s
        return (cycles_fj + quiescent_fj) / 1e9


def points_of(board: str) -> list[PointCosts]:
    """The operating points of a board, the slowest first."""
    energy, points = boards.energy_of(board)
    coefficients = BoardCoefficients(
        is_direct=energy["supply"] == "direct",
        nominal_mv=energy["nominal_mv"],
        quiescent_ua=energy["quiescent"]["ua"],
        capacitance_ff=energy["capacitance"]["ff"],
        active_fj=energy["active"]["fj"],
        idle_fj=energy["idle"]["fj"],
    )
    made = [PointCosts(*one, coefficients) for one in points]
    return sorted(made, key=lambda point: point.core_hz)
