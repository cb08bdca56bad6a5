"""Tables of raw real-time samples: the columns of docs/results.md, "Real-time results"."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from cyclescope import files
from cyclescope.realtime import Batch, Calibration, Indicator, Samples
from cyclescope.realtime_results import Trial
from cyclescope.stats.pauta import RULE, pauta

SCHEMA = pa.schema(
    [
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


def tabulate(trial: Trial, batches: Sequence[Batch]) -> pa.Table:
    """The rows of a run; of task switching the improved Pauta criterion rejects some."""
    tables = [_table(number, batch) for number, batch in enumerate(batches)]
    table = pa.concat_tables(tables) if tables else SCHEMA.empty_table()
    if trial.indicator is not Indicator.SWITCHING or not table.num_rows:
        return table
    out = pauta(np.asarray(table["elapsed"].to_numpy(), dtype=np.float64)).rejected
    rules = pa.array([RULE if one else None for one in out], pa.string())
    return table.set_column(table.schema.get_field_index("rejected_by"), "rejected_by", rules)


def _table(number: int, batch: Batch) -> pa.Table:
    samples, n = batch.samples, len(batch.samples)
    columns = {
        "batch": np.full(n, number),
        "index": np.arange(n),
        "seam": np.arange(n) == 0,
        **_raw(samples),
        "origin": samples.origins,
        "truth_cycles": batch.truth_cycles,
        "asserted_cycles": batch.asserted_cycles,
    }
    return files.table(columns, n, SCHEMA)


def tabulate_calibration(calibration: Calibration) -> pa.Table:
    """The rows of a unit: with the operation, then without."""
    parts = (("operation", calibration.samples), ("empty", calibration.empty))
    tables = [
        files.table(
            {"kind": [kind] * len(one), "index": np.arange(len(one)), **_raw(one)},
            len(one),
            CALIBRATION_SCHEMA,
        )
        for kind, one in parts
    ]
    return pa.concat_tables(tables)


def _raw(samples: Samples) -> dict[str, object]:
    return {
        "start": samples.starts,
        "stop": samples.stops,
        "elapsed": samples.counts,
        "tick_hit": samples.tick_hits,
    }
