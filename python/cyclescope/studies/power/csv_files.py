"""Recordings in the CSV files that instruments' software exports (docs/how-to/power.md)."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cyclescope.errors import CyclescopeError
from cyclescope.studies.power.recording import BOTH, HIGH, LOW, UNKNOWN, Levels, Raw, Values

PPK2_CHANNELS = tuple(f"D{n}" for n in range(8))
PPK2_LEVELS = {"0": LOW, "1": HIGH, "X": BOTH, "-": UNKNOWN}
JOULESCOPE_CHANNELS = {
    **{str(n): f"in{n}" for n in range(4)},
    **{f"gpi[{n}]": f"in{n}" for n in range(4)},
    **dict.fromkeys(("T", "7", "trigger_in"), "trigger_in"),
}
"""Digital inputs as Joulescope's software names them in its files, and their names here."""
JOULESCOPE_A, JOULESCOPE_V = 10.0, 15.0
PPK2_A, PPK2_V = 1.0, 5.0


@dataclass(frozen=True)
class CsvColumns:
    """Which columns hold what; `digital` are their names by column."""

    instrument: str
    current: int
    voltage: int | None
    digital: Mapping[int, str]
    seconds: float = 1.0
    amperes: float = 1.0
    most_a: float = JOULESCOPE_A
    most_v: float = JOULESCOPE_V

    @property
    def measured(self) -> list[int]:
        """Columns that must be numbers: time first."""
        return [0, self.current, *([] if self.voltage is None else [self.voltage])]


def read(path: Path, content: bytes) -> Raw:
    """Reads an export."""
    rows = _rows(path, content)
    if not rows:
        raise CyclescopeError(f"{path} is empty: export the recording again", code="csv-empty")
    head = [name.strip() for name in rows[0]]
    layout = _layout(path, head)
    body = rows[1:]
    values = _numbers(path, body, layout.measured)
    levels: dict[str, Levels] = {}
    for column, name in layout.digital.items():
        levels |= _levels(path, layout, name, [_cell(row, column) for row in body])
    return Raw(
        layout.instrument,
        values[:, 0] * layout.seconds,
        values[:, 1] * layout.amperes,
        None if layout.voltage is None else values[:, 2],
        levels,
        layout.most_a,
        layout.most_v,
        first_line=2,
    )


