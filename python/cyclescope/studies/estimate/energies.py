"""Energy of an estimate: what a cycle takes of own code and in calls, by configuration."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware.configuration import Configuration
from cyclescope.studies.estimate.calls.shipped import NAMING
from cyclescope.studies.estimate.estimated import OwnPart, PricedCall
from cyclescope.studies.estimate.source import prices as source_prices

FILE = Path(__file__).parent / "energies.json"
"""Of calls, by board, memory and instruction set; `benches/paper_000/energies.py` writes it."""
USUAL_LEVEL = "O2"
MICRO_IN_NANO = 1e-3


@dataclass(frozen=True)
class CycleEnergy:
    """Mean nanojoules of a cycle; the greatest deviation of a training program, as a part of it."""

    nanojoules: float
    spread: float

    @property
    def told(self) -> str:
        """Both figures for readers."""
        return f"{self.nanojoules:.3f} nJ ± {self.spread:.1%}"


@dataclass(frozen=True)
class EstimateEnergies:
    """The energies of cycles in one configuration, and what to doubt of them."""

    own: CycleEnergy
    calls: CycleEnergy
    doubts: tuple[str, ...] = ()

    @property
    def used(self) -> str:
        """The sentence that names them."""
        return (
            f"energy of a cycle in metered training programs: own code {self.own.told}, "
            f"calls {self.calls.told}"
        )

    def of_own(self, parts: tuple[OwnPart, ...]) -> tuple[OwnPart, ...]:
        """The program's own code with energy."""
        each = self.own.nanojoules * MICRO_IN_NANO
        return tuple(replace(one, energy_uj=one.cycles * each) for one in parts)

    def of_calls(self, calls: tuple[PricedCall, ...]) -> tuple[PricedCall, ...]:
        """The calls with energy; those whose laws were metered keep theirs."""
        each = self.calls.nanojoules * MICRO_IN_NANO
        return tuple(
            one
            if one.energy_uj_each is not None
            else replace(one, energy_uj_each=one.cycles_each * each)
            for one in calls
        )


def energies(configuration: Configuration, level: str) -> EstimateEnergies:
    """The energies of cycles in a configuration. Refuses those that were not metered."""
    board = boards.name_of(configuration.board)
    there = boards.firmware_of(configuration.board)
    others = [
        f"{name}={value}"
        for name, value in configuration.settings.items()
        if name not in NAMING and value != there.default(name)
    ]
    memory = source_prices.name_of(configuration, "").strip()
    calls = _of_calls().get(memory)
    if others or calls is None:
        what = " ".join((memory if calls else board, *others))
        raise CyclescopeError(
            f"no energies of cycles were metered for {what}: leave --energy out, or meter the "
            "exact board by --way run --energy alone",
            code="no-estimated-energy",
        )
    doubts: tuple[str, ...] = ()
    if not source_prices.file_of(f"{memory} {level}").is_file():
        doubts = (f"no programs of {level} were metered: own code has the energy of {USUAL_LEVEL}",)
        level = USUAL_LEVEL
    own = source_prices.prices(f"{memory} {level}")
    return EstimateEnergies(
        CycleEnergy(own.nanojoules_a_cycle, own.nanojoules_spread), calls, doubts
    )


@cache
def _of_calls() -> Mapping[str, CycleEnergy]:
    found = json.loads(FILE.read_text())
    return {name: CycleEnergy(row["nanojoules"], row["spread"]) for name, row in found.items()}
