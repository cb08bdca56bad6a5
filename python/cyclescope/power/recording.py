"""Recordings of current and voltage over time, in the CSV files that instruments' software exports.

Columns, units and triggers of each format: docs/power.md.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cyclescope.errors import CyclescopeError

Values = npt.NDArray[np.float64]
Bits = npt.NDArray[np.bool_]

PPK2_CHANNELS = tuple(f"D{n}" for n in range(8))
IRREGULAR = 0.5
"""Of the usual distance between samples: two that are further off have a gap between them."""


@dataclass(frozen=True)
class Recording:
    """Samples at equal distances; each stands for the time up to the next one.

    `triggers` are the digital channels that were recorded beside, by name.
    """

    instrument: str
    time_s: Values
    current_a: Values
    voltage_v: Values
    triggers: dict[str, Bits]

    @property
    def period_s(self) -> float:
        """The distance between samples."""
        return float((self.time_s[-1] - self.time_s[0]) / (self.time_s.size - 1))

    @property
    def power_w(self) -> Values:
        """The power of each sample."""
        return np.asarray(self.current_a * self.voltage_v)


@dataclass(frozen=True)
class Format:
    """One instrument's file: its header up to the digital channels, and what its columns are in."""

    instrument: str
    header: tuple[str, ...]
    seconds: float
    amperes: float
    has_voltage: bool
    most_a: float
    most_v: float


FORMATS = (
    Format("Joulescope", ("#time (s)", "current (A)", "voltage (V)"), 1.0, 1.0, True, 10.0, 15.0),
    Format("Joulescope", ("#time", "current", "voltage"), 1.0, 1.0, True, 10.0, 15.0),
    Format("PPK2", ("Timestamp(ms)", "Current(uA)"), 1e-3, 1e-6, False, 1.0, 5.0),
)


def read(path: Path, supply_mv: int | None) -> Recording:
    """Reads an export. `supply_mv` is the voltage where the instrument does not record one."""
    rows = _rows(path)
    if len(rows) < 3:
        raise CyclescopeError(f"{path} holds fewer than two samples: export a longer stretch")
    head = [name.strip() for name in rows[0]]
    found = next((one for one in FORMATS if tuple(head[: len(one.header)]) == one.header), None)
    if found is None:
        known = "; ".join(",".join(one.header) for one in FORMATS)
        raise CyclescopeError(
            f"{path} begins with the columns {','.join(head[:4])}: it must begin with one of "
            f"{known} (docs/power.md), units included"
        )
    if found.has_voltage and supply_mv is not None:
        raise CyclescopeError(f"{path} holds the voltage already: leave out --supply-mv")
    if not found.has_voltage and supply_mv is None:
        raise CyclescopeError(f"{path} holds no voltage: say it with --supply-mv")
    values = _numbers(path, rows[1:], len(found.header))
    time_s = values[:, 0] * found.seconds
    current_a = values[:, 1] * found.amperes
    voltage_v = values[:, 2] if found.has_voltage else np.full(time_s.size, (supply_mv or 0) / 1000)
    _check_time(path, time_s)
    _check_range(path, "current", "A", current_a, found.most_a)
    _check_range(path, "voltage", "V", voltage_v, found.most_v)
    triggers = _triggers(path, head, rows[1:], len(found.header))
    return Recording(found.instrument, time_s, current_a, voltage_v, triggers)


def _rows(path: Path) -> list[list[str]]:
    try:
        with path.open(newline="") as file:
            return [row for row in csv.reader(file) if row]
    except OSError as error:
        raise CyclescopeError(f"{path} cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error):
        raise CyclescopeError(f"{path} is no CSV file: export the recording as CSV") from None


def _numbers(path: Path, rows: Sequence[Sequence[str]], columns: int) -> Values:
    table = []
    for number, row in enumerate(rows, start=2):
        try:
            table.append([float(cell) for cell in row[:columns]])
        except ValueError:
            raise CyclescopeError(
                f"{path}, line {number}: {','.join(row[:columns])} is not {columns} numbers: cut "
                "the line out, or export again"
            ) from None
        if len(row) < columns or not np.all(np.isfinite(table[-1])):
            raise CyclescopeError(
                f"{path}, line {number}: a sample is missing (the instrument lost it): export a "
                "stretch without"
            )
    return np.array(table)


def _check_time(path: Path, time_s: Values) -> None:
    steps = np.diff(time_s)
    if (backwards := np.flatnonzero(steps <= 0)).size:
        line = int(backwards[0]) + 3
        raise CyclescopeError(f"{path}, line {line}: time does not go on: export it again")
    usual = float(np.median(steps))
    wrong = np.flatnonzero(np.abs(steps - usual) > IRREGULAR * usual)
    if wrong.size:
        raise CyclescopeError(
            f"{path}, line {int(wrong[0]) + 3}: {steps[wrong[0]]:g} s without a sample, where "
            f"{usual:g} s is usual: energy over a gap is not known; export a stretch without one"
        )


def _check_range(path: Path, what: str, unit: str, values: Values, most: float) -> None:
    worst = int(np.argmax(np.abs(values)))
    if abs(values[worst]) > most:
        raise CyclescopeError(
            f"{path}, line {worst + 2}: a {what} of {values[worst]:g} {unit} is more than the "
            f"instrument can measure ({most:g} {unit}): is it in another unit than the head says?"
        )


def _triggers(
    path: Path, head: Sequence[str], rows: Sequence[Sequence[str]], first: int
) -> dict[str, Bits]:
    """Digital channels: a column of 0 and 1 each, or PPK2's one column of all eight."""
    triggers: dict[str, Bits] = {}
    for column, name in enumerate(head[first:], start=first):
        cells = [row[column].strip() if column < len(row) else "" for row in rows]
        if name == "D0-D7":
            if not all(len(cell) == len(PPK2_CHANNELS) for cell in cells):
                raise CyclescopeError(f"{path}: the column D0-D7 does not hold eight bits a line")
            for bit, channel in enumerate(PPK2_CHANNELS):
                triggers[channel] = _bits(path, channel, [cell[bit] for cell in cells])
        elif set(cells) <= {"0", "1"}:
            triggers[name] = _bits(path, name, cells)
    return triggers


def _bits(path: Path, name: str, cells: Sequence[str]) -> Bits:
    if not set(cells) <= {"0", "1"}:
        raise CyclescopeError(f"{path}: the digital channel {name} holds more than 0 and 1")
    return np.array([cell == "1" for cell in cells])


def joulescope_csv(recording: Recording) -> str:
    """The recording as Joulescope's software exports one, its triggers in further columns."""
    names = list(recording.triggers)
    lines = [",".join([*FORMATS[0].header, *names])]
    samples = zip(recording.time_s, recording.current_a, recording.voltage_v, strict=True)
    for index, (time_s, current_a, voltage_v) in enumerate(samples):
        bits = [str(int(recording.triggers[name][index])) for name in names]
        lines.append(",".join([f"{time_s:.9f}", f"{current_a:.9g}", f"{voltage_v:.6g}", *bits]))
    return "\n".join(lines) + "\n"


def ppk2_csv(recording: Recording) -> str:
    """The recording as PPK2's software exports one; its first trigger is D0. No voltage."""
    first = next(iter(recording.triggers.values()), np.zeros(recording.time_s.size, dtype=bool))
    lines = ["Timestamp(ms),Current(uA),D0-D7"]
    samples = zip(recording.time_s, recording.current_a, first, strict=True)
    lines += [f"{t * 1e3:.6f},{i * 1e6:.3f},{int(d)}0000000" for t, i, d in samples]
    return "\n".join(lines) + "\n"
