"""Run: all series of one case at one x, and the questions that its samples answer."""

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from cyclescope.case import Case
from cyclescope.conditions import Layout
from cyclescope.energy import FJ_PER_UJ
from cyclescope.results.manifest import Key, Refused
from cyclescope.results.samples import ENERGY, Kind, is_metered
from cyclescope.stats.summary import Values
from cyclescope.target import Findings

Marks = NDArray[np.bool_]


@dataclass(frozen=True)
class Run:
    """All series of one case at one parameter value; every sample, also the rejected ones."""

    layout: Layout
    case: Case
    parameter: int | None
    samples: pa.Table
    cycles_per_count: float
    findings: Findings
    refused: Refused | None = None

    def __getstate__(self) -> dict[str, object]:
        """What goes to other processes: not what was computed from it here."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def key(self) -> Key:
        return (self.layout.number, self.case.name, self.parameter)

    @cached_property
    def is_exact(self) -> bool:
        """Whether the target saw every call from outside, real ones and empty ones."""
        return bool(self.samples.num_rows and self.samples["exact_cycles"].null_count == 0)

    @property
    def is_steady(self) -> bool:
        """Whether all real calls are the same, and all empty ones, to a target that sees all."""
        return self.is_exact and all(
            np.unique(cycles).size <= 1
            for kind in (self._calls, ~self._calls)
            for cycles in (self._cycles[kind], self._probed[kind])
        )

    def cycles(self, kind: Kind, length: int | None = None) -> Values:
        """Core cycles of the samples no rule rejected, in the order of measurement: from entry to
        return where the target saw that from outside, else as the probes measured them."""
        chosen = self._kept & self._of(kind)
        if length is not None:
            chosen &= self._lengths == length
        return self._cycles[chosen]

    def probed_cycles(self, kind: Kind) -> Values:
        """The same as the probes measured them, what they take themselves included."""
        return self._probed[self._kept & self._of(kind)]

    def in_order(self) -> tuple[Values, Values, Values]:
        """Of the real calls no rule rejected: core cycles, length of the series, index in it."""
        chosen = self._kept & self._calls
        index = np.asarray(self.samples["index"], dtype=np.float64)
        return self._cycles[chosen], self._lengths[chosen].astype(np.float64), index[chosen]

    def rejected_cycles(self) -> Values:
        """Core cycles of the real calls that a rule rejected."""
        return self._cycles[~self._kept & self._of("call")]

    def interrupts_off(self) -> int | None:
        """The longest time in any real call in which no interrupt could get through, if known."""
        longest = pc.max(self.samples["interrupts_off_cycles"]).as_py()
        return None if longest is None else int(longest)

    def energies_uj(self, kind: Kind) -> Values | None:
        """Energies of the samples no rule rejected, in the order of measurement, if metered."""
        if not is_metered(self.samples):
            return None
        energies = self.samples[ENERGY.name].to_numpy()[self._kept & self._of(kind)]
        return np.asarray(energies, dtype=np.float64) / FJ_PER_UJ

    def rejected(self, kind: Kind = "call") -> dict[str, int]:
        """How many samples each rule rejected."""
        if self._kept.all():
            return {}
        rows = self.samples.filter(pc.equal(self.samples["kind"], kind))["rejected_by"].drop_null()
        return {str(row["values"]): int(row["counts"]) for row in pc.value_counts(rows).to_pylist()}

    def lengths(self) -> list[int]:
        """The lengths of the series of real calls, in order."""
        return list(dict.fromkeys(self._lengths[self._of("call")].tolist()))

    def _of(self, kind: Kind) -> Marks:
        return self._calls if kind == "call" else ~self._calls

    @cached_property
    def _calls(self) -> Marks:
        kinds = np.asarray(self.samples["kind"], dtype=object)
        return np.asarray(kinds == "call", dtype=np.bool_)

    @cached_property
    def _kept(self) -> Marks:
        return np.asarray(pc.is_null(self.samples["rejected_by"]))

    @cached_property
    def _lengths(self) -> NDArray[np.int32]:
        return np.asarray(self.samples["length"], dtype=np.int32)

    @cached_property
    def _cycles(self) -> Values:
        if self.is_exact:
            return np.asarray(self.samples["exact_cycles"], dtype=np.float64)
        return self._probed

    @cached_property
    def _probed(self) -> Values:
        return np.asarray(self.samples["elapsed"], dtype=np.float64) * self.cycles_per_count
