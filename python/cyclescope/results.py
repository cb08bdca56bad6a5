"""Results: runs of raw samples with their conditions, immutable once loaded (docs/results.md)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import Field

from cyclescope.case import Case
from cyclescope.conditions import Conditions, Layout
from cyclescope.energy import FJ_PER_UJ
from cyclescope.fragment import Point
from cyclescope.quantity import elapsed_counts
from cyclescope.record import Record
from cyclescope.stats.summary import Summary, Values
from cyclescope.target import Findings, RawSample, Series, Unmodelled

# History of the format:
#   1  first version
#   2  several layouts in a folder, runs in a folder for each; rules told once; interrupts off
#   3  a fragment and the plans it was timed by; exact cycles of its executions beside the samples
FORMAT_VERSION: Literal[3] = 3
READ_VERSIONS = (2, 3)
FORMAT_NAME: Literal["cyclescope results"] = "cyclescope results"
TIMES_FORMAT_NAME: Literal["cyclescope times"] = "cyclescope times"

SCHEMA = pa.schema(
    [
        ("case", pa.string()),
        ("parameter", pa.int64()),
        ("series", pa.int32()),
        ("length", pa.int32()),
        ("kind", pa.string()),
        ("index", pa.int32()),
        ("start", pa.uint32()),
        ("stop", pa.uint32()),
        ("elapsed", pa.uint32()),
        ("tick_hit", pa.bool_()),
        ("rejected_by", pa.string()),
        ("interrupts_off_cycles", pa.uint32()),
        ("exact_cycles", pa.uint32()),
        ("executions_cycles", pa.list_(pa.uint32())),
        ("initialisations_cycles", pa.list_(pa.uint32())),
    ]
)

ENERGY = pa.field("energy_fj", pa.int64())
"""The last column of runs whose energy was metered; others do not have it."""

Kind = Literal["call", "empty"]

Key = tuple[int, str, int | None]
"""What tells runs of one folder apart: the layout's offset in bytes, case and parameter."""


class Refused(Record):
    """The series of a run that do not fit, and the most bytes that one of them needs."""

    layout_offset_bytes: int
    case: str
    parameter: int | None
    lengths: tuple[int, ...]
    needs_bytes: int
    has_bytes: int
    where: str

    @property
    def key(self) -> Key:
        return (self.layout_offset_bytes, self.case, self.parameter)


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

    @property
    def key(self) -> Key:
        return (self.layout.offset_bytes, self.case.name, self.parameter)

    def cycles(self, kind: Kind, length: int | None = None) -> Values:
        """Elapsed core cycles of the samples no rule rejected, in the order of measurement."""
        return self._elapsed(pc.is_null(self.samples["rejected_by"]), kind, length)

    def rejected_cycles(self) -> Values:
        """Elapsed core cycles of the real calls that a rule rejected."""
        return self._elapsed(pc.is_valid(self.samples["rejected_by"]), "call", None)

    def interrupts_off(self) -> int | None:
        """The longest time in any real call in which no interrupt could get through, if known."""
        longest = pc.max(self.samples["interrupts_off_cycles"]).as_py()
        return None if longest is None else int(longest)

    def energies_uj(self, kind: Kind) -> Values | None:
        """Energies of the samples no rule rejected, in the order of measurement, if metered."""
        if ENERGY.name not in self.samples.column_names:
            return None
        kept = pc.and_(
            pc.is_null(self.samples["rejected_by"]), pc.equal(self.samples["kind"], kind)
        )
        energies = self.samples.filter(kept)[ENERGY.name].to_numpy()
        return np.asarray(energies, dtype=np.float64) / FJ_PER_UJ

    def rejected(self, kind: Kind = "call") -> dict[str, int]:
        """How many samples each rule rejected."""
        rows = self.samples.filter(pc.equal(self.samples["kind"], kind))["rejected_by"].drop_null()
        return {str(row["values"]): int(row["counts"]) for row in pc.value_counts(rows).to_pylist()}

    def lengths(self) -> list[int]:
        """The lengths of the series of real calls, in order."""
        calls = self.samples.filter(pc.equal(self.samples["kind"], "call"))
        return [int(length) for length in pc.unique(calls["length"]).to_pylist()]

    def _elapsed(self, chosen: pa.ChunkedArray, kind: Kind, length: int | None) -> Values:
        chosen = pc.and_(chosen, pc.equal(self.samples["kind"], kind))
        if length is not None:
            chosen = pc.and_(chosen, pc.equal(self.samples["length"], length))
        counts = self.samples.filter(chosen)["elapsed"].to_numpy()
        return np.asarray(counts, dtype=np.float64) * self.cycles_per_count


def tabulate(case: Case, parameter: int | None, series: Iterable[Series]) -> pa.Table:
    """The rows of a run, none rejected yet; call and empty series are numbered apart."""
    rows = []
    numbers = {True: 0, False: 0}
    for one in series:
        for index, sample in enumerate(one.samples):
            rows.append(_row(case, parameter, one, numbers[one.empty], index, sample))
        numbers[one.empty] += 1
    metered = any(row[ENERGY.name] is not None for row in rows)
    return pa.Table.from_pylist(rows, schema=schema(metered))


