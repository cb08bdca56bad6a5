"""A simulated sound card: edges of a pin become the samples that a card records of them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cyclescope.recordings.edge_shape import REACH, EdgeShape, edge_shape
from cyclescope.recordings.edges import Marks, Times
from cyclescope.recordings.white_noise import Numbers, normal

Counts = NDArray[np.int32]
Middles = NDArray[np.int64]
LONGEST = 50.0
"""Time constants of the coupling whose exponential is computed at once."""
PIN_NOISE = 1
"""Added to the seed: the pin's noise is another than the card's."""


@dataclass(frozen=True)
class SoundCard:
    """The effects of a card on a pin's signal; docs/reference/recordings.md explains each.

    `clock_ppm` is by how much the card's crystal is fast against the board's. `step` is an edge's
    height as a share of full scale. `rise_s` and `fall_s` are time constants of the pin's edges,
    `coupling_hz` the corner of the input's high-pass. `noise` is the deviation of a sample as a
    share of full scale, `jitter_s` that of the pin's edges in time. `seed` decides both noises.
    """

    rate_hz: int = 192_000
    bits: int = 24
    clock_ppm: float = 0.0
    step: float = 0.5
    rise_s: float = 1.5e-6
    fall_s: float = 1.0e-6
    coupling_hz: float = 2.0
    noise: float = 0.0
    jitter_s: float = 0.0
    inverts: bool = False
    seed: int = 1

    @property
    def samples_per_s(self) -> float:
        """Samples in a second of the board's clock."""
        return self.rate_hz * (1 + self.clock_ppm * 1e-6)

    @cached_property
    def shapes(self) -> tuple[EdgeShape, EdgeShape]:
        """Those of a falling and of a rising edge."""
        coupling = self.samples_per_s / (2 * np.pi * self.coupling_hz)
        return (
            edge_shape(self.fall_s * self.samples_per_s, coupling),
            edge_shape(self.rise_s * self.samples_per_s, coupling),
        )

    def places(self, times_s: Times, streams: Numbers) -> Times:
        """Where edges lie in samples, the pin's noise included: recordings × edges.

        The noise of an edge is that of its number in its recording, whose stream is given.
        """
        numbers = np.arange(times_s.shape[1], dtype=np.uint64)
        times = times_s
        if self.jitter_s:
            times = times + self.jitter_s * normal(self.seed + PIN_NOISE, streams[:, None], numbers)
        return times * self.samples_per_s

    @property
    def longest(self) -> int:
        """Samples behind an edge in which it has its shape."""
        return max(shape.until for shape in self.shapes)

    def windows(
        self, places: Times, rising: Marks, streams: Numbers, half_width: int
    ) -> tuple[Counts, Middles]:
        """The samples around each edge, and the number of each middle sample.

        `places` is recordings × edges; all recordings have the same `rising`. The windows are
        recordings × edges × samples, each 2 `half_width` + 1 of them, as the whole recording has
        them (`recording`).
        """
        middles = np.round(places).astype(np.int64)
        offsets = np.arange(-half_width, half_width + 1)
        signal = np.zeros((*places.shape, len(offsets)))
        edges, reach = places.shape[1], half_width + self.longest + 2
        before = next(n for n in range(1, edges + 1) if _least_gap(places, n) > reach)
        tails = self._tails(places, rising)[:, : edges - before]
        far = tails * self._fading(middles[:, before:] - places[:, : edges - before])
        signal[:, before:] += far[:, :, None] * self._fading(offsets)
        for shift in range(1 - before, before):
            own = slice(max(0, -shift), edges - max(0, shift))
            other = slice(max(0, shift), edges - max(0, -shift))
            self._add(signal[:, own], middles[:, own] - places[:, other], rising[other])
        numbers = (middles[:, :, None] + offsets).astype(np.uint64)
        return self._counts(signal, streams[:, None, None], numbers), middles

    def recording(self, times_s: Times, rising: Marks, length: int, stream: int = 0) -> Counts:
        """All samples of one recording, from the moment 0 on."""
        streams = np.array([stream], np.uint64)
        places = self.places(times_s[None, :], streams)
        tails = self._tails(places, rising)[0]
        signal = np.zeros(length)
        numbers = np.arange(length)
        first = np.floor(places[0]).astype(np.int64)
        over = np.searchsorted(
            first + np.where(rising, *(s.until for s in self.shapes[::-1])), numbers
        )
        for way, shape in enumerate(self.shapes):
            chosen = rising == bool(way)
            drawn = self._signed(bool(way)) * shape.sampled(places[0][chosen] - first[chosen])
            at = first[chosen][:, None] - REACH + 1 + np.arange(shape.length)
            inside = (at >= 0) & (at < length)
            np.add.at(signal, at[inside], drawn[inside])
        behind = over > 0
        last = over[behind] - 1
        signal[behind] += tails[last] * self._fading(numbers[behind] - places[0][last])
        return self._counts(signal, streams, numbers.astype(np.uint64))

    def _add(self, signal: Times, distances: Times, rising: Marks) -> None:
        """Adds to windows what edges give that lie so far before their middles."""
        half_width = signal.shape[2] // 2
        for way, shape in enumerate(self.shapes):
            height, mine = self._signed(bool(way)), rising == bool(way)
            drawn = (
                mine & (distances > -half_width - REACH) & (distances < half_width + shape.until)
            )
            signal[drawn] += height * shape.windows(distances[drawn], half_width)
            faded = mine & (distances >= half_width + shape.until)
            if faded.any():
                offsets = np.arange(-half_width, half_width + 1)
                tail = height * shape.tail * self._fading(distances[faded])
                signal[faded] += tail[:, None] * self._fading(offsets)

    def _tails(self, places: Times, rising: Marks) -> Times:
        """Each edge and all before it as they remain, as an exponential from its place on."""
        made = np.empty_like(places)
        heights = np.array([self._signed(bool(way)) * self.shapes[int(way)].tail for way in rising])
        state, begin = np.zeros((len(places), 1)), 0
        while begin < places.shape[1]:
            # As far as exponentials stay small, all edges of a part at once.
            since = places - places[:, begin : begin + 1]
            end = int(np.searchsorted(since.max(axis=0), LONGEST * self.shapes[0].coupling))
            grown = 1 / self._fading(since[:, begin:end])
            made[:, begin:end] = (state + np.cumsum(heights[begin:end] * grown, axis=1)) / grown
            if end < places.shape[1]:
                last = made[:, end - 1 : end]
                state = last * self._fading(places[:, end : end + 1] - places[:, end - 1 : end])
            begin = end
        return made

    def _fading(self, samples: NDArray[Any]) -> Times:
        return np.asarray(np.exp(-samples / self.shapes[0].coupling))

    def _signed(self, rising: bool) -> float:
        return self.step if rising != self.inverts else -self.step

    def _counts(self, signal: Times, streams: Numbers, numbers: Numbers) -> Counts:
        """The signal with the card's noise, rounded to its bits."""
        if self.noise:
            signal = signal + self.noise * normal(self.seed, streams, numbers)
        most = 2 ** (self.bits - 1)
        return np.asarray(np.clip(np.round(signal * most), -most, most - 1), np.int32)


def _least_gap(places: Times, apart: int) -> float:
    """The least distance from an edge to a later one by number; infinite if there are none."""
    if apart >= places.shape[1]:
        return float("inf")
    return float((places[:, apart:] - places[:, :-apart]).min())
