"""A board file's energy coefficients, as the analytic way applies them.

See docs/explanation/energy.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cyclescope.firmware import boards

PCONP_AFTER_RESET = 0x3BE
"""Peripherals that are clocked (UM10139, recalled); the firmware leaves it alone."""
FJ_PER_NJ_PER_S = 1_000_000


@dataclass
class Counts:
    """Counts that cost energy, so far: cycles by kind, accesses."""

    active: int = 0
    stall: int = 0
    sram: int = 0
    ahb: int = 0
    vpb: int = 0

    @property
    def cycles(self) -> int:
        return self.active + self.stall


@dataclass(frozen=True)
class PointCoefficients:
    """Femtojoules at one operating point, each rounded once to a whole number."""

    supply_mv: int
    active: int
    stall: int
    sram: int
    ahb: int
    vpb: int
    line: int
    every_cycle: int
    """The quiescent current, and each clocked peripheral."""
    capacitive: int
    """By the law C·V² per cycle (equations 2 to 25)."""

    def energy_fj(self, counts: Counts, lines_read: int) -> int:
        """Returns the energy of these counts."""
        return (
            counts.active * self.active
            + counts.stall * self.stall
            + counts.sram * self.sram
            + counts.ahb * self.ahb
            + counts.vpb * self.vpb
            + lines_read * self.line
            + counts.cycles * self.every_cycle
        )


def supply_mv(board: str, core_hz: int) -> int:
    """The supply at a core clock, by the board file's operating points."""
    points = sorted(boards.energy_of(board).points, key=lambda point: point.core_hz)
    fitting = [point for point in points if point.core_hz >= core_hz]
    return (fitting or points[-1:])[0].supply_mv


def coefficients(board: str, core_hz: int) -> PointCoefficients:
    """The coefficients of a board at a core clock."""
    energy, mv = boards.energy_of(board).table, supply_mv(board, core_hz)
    accesses = {one["to"]: one["fj"] for one in energy.get("access", [])}
    gated = [one for one in energy.get("clocked", []) if PCONP_AFTER_RESET >> _bit(one) & 1]
    power = 1 if energy["supply"] == "regulator" else 2
    share = Fraction(mv, energy["nominal_mv"]) ** power

    def at(fj: int) -> int:
        return _nearest(fj * share)

    quiescent = _nearest(Fraction(energy["quiescent"]["ua"] * mv * FJ_PER_NJ_PER_S, core_hz))
    return PointCoefficients(
        supply_mv=mv,
        active=at(energy["active"]["fj"]),
        stall=at(energy["stall"]["fj"]),
        sram=at(accesses.get("memory.sram", 0)),
        ahb=at(accesses.get("bus.ahb", 0)),
        vpb=at(accesses.get("bus.vpb", 0)),
        line=at(energy["line_read"][0]["fj"]),
        every_cycle=quiescent + sum(at(one["fj"]) for one in gated),
        capacitive=_nearest(Fraction(energy["capacitance"]["ff"] * mv * mv, 1_000_000)),
    )


def _bit(clocked: dict[str, Any]) -> int:
    return int(clocked["gate"]["bit"])


def _nearest(value: Fraction) -> int:
    return int(value + Fraction(1, 2))
