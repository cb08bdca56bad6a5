"""Table 1: every row's estimates, from experiments that the board executes."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import experiments
import numpy as np
from instrument import Instrument
from rows import CYCLES, ROWS, Row

from cyclescope.stats.summary import Values, normal

WORKERS = 2


@dataclass(frozen=True)
class Batch:
    """The results of a run of the board: estimates by row, the clock, and exact counts."""

    estimates: tuple[Values, ...]
    clock_ppm: float
    clock_deviation_ppm: float
    executions: int
    cycles: int


@dataclass(frozen=True)
class Entry:
    """A row's estimates of T_e in µs: their number, mean and standard deviation."""

    row: Row
    n: int
    mean: float
    sigma: float

    @property
    def bias(self) -> float:
        """By how much the mean is above the routine's 100 cycles."""
        return self.mean - CYCLES

    @property
    def half_width(self) -> float:
        """Of the bias's 95 % interval."""
        return normal() * self.sigma / self.n**0.5

    def holds(self, truth: float) -> bool:
        """Whether the bias's interval holds that of the truth."""
        return abs(self.bias - truth) <= self.half_width


def run_batch(
    instrument: Instrument, seed: int, number: int, count: int, rows: Sequence[Row] = ROWS
) -> Batch:
    """Executes `count` experiments from a reset, and estimates from what the card has recorded.

    The edges' distances on the board are checked: each pulse is N × 100 + 8 cycles.
    """
    made = experiments.program(rows, seed * 1_000 + number)
    expected = np.concatenate(
        [
            np.tile([point.executions for point in row.points], row.rounds * row.estimates)
            for row in rows
        ]
    )
    found: list[list[Values]] = [[] for _ in rows]
    parts, seconds = [], []
    for edges, second in experiments.executed(made, count):
        parts.append(edges)
        seconds.append(second)
    cycles = np.concatenate(parts)
    high = cycles[:, 1::2] - cycles[:, ::2]
    assert (high == expected * CYCLES + instrument.toggle_cycles).all(), (
        "the routine takes 100 cycles"
    )
    reference = instrument.reference(np.concatenate(seconds), number)
    streams = (np.arange(count) + number * 1_000_000).astype(np.uint64)
    for at in range(0, count, 32):
        some = slice(at, at + 32)
        times = instrument.lengths_us(cycles[some], streams[some], reference)
        begin = 0
        for row, estimates in zip(rows, found, strict=True):
            estimates.append(row.estimated(times[:, begin : begin + row.measurements]))
            begin += row.measurements
    return Batch(
        tuple(np.concatenate(one) for one in found),
        reference.clock_ppm,
        reference.deviation_ppm,
        int(expected.sum()) * count,
        int(cycles[-1, -1]),
    )


def run(instrument: Instrument, count: int, batches: int, seed: int) -> list[Batch]:
    """All experiments, in batches side by side, each with its own random times; says how far."""
    sizes = [count // batches + (number < count % batches) for number in range(batches)]
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
        waiting = [
            pool.submit(run_batch, instrument, seed, number, size)
            for number, size in enumerate(sizes)
            if size
        ]
        done = []
        for number, one in enumerate(waiting, 1):
            done.append(one.result())
            print(f"table 1: batch {number} of {len(waiting)}", flush=True)
        return done


def entries(batches: Sequence[Batch], rows: Sequence[Row] = ROWS) -> list[Entry]:
    """Every row over all batches."""
    made = []
    for number, row in enumerate(rows):
        values = np.concatenate([one.estimates[number] for one in batches])
        made.append(Entry(row, len(values), float(values.mean()), float(values.std(ddof=1))))
    return made