def schema(metered: bool) -> pa.Schema:
    """The columns of a run, with the energy if it was metered."""
    return SCHEMA.append(ENERGY) if metered else SCHEMA


def _row(
    case: Case, parameter: int | None, series: Series, number: int, index: int, sample: RawSample
) -> dict[str, object]:
    return {
        "case": case.name,
        "parameter": parameter,
        "series": number,
        "length": series.length,
        "kind": "empty" if series.empty else "call",
        "index": index,
        "start": sample.start,
        "stop": sample.stop,
        "elapsed": elapsed_counts(sample.start, sample.stop),
        "tick_hit": sample.tick_hit,
        "rejected_by": None,
        "interrupts_off_cycles": sample.interrupts_off_cycles,
        "exact_cycles": None,
        "executions_cycles": None,
        "initialisations_cycles": None,
        ENERGY.name: sample.energy_fj,
    }


def reject(samples: pa.Table, hit: pa.ChunkedArray, rule: str) -> pa.Table:
    """Marks the samples that `hit` selects as rejected by the rule; an earlier rule stays."""
    before = samples["rejected_by"]
    marked = pc.if_else(pc.and_(hit, pc.is_null(before)), rule, before)
    position = samples.schema.get_field_index("rejected_by")
    return samples.set_column(position, SCHEMA.field("rejected_by"), marked)


class Overhead(Record):
    """What the technique itself adds to a run's samples, from the target's own empty calls."""

    n: int
    mean_cycles: float
    sigma_cycles: float

    @classmethod
    def of(cls, summary: Summary | None) -> "Overhead | None":
        """The overhead a technique states, as the manifest keeps it."""
        if summary is None:
            return None
        return cls(n=summary.n, mean_cycles=summary.mean, sigma_cycles=summary.sigma)


class TimedPlan(Record):
    """A plan that was executed: sample i of a series of `case` is of point i modulo the points.

    `technique` is the one whose plan it is; None for what looks at the steps of T(N).
    """

    technique: str | None
    case: str
    points: tuple[Point, ...]

    @property
    def name(self) -> str:
        """What the plan is called in the image."""
        return self.case.partition(".")[2]


class TimedFragment(Record):
    """How the executions of the conditions' fragment were arranged, and why so.

    Unrolled executions come in multiples of `period`; `chosen` is the technique whose figure
    answers, by `reason`.
    """

    period: int = Field(ge=1)
    chosen: str
    reason: str
    plans: tuple[TimedPlan, ...]


class RunRecord(Record):
    """One run in the manifest: where its samples are and what to check them against.

    `unverified` are names of rules; their texts stand in the manifest once.
    """

    layout_offset_bytes: int
    case: str
    parameter: int | None
    file: str
    sha256: str
    samples: int
    rejected: dict[str, int]
    overhead: Overhead | None
    unverified: tuple[str, ...]
    unmodelled: tuple[Unmodelled, ...]

    @property
    def key(self) -> Key:
        return (self.layout_offset_bytes, self.case, self.parameter)


class Manifest(Record):
    """The whole manifest. `cases` is the image's catalogue; `planned` names those asked for.

    `conditions` are those of the first layout; the others' differ from them only as `layouts` says.
    `fragment` is there where a fragment was timed and not a kernel's calls: the format says so too.
    """

    format: Literal["cyclescope results", "cyclescope times"] = FORMAT_NAME
    version: Literal[2, 3] = FORMAT_VERSION
    tool: str
    technique: str
    conditions: Conditions
    layouts: tuple[Layout, ...]
    layout_seed: int | None = None
    cases: tuple[Case, ...]
    planned: tuple[str, ...]
    fragment: TimedFragment | None = None
    runs: tuple[RunRecord, ...] = ()
    refused: tuple[Refused, ...] = ()
    unverified: dict[str, str] = Field(default_factory=dict)

    def order(self, key: Key) -> tuple[int, int, int]:
        """Where a run stands in layout and catalogue, whatever the order of measurement."""
        offset_bytes, case, parameter = key
        names = [one.name for one in self.cases]
        return (offset_bytes, names.index(case), -1 if parameter is None else parameter)

    def planned_runs(self) -> list[Key]:
        """Every run asked for so far: of each planned case, on all layouts."""
        planned = [case for case in self.cases if case.name in self.planned]
        return [
            (layout.offset_bytes, case.name, value)
            for layout in self.layouts
            for case in planned
            for value in case.values()
        ]

    def missing(self) -> list[Key]:
        """Runs planned and neither made nor refused."""
        done = {one.key for one in self.runs} | {one.key for one in self.refused}
        return [key for key in self.planned_runs() if key not in done]


@dataclass(frozen=True)
class Results:
    """Runs that agree in their conditions, as they stand in one folder."""

    folder: Path
    manifest: Manifest
    runs: tuple[Run, ...]

    @property
    def conditions(self) -> Conditions:
        return self.manifest.conditions

    def of_case(self, name: str) -> Sequence[Run]:
        """The runs of one case by layout, then by rising parameter."""
        return [run for run in self.runs if run.case.name == name]
