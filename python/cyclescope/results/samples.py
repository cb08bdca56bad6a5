"""Samples as a table: its columns, how it is made, and what a rule rejects.

See docs/reference/results.md.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from cyclescope.results import table_files
from cyclescope.target.case import Case
from cyclescope.target.series import Kind, Series

SCHEMA = pa.schema(
    [
        ("layout", pa.int32()),
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


def tabulate(
    case: Case, parameter: int | None, series: Iterable[Series], layout: int = 0
) -> pa.Table:
    """The rows of a run, none rejected yet; call and empty series are numbered separately."""
    return tabulate_runs(case, [(layout, parameter, tuple(series))])


def tabulate_runs(case: Case, runs: Sequence[tuple[int, int | None, Sequence[Series]]]) -> pa.Table:
    """The rows of several runs, one behind the other; of each its layout, x and series."""
    made = [one for _, _, series in runs for one in series]
    counts = [len(one.samples) for one in made]
    if not sum(counts):
        return schema(metered=False).empty_table()
    parts = [one.samples for one in made]
    start = np.concatenate([one.start for one in parts])
    stop = np.concatenate([one.stop for one in parts])
    of_series = [(layout, parameter) for layout, parameter, series in runs for _ in series]
    values = [parameter or 0 for _, parameter in of_series]
    kinds = pa.array([one.kind for one in made], pa.string())
    columns = {
        "layout": np.repeat([layout for layout, _ in of_series], counts),
        "case": pa.repeat(text(case.name), sum(counts)),
        "parameter": np.repeat(values, counts) if case.parameter else None,
        "series": np.repeat(np.concatenate([_numbered(series) for *_, series in runs]), counts),
        "length": np.repeat([one.length for one in made], counts),
        "kind": kinds.take(np.repeat(np.arange(len(made)), counts)),
        "index": np.concatenate([np.arange(count) for count in counts]),
        "start": start,
        "stop": stop,
        "elapsed": stop - start,  # modulo their width, as the counter itself
        "tick_hit": np.concatenate([one.tick_hit for one in parts]),
        "interrupts_off_cycles": where_known([one.interrupts_off_cycles for one in parts], counts),
        "exact_cycles": where_known([one.exact_cycles for one in parts], counts),
        ENERGY.name: where_known([one.energy_fj for one in parts], counts),
    }
    return table_files.table(columns, sum(counts), schema(columns[ENERGY.name] is not None))


def _numbered(series: Sequence[Series]) -> NDArray[np.int64]:
    """The number of each series among those of its kind."""
    empty = np.array([one.empty for one in series], np.bool_)
    return np.where(empty, np.cumsum(empty), np.cumsum(~empty)) - 1


def where_known(
    columns: Sequence[NDArray[np.integer[Any]] | None], counts: Sequence[int]
) -> pa.Array | None:
    """A column that some series have, null in the others; None if none has it."""
    if all(one is None for one in columns):
        return None
    pairs = list(zip(columns, counts, strict=True))
    values = np.concatenate([np.zeros(n, np.int64) if one is None else one for one, n in pairs])
    return pa.array(values, mask=np.repeat([one is None for one in columns], counts))


@cache
def text(word: str) -> pa.Scalar:
    """A word to fill or compare a column with. Arrow looks for a package of dates on the disk each
    time that it has to find out the type of one."""
    return pa.scalar(word, pa.string())


def is_metered(samples: pa.Table) -> bool:
    """Whether the energy of the samples was metered."""
    return ENERGY.name in samples.column_names


def schema(metered: bool) -> pa.Schema:
    """The columns of a run, with the energy if it was metered."""
    return SCHEMA.append(ENERGY) if metered else SCHEMA


def by_pair(samples: pa.Table) -> bool:
    """Whether the subtracted overhead is that of two timer readings without a call between."""
    pair: Kind = "pair"
    return bool(pc.any(pc.equal(samples["kind"], text(pair))).as_py())


def reject(samples: pa.Table, hit: pa.ChunkedArray, rule: str) -> pa.Table:
    """Marks the samples that `hit` selects as rejected by the rule; an earlier rule stays."""
    if not np.any(hit):
        return samples
    before = samples["rejected_by"]
    marked = pc.if_else(pc.and_(hit, pc.is_null(before)), rule, before)
    position = samples.schema.get_field_index("rejected_by")
    return samples.set_column(position, SCHEMA.field("rejected_by"), marked)
