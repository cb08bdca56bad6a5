"""A board file's energy coefficients, as the analytic way applies them.

See docs/explanation/energy.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards

CLOCKED_AFTER_RESET = {"scb.pconp": 0x3BE}
"""Peripherals that are clocked, by the signal of their gates (UM10139, recalled). The firmware
leaves it alone."""
FJ_PER_NJ_PER_S = 1_000_000


@dataclass
class Counts:
    """Counts that cost energy, so far: cycles by kind, accesses."""

    active: int = 0
    stall: int = 0
    accesses: dict[str, int] = field(default_factory=dict)
    """By the part of the board, `memory.<name>` or `bus.<name>`."""

    def copy(self) -> "Counts":
        """Counts that go on by themselves."""
        return replace(self, accesses=dict(self.accesses))

    @property
    def cycles(self) -> int:
        return self.active + self.stall


@dataclass(frozen=True)
class PointCoefficients:
    """Femtojoules at one operating point, each rounded once to a whole number."""

    supply_mv: int
    active: int
    stall: int
    accesses: Mapping[str, int]
    """By part, those that cost anything."""
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
            + sum(counts.accesses.get(part, 0) * fj for part, fj in self.accesses.items())
            + lines_read * self.line
            + counts.cycles * self.every_cycle
        )


def supply_mv(board: str, core_hz: int) -> int:
    """The supply at a core clock, by the board file's operating points."""
    points = sorted(boards.energy_of(board).points, key=lambda point: point.core_hz)
    fitting = [point for point in points if point.core_hz >= core_hz]
    return (fitting or points[-1:])[0].supply_mv


def gates(board: str) -> set[str]:
    """The signals that say which of a board's devices are clocked."""
    clocked = boards.energy_of(board).table.get("clocked", [])
    return {one["gate"]["signal"] for one in clocked if "gate" in one}


def coefficients(
    board: str, core_hz: int, levels: Mapping[str, int] = CLOCKED_AFTER_RESET
) -> PointCoefficients:
    """The coefficients of a board at a core clock; `levels` are those of its gates."""
    energy, mv = boards.energy_of(board).table, supply_mv(board, core_hz)
    clocked = [one for one in energy.get("clocked", []) if _is_clocked(one, levels)]
    lines = energy.get("line_read", [])
    power = 1 if energy["supply"] == "regulator" else 2
    share = Fraction(mv, energy["nominal_mv"]) ** power

    def at(fj: int) -> int:
        return _nearest(fj * share)

    quiescent = _nearest(Fraction(energy["quiescent"]["ua"] * mv * FJ_PER_NJ_PER_S, core_hz))
    return PointCoefficients(
        supply_mv=mv,
        active=at(energy["active"]["fj"]),
        stall=at(energy["stall"]["fj"]),
        accesses={one["to"]: at(one["fj"]) for one in energy.get("access", [])},
        line=at(lines[0]["fj"]) if lines else 0,
        every_cycle=quiescent + sum(at(one["fj"]) for one in clocked),
        capacitive=_nearest(Fraction(energy["capacitance"]["ff"] * mv * mv, 1_000_000)),
    )


def _is_clocked(peripheral: dict[str, Any], levels: Mapping[str, int]) -> bool:
    gate = peripheral.get("gate")
    if gate is None:
        return True
    clocked = levels.get(gate["signal"])
    if clocked is None:
        raise CyclescopeError(
            f"the analytic model of a switch does not know which devices {gate['signal']} clocks: "
            "leave their gates out of the board file's [energy], or choose another board",
            code="switch-of-unknown-gate",
        )
    return bool(clocked >> gate["bit"] & 1)


def _nearest(value: Fraction) -> int:
    return int(value + Fraction(1, 2))
