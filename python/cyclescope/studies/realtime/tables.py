"""Tables of raw real-time samples.

See docs/reference/results.md, "Real-time results", for the columns.
"""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from cyclescope.results import table_files
from cyclescope.stats.pauta import RULE, pauta_of_each
from cyclescope.studies.realtime.indicators import Indicator
from cyclescope.studies.realtime.results import Trial
from cyclescope.studies.realtime.target import Batch, Calibration, RawTimings

SCHEMA = pa.schema(
    [
        ("replicate", pa.int32()),
        ("batch", pa.int32()),
        ("index", pa.int32()),
        ("seam", pa.bool_()),
        ("start", pa.uint32()),
        ("stop", pa.uint32()),
        ("elapsed", pa.uint32()),
        ("origin", pa.uint8()),
        ("tick_hit", pa.bool_()),
        ("truth_cycles", pa.int64()),
        ("asserted_cycles", pa.int64()),
        ("cause", pa.string()),
        ("rejected_by", pa.string()),
    ]
)

CALIBRATION_SCHEMA = pa.schema(
    [
        ("kind", pa.string()),
        ("index", pa.int32()),
        ("start", pa.uint32()),
        ("stop", pa.uint32()),
        ("elapsed", pa.uint32()),
        ("tick_hit", pa.bool_()),
    ]
)


OVERTAKEN = "overtaken"
"""A sample of preemption whose control thread lost the processor to a thread of the load. It had
read the clock and not yet resumed the other: the time is the test's own, not the kernel's."""

Measured = tuple[int, Batch]
"""A batch and the number of its replicate."""


def tabulate(trial: Trial, batches: Sequence[Measured]) -> pa.Table:
    """The rows of a run, each rejected one with its rule."""
    tables = [_table(number, replicate, batch) for number, (replicate, batch) in enumerate(batches)]
    table = pa.concat_tables(tables) if tables else SCHEMA.empty_table()
    if not table.num_rows:
        return table
    rules = pa.array(_rules(trial, table, batches), pa.string())
    return table.set_column(table.schema.get_field_index("rejected_by"), "rejected_by", rules)


def _rules(trial: Trial, table: pa.Table, batches: Sequence[Measured]) -> list[str | None]:
    """The rule that rejects each sample, if one does."""
    if trial.indicator is Indicator.PREEMPTION:
        out = np.concatenate([one.samples.overtaken for _, one in batches])
        return [OVERTAKEN if one else None for one in out]
    if trial.indicator is Indicator.SWITCHING:
        elapsed = np.asarray(table["elapsed"].to_numpy(), dtype=np.float64)
        out = pauta_of_each(elapsed, np.asarray(table["replicate"].to_numpy()))
        return [RULE if one else None for one in out]
    return [None] * table.num_rows


def _table(number: int, replicate: int, batch: Batch) -> pa.Table:
    samples, n = batch.samples, len(batch.samples)
    columns = {
        "replicate": np.full(n, replicate),
        "batch": np.full(n, number),
        "index": np.arange(n),
        "seam": np.arange(n) == 0,
        **_raw(samples),
        "origin": samples.origins,
        "truth_cycles": batch.truth_cycles,
        "asserted_cycles": batch.asserted_cycles,
        "cause": None if batch.causes is None else list(batch.causes),
    }
    return table_files.table(columns, n, SCHEMA)


def tabulate_calibration(calibration: Calibration) -> pa.Table:
    """The rows of a unit: with the operation, then without."""
    parts = (("operation", calibration.samples), ("empty", calibration.empty))
    tables = [
        table_files.table(
            {"kind": [kind] * len(one), "index": np.arange(len(one)), **_raw(one)},
            len(one),
            CALIBRATION_SCHEMA,
        )
        for kind, one in parts
    ]
    return pa.concat_tables(tables)


def _raw(samples: RawTimings) -> dict[str, object]:
    return {
        "start": samples.starts,
        "stop": samples.stops,
        "elapsed": samples.counts,
        "tick_hit": samples.tick_hits,
    }
