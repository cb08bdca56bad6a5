"""Recordings in Joulescope's own files, JLS version 2, by its maker's package.

See docs/how-to/power.md.
"""

import logging
from pathlib import Path
from typing import Any

import numpy as np
from pyjls import DataType, Reader, SignalType

from cyclescope.errors import CyclescopeError
from cyclescope.studies.power.csv_files import JOULESCOPE_A, JOULESCOPE_CHANNELS, JOULESCOPE_V
from cyclescope.studies.power.recording import HIGH, LOW, Levels, Raw, Values

MOST_SAMPLES = 20_000_000

# The package's C part reports through this; what is wrong is said in one sentence instead.
logging.getLogger("pyjls").addHandler(logging.NullHandler())


def read(path: Path) -> Raw:
    """Reads a recording whose header was found good."""
    try:
        with Reader(str(path)) as reader:
            return _Signals(path, reader).raw()
    except (RuntimeError, ValueError):
        raise CyclescopeError(
            f"{path} is damaged: export the recording from Joulescope's user interface again",
            code="jls-damaged",
        ) from None


class _Signals:
    """The signals of a file, on the current's samples."""

    def __init__(self, path: Path, reader: Any) -> None:
        self._path, self._reader = path, reader
        fixed = [one for one in reader.signals.values() if one.signal_type == SignalType.FSR]
        self._by_name: dict[str, list[Any]] = {}
        for one in fixed:
            if one.length:
                self._by_name.setdefault(one.name, []).append(one)

    def raw(self) -> Raw:
        """All of it."""
        current, voltage = self._one("current"), self._one("voltage")
        if current is None:
            raise CyclescopeError(
                f"{self._path} holds no current: record the current, too",
                code="jls-without-current",
            )
        begin, count = 0.0, current.length
        if voltage is not None:
            if voltage.sample_rate != current.sample_rate:
                raise CyclescopeError(
                    f"{self._path} has {current.sample_rate:,} samples of the current a second and "
                    f"{voltage.sample_rate:,} of the voltage: record both at one rate",
                    code="jls-rates-differ",
                )
            ahead = round(self._behind(voltage, current) * current.sample_rate)
            skipped = max(0, ahead)
            count = min(current.length - skipped, voltage.length - skipped + ahead)
            begin = skipped / current.sample_rate
        if count > MOST_SAMPLES:
            raise CyclescopeError(
                f"{self._path} holds {count:,} samples, more than the {MOST_SAMPLES:,} that are "
                "read: export the part between two markers",
                code="jls-too-long",
            )
        if count < 1:
            raise CyclescopeError(
                f"{self._path}: current and voltage were never recorded together",
                code="jls-never-together",
            )
        rate = current.sample_rate
        return Raw(
            "Joulescope",
            np.arange(count) / rate,
            self._values(current, round(begin * rate), count),
            None if voltage is None else self._values(voltage, skipped - ahead, count),
            self._levels(current, begin, count),
            JOULESCOPE_A,
            JOULESCOPE_V,
        )

    def _one(self, name: str) -> Any:
        """The signal of that name, None where there is none."""
        found = self._by_name.get(name, [])
        if len(found) > 1:
            raise CyclescopeError(
                f"{self._path} holds {len(found)} signals called {name}: export those of one "
                "device",
                code="jls-of-several-devices",
            )
        return found[0] if found else None

    def _behind(self, one: Any, other: Any) -> float:
        """By how many seconds the first sample of one signal is later than that of the other."""
        at = [self._reader.sample_id_to_timestamp(each.signal_id, 0) for each in (one, other)]
        if 0 in (self._reader.time_map_length(each.signal_id) for each in (one, other)):
            offsets = [each.sample_id_offset / each.sample_rate for each in (one, other)]
            return float(offsets[0] - offsets[1])
        return float(at[0] - at[1]) / 2**30

    def _values(self, signal: Any, begin: int, count: int) -> Values:
        values: Values = np.asarray(self._reader.fsr(signal.signal_id, begin, count), np.float64)
        return values

    def _levels(self, current: Any, begin_s: float, count: int) -> dict[str, Levels]:
        """Digital inputs, each at the moments of the current's samples; those that were not
        recorded throughout are left out."""
        found: dict[str, Levels] = {}
        for name, channel in JOULESCOPE_CHANNELS.items():
            signal = self._one(name)
            if signal is None or signal.data_type & 0xFFFF != DataType.U1 & 0xFFFF:
                continue
            times = begin_s + np.arange(count) / current.sample_rate
            index = np.floor((times - self._behind(signal, current)) * signal.sample_rate + 0.5)
            if index[0] < 0 or index[-1] >= signal.length:
                continue
            packed = self._reader.fsr(signal.signal_id, 0, signal.length)
            bits = np.unpackbits(packed, bitorder="little")[: signal.length]
            found[channel] = np.where(bits[index.astype(np.int64)], HIGH, LOW).astype(np.int8)
        return found
