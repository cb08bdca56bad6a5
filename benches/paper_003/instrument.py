"""The instrument of table 1: the board's edges through pin and sound card, back to times.

Samples are rendered around edges alone; tests/test_sound_card.py shows on 1,000 edges that they are
those of the whole recording. Each experiment is a recording of its own that begins at a random
moment, so its edges have random phases between two samples.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cyclescope.firmware.pin_delays import PinDelays
from cyclescope.recordings.edges import Edges, Marks
from cyclescope.recordings.inflection import HALF_WIDTH, locate
from cyclescope.recordings.program_recording import Reference, reference_of
from cyclescope.recordings.sound_card import SoundCard
from cyclescope.recordings.white_noise import Numbers, uniform
from cyclescope.stats.summary import Values

Cycles = NDArray[np.int64]

EDGES_AT_ONCE = 25_000
"""Edges that are rendered together, in whole recordings."""
BEGIN_SAMPLES = 100
REFERENCE_STREAM = 2**40
PHASES = 2
"""Added to the seed: moments at which recordings begin are another stream than noises."""

PIN = PinDelays(before_cycles=7, after_cycles=1, rise_ns=50, fall_ns=97)
CARD = SoundCard(
    clock_ppm=80, rise_s=1.0e-6, fall_s=1.5e-6, coupling_hz=2.0, noise=0.0327, jitter_s=0.6e-6
)
"""Crystal, edges and noise of table 1. The noise is such that Direct (1×) scatters by 1.119 µs: 0.6
at each edge by the pin, the rest by the card."""


@dataclass(frozen=True)
class Instrument:
    """A pin and a card; `core_hz` is the board's clock."""

    core_hz: int
    pin: PinDelays = PIN
    card: SoundCard = CARD

    @property
    def toggle_cycles(self) -> int:
        """By how many cycles of its own a pulse is longer than what it is around."""
        return self.pin.before_cycles + self.pin.after_cycles

    def times_s(self, cycles: Cycles, rising: Marks, streams: Numbers) -> Values:
        """When edges come in their recordings, which begin at random moments before them."""
        start = uniform(self.card.seed + PHASES, streams, np.zeros_like(streams))
        times_s = self.pin.times_s(cycles - cycles[:, :1], rising, self.core_hz)
        return times_s + (BEGIN_SAMPLES + start[:, None]) / self.card.samples_per_s

    def places(self, cycles: Cycles, streams: Numbers) -> tuple[Values, Values]:
        """Where edges lie and where they are found, in samples: recordings × edges."""
        rising = np.arange(cycles.shape[1]) % 2 == 0
        places = self.card.places(self.times_s(cycles, rising, streams), streams)
        windows, middles = self.card.windows(places, rising, streams, HALF_WIDTH)
        windows *= np.where(rising, 1, -1).astype(np.int32)[:, None]
        found = locate(windows.reshape(-1, windows.shape[-1]).astype(np.float64))
        return places, middles + found.places.reshape(middles.shape)

    def lengths_us(self, cycles: Cycles, streams: Numbers, reference: Reference) -> Values:
        """The lengths of pulses that the reader finds: recordings × pulses, in µs of the board."""
        second = self.card.rate_hz * reference.second_s
        together = max(1, EDGES_AT_ONCE // cycles.shape[1])
        found = [
            self.places(cycles[at : at + together], streams[at : at + together])[1]
            for at in range(0, len(cycles), together)
        ]
        places = np.concatenate(found)
        return (places[:, 1::2] - places[:, ::2]) / second * 1e6

    def reference(self, cycles: Cycles, number: int) -> Reference:
        """The board's second, from the edges of its timer's pin in one recording."""
        streams = np.array([REFERENCE_STREAM + number], np.uint64)
        _, places = self.places(cycles[None, :], streams)
        rising = np.arange(len(cycles)) % 2 == 0
        return reference_of(Edges(places[0] / self.card.rate_hz, rising, 0.0, 0.0))

    def without_noise(self) -> "Instrument":
        """The same pin and card without noise."""
        return replace(self, card=replace(self.card, noise=0.0, jitter_s=0.0))

    def overhead_us(self) -> float:
        """ε as this instrument sees it without noise, the mean over all phases.

        It has the delays of the pin, and by how much later the inflection point of a falling edge
        is than that of a rising one."""
        quiet = self.without_noise()
        cycles = np.tile(np.array([[0, 10_000]], np.int64), (4_096, 1))
        streams = np.arange(4_096, dtype=np.uint64)
        _, places = quiet.places(cycles, streams)
        length_us = (places[:, 1] - places[:, 0]) / self.card.samples_per_s * 1e6
        return float(length_us.mean()) + (self.toggle_cycles - 10_000) / self.core_hz * 1e6


def phase_errors_us(instrument: Instrument, count: int = 201) -> tuple[list[float], Values]:
    """Phases of an edge between two samples, and the errors of a rising and of a falling one there
    without noise, each less its mean."""
    card = instrument.without_noise().card
    phases = np.linspace(0, 1, count)
    errors = []
    for rising in (True, False):
        way = np.array([rising])
        places = (BEGIN_SAMPLES + phases)[:, None]
        windows, middles = card.windows(places, way, np.zeros(count, np.uint64), HALF_WIDTH)
        found = locate(windows[:, 0] * (1.0 if rising else -1.0)).places
        late = (middles[:, 0] + found - places[:, 0]) / card.rate_hz * 1e6
        errors.append(late - late[:-1].mean())
    return phases.tolist(), np.array(errors)
