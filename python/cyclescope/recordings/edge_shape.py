"""The shape of one edge at a card: the answer of its input to a step of 1, by the sample.

A step passes the pin's own rise (one time constant), the converter's low-pass and the input's
coupling capacitor. The low-pass is a Kaiser-windowed sinc. The capacitor's answer behind the shape
is an exponential, which is exact, so that edges far apart need no common memory.
"""

from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from scipy.signal import lfilter
from scipy.special import i0

Samples = NDArray[np.float64]

CUT_OFF = 0.39
"""Of the rate, where the low-pass lets half of the amplitude through: 75 kHz at 192 kHz."""
STOP_DB = 110.0
REACH = 13
"""Samples by which the low-pass rings before and behind an edge."""
PHASES = 4096
"""Rows of a shape between two samples; between rows it is interpolated."""
SETTLED = 20
"""Time constants after which a rise is over, to less than a count of 24 bits."""


@dataclass(frozen=True, eq=False)
class EdgeShape:
    """A shape from REACH samples before its edge to `until` behind it; then the exponential
    `tail` · exp(-t / `coupling`), t in samples since the edge."""

    rows: Samples
    until: int
    tail: float
    coupling: float
    _made: dict[int, Samples] = field(default_factory=dict, repr=False)

    @property
    def length(self) -> int:
        """Samples in which an edge has its shape."""
        return int(self.rows.shape[1])

    def windows(self, distances: Samples, half_width: int) -> Samples:
        """The shape around samples that lie so far behind its edge, one row for each of them."""
        before = np.ceil(distances)
        place = (before - distances) * PHASES
        row = np.minimum(place.astype(np.int64), PHASES - 1)
        share = (place - row)[:, None]
        pieces = self._pieces(2 * half_width + 1)
        column = before.astype(np.int64) + half_width + REACH
        return np.asarray(pieces[row, column] * (1 - share) + pieces[row + 1, column] * share)

    def _pieces(self, width: int) -> Samples:
        """Every `width` neighbours of each row, which goes on on both sides."""
        if width not in self._made:
            late = np.arange(PHASES + 1)[:, None] / PHASES
            behind = self.until + 1 + np.arange(2 * width) - late
            rows = np.concatenate(
                [
                    np.zeros((PHASES + 1, width)),
                    self.rows,
                    self.tail * np.exp(-behind / self.coupling),
                ],
                axis=1,
            )
            self._made[width] = sliding_window_view(rows, width, axis=1)
        return self._made[width]

    def sampled(self, phases: Samples) -> Samples:
        """The shape by the sample, one row for each of the phases.

        A phase, 0 to 1, is how far behind a sample an edge lies; the first column is REACH - 1
        samples before that sample.
        """
        place = phases * PHASES
        row = np.minimum(place.astype(np.int64), PHASES - 1)
        share = (place - row)[:, None]
        return np.asarray(self.rows[row] * (1 - share) + self.rows[row + 1] * share)


@cache
def edge_shape(rise: float, coupling: float) -> EdgeShape:
    """The shape for these time constants, in samples."""
    until = REACH + int(np.ceil(SETTLED * rise)) + 1
    fine = np.arange(-REACH * PHASES, until * PHASES + 1) / PHASES
    inside = np.abs(fine) <= REACH
    beta = 0.1102 * (STOP_DB - 8.7)
    window = i0(beta * np.sqrt(np.maximum(0, 1 - (fine[inside] / REACH) ** 2)))
    impulse = np.zeros_like(fine)
    impulse[inside] = np.sinc(2 * CUT_OFF * fine[inside]) * window
    impulse /= impulse.sum()
    risen = _slowed(np.cumsum(impulse) - impulse / 2, rise)
    coupled = risen - _slowed(risen, coupling)
    tail = float(coupled[-1] * np.exp(until / coupling))
    # Row p begins REACH - 1 + p / PHASES before the edge.
    starts = PHASES - np.arange(PHASES + 1)
    columns = np.arange(REACH + until) * PHASES
    return EdgeShape(coupled[starts[:, None] + columns], until, tail, coupling)


def _slowed(signal: Samples, constant: float) -> Samples:
    """The signal behind a low-pass of first order; its constant is in samples."""
    if constant == 0:
        return signal
    kept = np.exp(-1 / (constant * PHASES))
    return np.asarray(lfilter([1 - kept], [1, -kept], signal))
