"""Tables (CSV) of logic analysers: those of sigrok-cli and PulseView, and of Saleae's Logic 2.

sigrok writes each sample, with its rate in a comment (`; Samplerate: 24 MHz`). It may write the
time of each too, in whole units. libsigrok 0.5 adds up a period that it has cut to whole units. So
such a time stands for the number of its sample. Logic 2 writes each change, behind `Time [s]`.
"""

import re
from io import BytesIO
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
from numpy.typing import NDArray

from cyclescope.errors import CyclescopeError
from cyclescope.recordings.edges import Edges, Times
from cyclescope.recordings.levels import damaged, edges_of
from cyclescope.recordings.value_changes import PREFIXES, UNITS_S

COMMENT = ";"
RATE = re.compile(rb"; *Samplerate: *(\d+(?:\.\d+)?) *([kMG]?)Hz")
SALEAE = ("time [s]", "time[s]")
SIGROK = {
    "seconds": "s",
    "milliseconds": "ms",
    "microseconds": "us",
    "nanoseconds": "ns",
    "picoseconds": "ps",
    "femtoseconds": "fs",
}
"""Units by sigrok's name of a column of times; by channel the name is `Time`."""


def read_table(path: Path, data: bytes) -> dict[str, Edges]:
    """The edges of each channel whose level is always known, by name.

    Raises CyclescopeError if the table is damaged, or says no times.
    """
    table = _table(path, data)
    first = table.column_names[0].lower()
    rate = RATE.search(data[:4096])
    rate_hz = float(rate[1]) * PREFIXES[rate[2].decode()] if rate else 0.0
    timed = first in SALEAE or first in SIGROK or first == "time"
    if first in SALEAE:
        times_s = _numbers(table.column(0), path)
        sample_s = float(np.diff(times_s).min())
    elif timed:
        times_s, sample_s = _sigrok_times(_numbers(table.column(0), path), first, rate_hz, path)
    elif rate_hz:
        times_s, sample_s = np.arange(table.num_rows) / rate_hz, 1 / rate_hz
    else:
        raise _without_times(path)
    names = _channel_names(table.column_names[int(timed) :])
    columns = zip(names, table.columns[int(timed) :], strict=True)
    return {
        name: edges_of(times_s, levels, sample_s, float(times_s[-1]))
        for name, column in columns
        if (levels := _levels(column)) is not None
    }


def _table(path: Path, data: bytes) -> pa.Table:
    """The table behind its comments; it has a header."""
    begin = 0
    while data[begin : begin + 1] == COMMENT.encode():
        begin = data.find(b"\n", begin) + 1 or len(data)
    header = data[begin:].split(b"\n", 1)[0].decode(errors="replace").strip()
    if not header or all(re.fullmatch(r"[\d.eE+-]*", one) for one in header.split(",")):
        raise CyclescopeError(
            f"{path} does not name its columns: export it with a header",
            code="table-without-header",
        )
    names = header.split(",")
    try:
        table = pa_csv.read_csv(
            BytesIO(data[begin:]),
            read_options=pa_csv.ReadOptions(
                skip_rows=1, column_names=[f"{number}" for number in range(len(names))]
            ),
        )
    except pa.ArrowInvalid as error:
        raise damaged(path, str(error).splitlines()[0]) from None
    if table.num_rows < 2:
        raise damaged(path, "it has fewer than two rows")
    return table.rename_columns([one.strip() for one in names])


def _channel_names(names: list[str]) -> list[str]:
    """sigrok may call every channel `logic`: then they are D0, D1, …"""
    if len(set(names)) == len(names) and names != ["logic"]:
        return names
    return [f"D{number}" for number in range(len(names))]


def _levels(column: pa.ChunkedArray) -> NDArray[np.int8] | None:
    """The levels; None if one of them is none."""
    if not pa.types.is_integer(column.type) or column.null_count:
        return None
    levels = np.asarray(column.to_numpy())
    return levels.astype(np.int8) if np.isin(levels, (0, 1)).all() else None


def _numbers(column: pa.ChunkedArray, path: Path) -> Times:
    try:
        times = np.asarray(column.cast(pa.float64()).to_numpy())
    except pa.ArrowInvalid:
        raise damaged(path, "a time is no number") from None
    if not np.isfinite(times).all():
        raise damaged(path, "a time is no number")
    if (np.diff(times) < 0).any():
        raise damaged(path, "its times go back")
    return times


def _sigrok_times(counts: Times, label: str, rate_hz: float, path: Path) -> tuple[Times, float]:
    """Seconds of each row, and those of a sample."""
    if rate_hz:
        per_s = next(10.0**power for power in range(0, 16, 3) if 10.0**power >= rate_hz)
        return counts / np.floor(per_s / rate_hz) / rate_hz, 1 / rate_hz
    if label not in SIGROK:
        raise _without_times(path)
    unit_s = UNITS_S[SIGROK[label]]
    return counts * unit_s, float(np.diff(counts).min()) * unit_s


def _without_times(path: Path) -> CyclescopeError:
    return CyclescopeError(
        f"{path} has neither the times of its samples nor their rate: export it with its header of "
        "comments, or from PulseView as VCD",
        code="table-without-times",
    )
