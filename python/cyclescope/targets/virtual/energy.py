"""The power meter of a virtual board: its model, and the energy of samples and of calls."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.probed_timer import ProbedTimer
from cyclescope.firmware.probes import Sites
from cyclescope.target.energy import EnergyCoefficient, EnergyModel
from cyclescope.target.series import Series
from cyclescope.target.target import CallEnergy
from cyclescope.targets.virtual.board import Board

Reading = tuple[int, int, int, int, int]
"""Cycle, address and value of an access, and the femtojoules spent so far: all, and by C·V²."""


def energy_model(board: Board, core_hz: int) -> EnergyModel:
    """The model in the board's file, at the operating point of a core clock."""
    described = board.describe()
    if "energy" not in described:
        raise CyclescopeError(
            f"{board.name} has no energy model: measure without --energy, or give its board file "
            "an [energy] table (docs/reference/boards.md)",
            code="no-energy-model",
        )
    energy = described["energy"]
    point = _operating_point(described.get("operating_point", []), core_hz)
    return EnergyModel(
        supply=energy["supply"],
        nominal_mv=energy["nominal_mv"],
        operating_point=point["name"] if point else None,
        supply_mv=point["supply_mv"] if point else energy["nominal_mv"],
        capacitance_ff=energy["capacitance"]["ff"],
        coefficients=tuple(_coefficients(energy)),
    )


def _operating_point(points: list[dict[str, Any]], core_hz: int) -> dict[str, Any] | None:
    """The slowest point that is not slower, else the fastest, as the engine has it."""
    by_clock = sorted(points, key=lambda point: int(point["core_hz"]))
    faster = [point for point in by_clock if point["core_hz"] >= core_hz]
    return next(iter(faster or by_clock[-1:]), None)


def _coefficients(energy: Mapping[str, Any]) -> Iterator[EnergyCoefficient]:
    def coefficient(of: str, unit: str, key: str, entry: Mapping[str, Any]) -> EnergyCoefficient:
        source, rule = entry.get("source"), entry.get("rule")
        return EnergyCoefficient(of=of, value=entry[key], unit=unit, source=source, rule=rule)

    yield coefficient("quiescent current", "uA", "ua", energy["quiescent"])
    yield coefficient("effective capacitance", "fF", "ff", energy["capacitance"])
    for kind in ("active", "stall", "idle"):
        yield coefficient(f"{kind} cycle", "fJ", "fj", energy[kind])
    for entry in energy.get("access", ()):
        yield coefficient(f"access to {entry['to']}", "fJ", "fj", entry)
    for entry in energy.get("line_read", ()):
        yield coefficient(f"line read of memory.{entry['memory']}", "fJ", "fj", entry)
    for entry in energy.get("clocked", ()):
        yield coefficient(f"clock cycle of {entry['device']}", "fJ", "fj", entry)


def meter(board: Board, timer: int, sites: Sites | None = None) -> None:
    """Starts metering samples between reads of the timer, beside what is recorded already.

    With `sites`, each call is metered instruction by instruction too.
    """
    if sites is None:
        board.meter(places=(), accessed=[timer])
    else:
        board.meter(accessed=[timer], call=(sites.start, sites.entry, sites.returned))


def with_energy(series: Series, readings: Iterable[Reading], timer: ProbedTimer) -> Series:
    """The series with the energy between the two readings of the timer of each sample."""
    there = tuple(readings)
    ends = [(sample.start, sample.stop) for sample in series.samples]
    accesses = [(cycle, address, value, False) for cycle, address, value, _, _ in there]
    read = timer.cycles_of(accesses, [count for pair in ends for count in pair])
    total = {cycle: total_fj for cycle, _, _, total_fj, _ in there}
    spent = [total[read[stop]] - total[read[start]] for start, stop in ends]
    samples = replace(series.samples, energy_fj=np.array(spent, np.int64))
    return replace(series, samples=samples)


def take_call_energies(board: Board) -> list[CallEnergy]:
    """Returns the energy of each call since `meter`, in order."""
    names = board.energy_parts()
    energies = []
    for _, _, accounts in board.take_metered_calls():
        instructions: dict[int, int] = {}
        parts = dict.fromkeys(names, 0)
        for (_, _, address), (_, _, spent) in accounts:
            instructions[address] = instructions.get(address, 0) + sum(spent)
            for name, energy_fj in zip(names, spent, strict=True):
                parts[name] += energy_fj
        capacitive_fj = sum(account[1][1] for account in accounts)
        used = {name: energy_fj for name, energy_fj in parts.items() if energy_fj}
        energies.append(CallEnergy(used, capacitive_fj, instructions))
    return energies
