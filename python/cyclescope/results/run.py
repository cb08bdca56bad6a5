"""Run: all series of one case at one x, and the questions that its samples answer."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from cyclescope.results.manifest import Key, Refused
from cyclescope.results.samples import ENERGY, by_pair, is_metered, text
from cyclescope.stats.summary import Values
from cyclescope.target.case import Case
from cyclescope.target.conditions import Layout
from cyclescope.target.energy import FJ_PER_UJ
from cyclescope.target.findings import Findings
from cyclescope.target.series import Kind

Marks = NDArray[np.bool_]


@dataclass(frozen=True)
class Columns:
    """Values of samples by row; an unknown value is not a number (NaN)."""

    calls: Marks
    kept: Marks
    lengths: NDArray[np.int32]
    index: Values
    elapsed: Values
    exact_cycles: Values
    interrupts_off_cycles: Values

    @classmethod
    def of(cls, samples: pa.Table) -> Self:
        """Those of a table of samples."""
        return cls(
            calls=np.asarray(pc.equal(samples["kind"], text("call")), dtype=np.bool_),
            kept=np.asarray(pc.is_null(samples["rejected_by"])),
            lengths=np.asarray(samples["length"], dtype=np.int32),
            index=np.asarray(samples["index"], dtype=np.float64),
            elapsed=np.asarray(samples["elapsed"], dtype=np.float64),
            exact_cycles=np.asarray(samples["exact_cycles"], dtype=np.float64),
            interrupts_off_cycles=np.asarray(samples["interrupts_off_cycles"], dtype=np.float64),
        )

    def part(self, first: int, count: int) -> Self:
        """Those of so many rows."""
        rows = slice(first, first + count)
        return type(self)(**{name: column[rows] for name, column in vars(self).items()})


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
        """Returns the fields for other processes, without values computed from them here."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def with_columns(self, columns: Columns) -> Self:
        """The same run, where the columns of its samples are at hand: they need not be made."""
        vars(self)["_columns"] = columns
        return self

    @property
    def key(self) -> Key:
        return (self.layout.number, self.case.name, self.parameter)

    @cached_property
    def is_seen(self) -> bool:
        """Whether the target saw every call from outside, real ones and empty ones."""
        exact = self._columns.exact_cycles
        return bool(exact.size and not np.isnan(exact).any())

    @cached_property
    def is_exact(self) -> bool:
        """Whether its cycles are those seen from outside. Less a pair of timer readings they never
        are: with it go the call's arguments and its jump, which no one sees from entry to return.
        """
        return self.is_seen and not by_pair(self.samples)

    @property
    def is_steady(self) -> bool:
        """Whether all real calls are the same, and all empty ones, to a target that sees all."""
        return self.is_seen and all(
            bool(np.all(cycles[kind] == cycles[kind][:1]))
            for kind in (self._columns.calls, ~self._columns.calls)
            for cycles in (self._columns.exact_cycles, self._probed)
        )

    def cycles(self, kind: Kind, length: int | None = None) -> Values:
        """Core cycles of the samples no rule rejected, in the order of measurement. They are from
        entry to return where the target saw that from outside, else as the probes measured them."""
        chosen = self._columns.kept & self._of(kind)
        if length is not None:
            chosen &= self._columns.lengths == length
        return self._cycles[chosen]

    def probed_cycles(self, kind: Kind) -> Values:
        """The same as the probes measured them, what they take themselves included."""
        return self._probed[self._columns.kept & self._of(kind)]

    def seen_cycles(self) -> Values:
        """The real calls among them from entry to return; none where the target cannot see it."""
        if not self.is_seen:
            return np.zeros(0)
        return self._columns.exact_cycles[self._columns.kept & self._columns.calls]

    def in_order(self) -> tuple[Values, Values, Values]:
        """Of the real calls no rule rejected: core cycles, length of the series, index in it."""
        columns = self._columns
        chosen = columns.kept & columns.calls
        lengths = columns.lengths[chosen].astype(np.float64)
        return self._cycles[chosen], lengths, columns.index[chosen]

    def rejected_cycles(self) -> Values:
        """Core cycles of the real calls that a rule rejected."""
        return self._cycles[~self._columns.kept & self._of("call")]

    def interrupts_off(self) -> int | None:
        """The longest time in any real call in which no interrupt could get through, if known."""
        known = self._columns.interrupts_off_cycles
        known = known[~np.isnan(known)]
        return int(known.max()) if known.size else None

    def energies_uj(self, kind: Kind) -> Values | None:
        """Energies of the samples no rule rejected, in the order of measurement, if metered."""
        if not is_metered(self.samples):
            return None
        energies = self.samples[ENERGY.name].to_numpy()[self._columns.kept & self._of(kind)]
        return np.asarray(energies, dtype=np.float64) / FJ_PER_UJ

    def rejected(self, kind: Kind = "call") -> dict[str, int]:
        """How many samples each rule rejected."""
        if self._columns.kept.all():
            return {}
        rows = self.samples.filter(pa.array(self._of(kind)))["rejected_by"].drop_null()
        return {str(row["values"]): int(row["counts"]) for row in pc.value_counts(rows).to_pylist()}

    def lengths(self) -> list[int]:
        """The lengths of the series of real calls, in order."""
        return list(dict.fromkeys(self._columns.lengths[self._of("call")].tolist()))

    def _of(self, kind: Kind) -> Marks:
        """The real calls, or those whose time is subtracted from them."""
        return self._columns.calls if kind == "call" else ~self._columns.calls

    @cached_property
    def _columns(self) -> Columns:
        return Columns.of(self.samples)

    @cached_property
    def _cycles(self) -> Values:
        return self._columns.exact_cycles if self.is_exact else self._probed

    @cached_property
    def _probed(self) -> Values:
        return self._columns.elapsed * self.cycles_per_count
