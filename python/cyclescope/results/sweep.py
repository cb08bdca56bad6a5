"""Sweep: a few calls at each of many x, on one layout of a board that repeats itself exactly.

A law is fitted to some of the points and held against the others, of which it knows nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from cyclescope.record import Record
from cyclescope.results import table_files
from cyclescope.results.samples import by_pair, where_known
from cyclescope.stats.summary import Values
from cyclescope.target.case import Case
from cyclescope.target.conditions import Layout
from cyclescope.target.series import Series

SWEEP_SCHEMA = pa.schema(
    [
        ("x", pa.int64()),
        ("held_out", pa.bool_()),
        ("kind", pa.string()),
        ("index", pa.int32()),
        ("start", pa.uint32()),
        ("stop", pa.uint32()),
        ("elapsed", pa.uint32()),
        ("tick_hit", pa.bool_()),
        ("exact_cycles", pa.uint32()),
    ]
)


class SweepRecord(Record):
    """A sweep in the manifest: where its samples are and what to check them against."""

    layout_number: int
    case: str
    file: str
    sha256: str
    points: int

    @property
    def key(self) -> tuple[int, str, None]:
        """Where it stands among runs."""
        return (self.layout_number, self.case, None)


@dataclass(frozen=True)
class Sweep:
    """The samples of one case at every x that was swept; empty calls at one of them."""

    layout: Layout
    case: Case
    samples: pa.Table
    cycles_per_count: float

    @property
    def size(self) -> int:
        """How many x it has."""
        return int(np.unique(self.samples["x"].to_numpy()).size)

    def points(self, held_out: bool) -> tuple[Values, Values]:
        """The x of the fit or those held out of it, and the net cycles there."""
        kind = np.asarray(self.samples["kind"], dtype=object)
        elapsed = self._cycles()
        x = self.samples["x"].to_numpy()
        sound = ~np.asarray(self.samples["tick_hit"])
        overhead = float(elapsed[(kind != "call") & sound].mean())
        wanted = (kind == "call") & sound & (np.asarray(self.samples["held_out"]) == held_out)
        order = np.argsort(x[wanted], kind="stable")
        places, begins = np.unique(x[wanted][order], return_index=True)
        groups = np.split(elapsed[wanted][order], begins[1:])
        medians = np.array([np.median(one) for one in groups if one.size])
        return places.astype(np.float64), medians - overhead

    def _cycles(self) -> Values:
        """From entry to return where the target saw that from outside, else as the probes say, and
        where a pair of timer readings is subtracted from them."""
        if self.samples["exact_cycles"].null_count == 0 and not by_pair(self.samples):
            return np.asarray(self.samples["exact_cycles"], dtype=np.float64)
        return np.asarray(self.samples["elapsed"].to_numpy() * self.cycles_per_count)


def tabulate_sweep(
    empty: tuple[int, Series], calls: Mapping[int, Series], held_out: Iterable[int]
) -> pa.Table:
    """The rows of a sweep: the empty calls, then the real ones by rising x."""
    apart = set(held_out)
    parts = [empty, *sorted(calls.items())]
    counts = [len(series.samples) for _, series in parts]
    start = np.concatenate([series.samples.start for _, series in parts])
    stop = np.concatenate([series.samples.stop for _, series in parts])
    columns = {
        "x": np.repeat([x for x, _ in parts], counts),
        "held_out": np.repeat([x in apart for x, _ in parts], counts),
        "kind": np.repeat(np.array([one.kind for _, one in parts], dtype=object), counts),
        "index": np.concatenate([np.arange(count) for count in counts]),
        "start": start,
        "stop": stop,
        "elapsed": stop - start,
        "tick_hit": np.concatenate([series.samples.tick_hit for _, series in parts]),
        "exact_cycles": where_known([one.samples.exact_cycles for _, one in parts], counts),
    }
    return table_files.table(columns, sum(counts), SWEEP_SCHEMA)
