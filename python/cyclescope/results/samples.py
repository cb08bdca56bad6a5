"""Samples as a table: its columns, how it is made, and what a rule rejects (docs/results.md)."""

from collections.abc import Iterable
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from cyclescope import files
from cyclescope.case import Case
from cyclescope.target import Series

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


def tabulate(case: Case, parameter: int | None, series: Iterable[Series]) -> pa.Table:
    """The rows of a run, none rejected yet; call and empty series are numbered apart.

    Each series becomes columns as it comes, which take a tenth of the room.
    """
    numbers = {True: 0, False: 0}
    parts = []
    for one in series:
        parts.append(_columns(case, parameter, one, numbers[one.empty]))
        numbers[one.empty] += 1
    whole = pa.concat_tables(parts) if parts else schema(metered=False).empty_table()
    return whole.combine_chunks()


def is_metered(samples: pa.Table) -> bool:
    """Whether the energy of the samples was metered."""
    return ENERGY.name in samples.column_names


def schema(metered: bool) -> pa.Schema:
    """The columns of a run, with the energy if it was metered."""
    return SCHEMA.append(ENERGY) if metered else SCHEMA


def _columns(case: Case, parameter: int | None, series: Series, number: int) -> pa.Table:
    count = len(series.samples)
    start, stop, tick_hit, off, energy = zip(*series.samples, strict=True) if count else [()] * 5
    begun, ended = (np.array(counts, dtype=np.uint32) for counts in (start, stop))
    columns = {
        "case": [case.name] * count,
        "parameter": [parameter] * count,
        "series": np.full(count, number),
        "length": np.full(count, series.length),
        "kind": ["empty" if series.empty else "call"] * count,
        "index": np.arange(count),
        "start": begun,
        "stop": ended,
        "elapsed": ended - begun,  # modulo their width, as the counter itself
        "tick_hit": tick_hit,
        "interrupts_off_cycles": off,
    }
    if any(one is not None for one in energy):
        columns[ENERGY.name] = energy
    return files.table(columns, count, schema(ENERGY.name in columns))


def reject(samples: pa.Table, hit: pa.ChunkedArray, rule: str) -> pa.Table:
    """Marks the samples that `hit` selects as rejected by the rule; an earlier rule stays."""
    before = samples["rejected_by"]
    marked = pc.if_else(pc.and_(hit, pc.is_null(before)), rule, before)
    position = samples.schema.get_field_index("rejected_by")
    return samples.set_column(position, SCHEMA.field("rejected_by"), marked)
