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


@dataclass(frozen=True)
class PinProgram:
    """Times of all edges, rising first; N of each pulse behind the reference."""

    times_s: Times
    executions: NDArray[np.int64]

    @property
    def rising(self) -> Marks:
        return np.arange(len(self.times_s)) % 2 == 0

    @property
    def length_s(self) -> float:
        return float(self.times_s[-1]) + 1.0


def pin_program(
    pulses: int = 200, points: int = 10, seconds: int = 5, seed: int = 1, least: int = 1
) -> PinProgram:
    """A reference, then pulses of `least`, `least` + 1, … executions in turn, at random phases."""
    random = np.random.default_rng(seed)
    begins = [2.2 + second for second in range(seconds + 1)]
    ends = [begin + 0.5 for begin in begins]
    executions = np.arange(pulses) % points + least
    now = ends[-1] + 2.0
    for one in executions.tolist():
        begins.append(now)
        ends.append(now + one * EXECUTION_S + OVERHEAD_S)
        now = ends[-1] + random.uniform(LEAST_GAP_S, MOST_GAP_S)
    return PinProgram(np.column_stack([begins, ends]).ravel(), executions)


def record(program: PinProgram, card: SoundCard, path: Path) -> Path:
    """Writes what the card records of the program."""
    length = int(program.length_s * card.samples_per_s)
    write_wave(path, card.recording(program.times_s, program.rising, length), card.rate_hz)
    return path
