"""Value change dumps (IEEE 1364), as sigrok, Saleae's Logic 2 and simulators write them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from cyclescope.recordings.edges import Edges
from cyclescope.recordings.levels import damaged, edges_of

UNITS_S = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12, "fs": 1e-15}
RATE = re.compile(r"\bat (\d+(?:\.\d+)?) ?([kMG]?)Hz")
PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}
SKIPPED = ("r", "R", "s", "S")
"""Values that are no levels: real numbers and texts."""
LATEST = 2**63


@dataclass
class _Variable:
    """A variable of one bit, and its changes."""

    name: str
    ticks: list[int] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)


@dataclass
class _Head:
    tick_s: float = 0.0
    rate_hz: float = 0.0
    variables: dict[str, _Variable] = field(default_factory=dict)


def read_value_changes(path: Path, text: str) -> dict[str, Edges]:
    """The edges of each variable of one bit whose level is always known, by name.

    Raises CyclescopeError if the dump is damaged.
    """
    words = iter(text.split())
    head = _read_head(words, path)
    last = _read_changes(words, head, path)
    return {
        one.name: _edges(one, head, last * head.tick_s)
        for one in head.variables.values()
        if -1 not in one.levels[1:]
    }


def _edges(one: _Variable, head: _Head, length_s: float) -> Edges:
    ticks, levels = np.array(one.ticks, np.int64), np.array(one.levels, np.int8)
    step = float(np.gcd.reduce(np.diff(ticks))) * head.tick_s if len(ticks) > 1 else 0.0
    times_s = np.asarray(ticks[levels >= 0] * head.tick_s, np.float64)
    if head.rate_hz:
        # Times are rounded to ticks; the number of the sample is exact.
        times_s, step = np.round(times_s * head.rate_hz) / head.rate_hz, 1 / head.rate_hz
    return edges_of(times_s, levels[levels >= 0], step, length_s)


def _read_head(words: Iterator[str], path: Path) -> _Head:
    head = _Head()
    for word in words:
        if word == "$enddefinitions":
            break
        if not word.startswith("$") or word == "$end":
            continue
        said = []
        for one in words:
            if one == "$end":
                break
            said.append(one)
        if word == "$timescale":
            head.tick_s = _timescale("".join(said), path)
        elif word == "$comment" and (rate := RATE.search(" ".join(said))):
            head.rate_hz = float(rate[1]) * PREFIXES[rate[2]]
        elif word == "$var" and len(said) >= 4 and said[1] == "1":
            head.variables.setdefault(said[2], _Variable(said[3]))
    if not head.tick_s:
        raise damaged(path, "it has no $timescale")
    return head


def _timescale(text: str, path: Path) -> float:
    number, unit = re.fullmatch(r"(\d*)(.*)", text).groups()  # type: ignore[union-attr]
    if unit not in UNITS_S:
        raise damaged(path, f"its timescale {text} is none")
    return int(number or 1) * UNITS_S[unit]


def _read_changes(words: Iterator[str], head: _Head, path: Path) -> int:
    """Fills in the variables' changes; returns the last time."""
    now = 0
    try:
        for word in words:
            first = word[0]
            if first == "#":
                before, now = now, int(word[1:])
                if not before <= now < LATEST:
                    raise damaged(path, f"the time {word} goes back or is no time")
            elif first in "01xXzZ" and len(word) > 1:
                _note(head, word[1:], first, now)
            elif first in "bB":
                _note(head, next(words), word[-1], now)
            elif first in SKIPPED:
                next(words)
            elif first != "$":
                raise damaged(path, f"{word} is no value change")
    except (ValueError, StopIteration):
        raise damaged(path, "it ends within a value change") from None
    return now


def _note(head: _Head, code: str, level: str, now: int) -> None:
    if one := head.variables.get(code):
        one.ticks.append(now)
        one.levels.append({"0": 0, "1": 1}.get(level, -1))
