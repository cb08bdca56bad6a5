"""The edges of a program that toggles a pin, made here and not on a board, and their recording."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cyclescope.recordings.edges import Marks, Times
from cyclescope.recordings.sound_card import SoundCard
from cyclescope.recordings.wave_files import write_wave

EXECUTION_S = 100e-6
OVERHEAD_S = 8.5e-6
LEAST_GAP_S, MOST_GAP_S = 4e-4, 9e-4
REST_S = 6e-3


@dataclass(frozen=True)
class PinProgram:
    """Times of the pin's edges, rising first, and of the reference's; N of each pulse."""

    times_s: Times
    reference_s: Times
    executions: NDArray[np.int64]

    @property
    def rising(self) -> Marks:
        return ways(self.times_s)

    @property
    def length_s(self) -> float:
        return float(max(self.times_s[-1], self.reference_s[-1])) + 0.3


def ways(times_s: Times) -> Marks:
    return np.arange(len(times_s)) % 2 == 0


def pin_program(
    pulses: int = 200,
    points: int = 10,
    seconds: int = 5,
    seed: int = 1,
    least: int = 1,
    again: int = 1,
) -> PinProgram:
    """`again` repetitions of pulses of `least`, `least` + 1, … executions, at random phases."""
    random = np.random.default_rng(seed)
    executions = np.tile(np.arange(pulses) % points + least, again)
    now, begins, ends = 0.2, [], []
    for number, one in enumerate(executions.tolist()):
        now += REST_S if number % pulses == 0 else random.uniform(LEAST_GAP_S, MOST_GAP_S)
        begins.append(now)
        now += one * EXECUTION_S + OVERHEAD_S
        ends.append(now)
    reference_s = 1.2 + np.arange(seconds + 1, dtype=np.float64)
    return PinProgram(np.column_stack([begins, ends]).ravel(), reference_s, executions)


def record(program: PinProgram, card: SoundCard, path: Path) -> Path:
    """Writes what the card records: the pin on the left, the reference on the right."""
    length = int(program.length_s * card.samples_per_s)
    both = [
        card.recording(times_s, ways(times_s), length, stream)
        for stream, times_s in enumerate((program.times_s, program.reference_s))
    ]
    write_wave(path, both, card.rate_hz)
    return path