def _rows(path: Path, content: bytes) -> list[list[str]]:
    try:
        text = content.decode("utf-8-sig")
        return [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    except (UnicodeDecodeError, csv.Error):
        raise CyclescopeError(
            f"{path} is no CSV file and no JLS file: export the recording as one of them",
            code="neither-csv-nor-jls",
        ) from None


def _layout(path: Path, head: Sequence[str]) -> CsvColumns:
    for find in (_ppk2, _joulescope_old, _joulescope):
        if (found := find(path, head)) is not None:
            return found
    raise CyclescopeError(
        f"{path} begins with the columns {','.join(head[:4])}: it must begin with one of "
        "# time,DEVICE.i,DEVICE.v; # timestamp,DEVICE.current,DEVICE.voltage; #time (s),current "
        "(A),voltage (V); #time,current,voltage; Timestamp(ms),Current(uA), units included "
        "(docs/how-to/power.md)",
        code="csv-columns-unknown",
    )


def _ppk2(path: Path, head: Sequence[str]) -> CsvColumns | None:
    if list(head[:2]) != ["Timestamp(ms)", "Current(uA)"]:
        return None
    known = {"D0-D7", *PPK2_CHANNELS}
    digital = {column: name for column, name in enumerate(head) if name in known}
    # Both ways to write the channels may be chosen together; they say the same.
    if "D0-D7" in digital.values():
        digital = {column: name for column, name in digital.items() if name == "D0-D7"}
    return CsvColumns("PPK2", 1, None, digital, 1e-3, 1e-6, PPK2_A, PPK2_V)


def _joulescope_old(path: Path, head: Sequence[str]) -> CsvColumns | None:
    """Exports of version 0 of the user interface, and recorded statistics."""
    begins = (["#time (s)", "current (A)", "voltage (V)"], ["#time", "current", "voltage"])
    if list(head[:3]) not in begins:
        return None
    digital = dict(enumerate(head[3:], start=3))
    return CsvColumns("Joulescope", 1, 2, digital)


def _joulescope(path: Path, head: Sequence[str]) -> CsvColumns | None:
    """Exports of version 1 of the user interface, and of pyjls: DEVICE.QUANTITY, in any order."""
    if head[0] not in ("# time", "# timestamp", "time", "timestamp"):
        return None
    split = [(column, *name.rpartition(".")[::2]) for column, name in enumerate(head) if column]
    devices = list(dict.fromkeys(device for _, device, _ in split))
    if len(devices) != 1 or not devices[0]:
        raise CyclescopeError(
            f"{path} holds columns of {', '.join(filter(None, devices)) or 'no device'}: export "
            "those of one device alone",
            code="csv-of-several-devices",
        )
    columns = {quantity: column for column, _, quantity in split}
    current = columns.get("i", columns.get("current"))
    if current is None:
        raise CyclescopeError(
            f"{path} holds no current ({devices[0]}.i): show the current's plot, and export again",
            code="csv-without-current",
        )
    digital = {
        column: JOULESCOPE_CHANNELS[quantity]
        for quantity, column in columns.items()
        if quantity in JOULESCOPE_CHANNELS
    }
    return CsvColumns("Joulescope", current, columns.get("v", columns.get("voltage")), digital)


def _cell(row: Sequence[str], column: int) -> str:
    return row[column].strip() if column < len(row) else ""


def _numbers(path: Path, rows: Sequence[Sequence[str]], columns: Sequence[int]) -> Values:
    table = []
    for number, row in enumerate(rows, start=2):
        cells = [_cell(row, column) for column in columns]
        try:
            table.append([float(cell) for cell in cells])
        except ValueError:
            if "" in cells:
                raise CyclescopeError(
                    f"{path}, line {number}: a sample is missing (the instrument lost it): export "
                    "an interval without",
                    code="sample-missing",
                ) from None
            raise CyclescopeError(
                f"{path}, line {number}: {','.join(cells)} is not {len(columns)} numbers: cut the "
                "line out, or export again",
                code="csv-line-not-numbers",
            ) from None
    return np.array(table, dtype=np.float64).reshape(-1, len(columns))


def _levels(path: Path, layout: CsvColumns, name: str, cells: Sequence[str]) -> dict[str, Levels]:
    """Digital channels: one column each, or PPK2's one column of all eight."""
    if name == "D0-D7":
        if not all(len(cell) == len(PPK2_CHANNELS) for cell in cells):
            raise CyclescopeError(
                f"{path}: the column D0-D7 does not hold eight bits a line",
                code="csv-digital-not-eight-bits",
            )
        found: dict[str, Levels] = {}
        for bit, channel in enumerate(PPK2_CHANNELS):
            found |= _levels(path, layout, channel, [cell[bit] for cell in cells])
        return found
    if layout.instrument == "PPK2":
        if not set(cells) <= PPK2_LEVELS.keys():
            raise CyclescopeError(
                f"{path}: the digital channel {name} holds more than 0, 1, X and -",
                code="csv-digital-value-unknown",
            )
        return {name: np.array([PPK2_LEVELS[cell] for cell in cells], dtype=np.int8)}
    try:
        return {name: levels_of(np.array([float(cell) for cell in cells]))}
    except ValueError:
        return {}  # some other column of the user's


def levels_of(values: Values) -> Levels:
    """Levels of a channel that was averaged: in between, it changed within the sample. Values
    beyond 0 and 1 are of something else: then the level is unknown throughout."""
    if not ((values >= 0) & (values <= 1)).all():
        return np.full(values.size, UNKNOWN, dtype=np.int8)
    found: Levels = np.full(values.size, BOTH, dtype=np.int8)
    found[values == 0] = LOW
    found[values == 1] = HIGH
    return found
