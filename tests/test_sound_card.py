"""The simulated card: its shapes against another computation, its windows, noise and crystal."""

import numpy as np
import pytest
from scipy.signal import firwin, lfilter, resample_poly
from scipy.stats import kstest

from cyclescope.recordings import edge_shape
from cyclescope.recordings.edges import Marks, Times
from cyclescope.recordings.inflection import HALF_WIDTH, locate
from cyclescope.recordings.sound_card import SoundCard
from cyclescope.recordings.white_noise import normal, uniform

FULL_SCALE = 2**23
ONE = np.zeros(1, np.uint64)


def pulses(count: int, seed: int = 1) -> tuple[Times, Marks]:
    """Pulses of 108.5 µs at random phases."""
    random = np.random.default_rng(seed)
    begins = 1e-3 + np.cumsum(random.uniform(3e-4, 9e-4, count)) + np.arange(count) * 108.5e-6
    times_s = np.column_stack([begins, begins + 108.5e-6]).ravel()
    return times_s, np.arange(2 * count) % 2 == 0


def test_a_recording_is_what_filters_make_of_the_pin() -> None:
    """Sampled 64 times as finely, each stage by SciPy's own filters: RC, low-pass, capacitor."""
    card = SoundCard(coupling_hz=20.0)
    fine, length = 64, 4_000
    edges = np.array([20_000, 30_000, 33_000, 90_001, 150_031])
    levels = np.zeros(length * fine)
    rising = np.arange(len(edges)) % 2 == 0
    for edge, way in zip(edges, rising, strict=True):
        rise = (card.rise_s if way else card.fall_s) * card.rate_hz * fine
        after = np.arange(len(levels) - edge)
        levels[edge:] += (1 if way else -1) * card.step * (1 - np.exp(-after / rise))
    beta = 0.1102 * (edge_shape.STOP_DB - 8.7)
    taps = 2 * edge_shape.REACH * fine + 1
    low_pass = firwin(taps, edge_shape.CUT_OFF * 2 / fine, window=("kaiser", beta))
    smooth = np.convolve(levels, low_pass)[edge_shape.REACH * fine :][: len(levels)]
    corner = 2 * np.pi * card.coupling_hz / (card.rate_hz * fine)
    coupled = lfilter([1, -1], [1, -(1 - corner)], smooth)[::fine]
    found = card.recording(edges / fine / card.rate_hz, rising, length) / FULL_SCALE
    # The low-pass has no samples behind the end.
    assert np.abs(found - coupled)[:-20].max() < 1e-3 * card.step


def test_windows_of_1000_edges_are_those_of_the_whole_recording() -> None:
    card = SoundCard(clock_ppm=80, noise=0.03, jitter_s=0.6e-6, seed=7)
    times_s, rising = pulses(500)
    whole = card.recording(times_s, rising, int(times_s[-1] * 192_000) + 200, stream=3)
    streams = np.array([3], np.uint64)
    places = card.places(times_s[None, :], streams)
    windows, middles = card.windows(places, rising, streams, HALF_WIDTH)
    assert windows.shape == (1, 1_000, 2 * HALF_WIDTH + 1)
    there = whole[middles[0][:, None] + np.arange(-HALF_WIDTH, HALF_WIDTH + 1)]
    assert np.array_equal(windows[0], there)


@pytest.mark.parametrize("apart", [14, 20, 30, 60])
def test_windows_have_what_neighbours_leave_in_them(apart: int) -> None:
    card = SoundCard(coupling_hz=50.0)
    times_s = (200 + 0.37 + np.arange(40) * (apart + 0.123)) / 192_000
    rising = np.arange(40) % 2 == 0
    whole = card.recording(times_s, rising, 4_000)
    windows, middles = card.windows(card.places(times_s[None, :], ONE), rising, ONE, 9)
    assert np.array_equal(windows[0], whole[middles[0][:, None] + np.arange(-9, 10)])


def test_several_recordings_at_once_are_those_of_each() -> None:
    card = SoundCard(noise=0.02, jitter_s=1e-7)
    rows = [pulses(20, seed)[0] for seed in (1, 2, 3)]
    rising = pulses(20)[1]
    streams = np.array([4, 5, 6], np.uint64)
    places = card.places(np.array(rows), streams)
    together, _ = card.windows(places, rising, streams, HALF_WIDTH)
    for at, row in enumerate(rows):
        one = streams[at : at + 1]
        alone, _ = card.windows(card.places(row[None, :], one), rising, one, HALF_WIDTH)
        assert np.array_equal(together[at], alone[0])
    assert not np.array_equal(together[0], together[1])


def test_an_edge_is_found_whatever_its_phase() -> None:
    """The error against the phase between two samples is below 20 ns."""
    card = SoundCard()
    phases = np.linspace(0, 1, 501)
    times_s = ((1_000 + phases) / card.rate_hz)[:, None]
    streams = np.zeros(len(phases), np.uint64)
    for way in (True, False):
        rising = np.array([way])
        places = card.places(times_s, streams)
        windows, middles = card.windows(places, rising, streams, HALF_WIDTH)
        found = locate(windows[:, 0] * (1.0 if way else -1.0))
        errors_us = (middles[:, 0] + found.places - places[:, 0]) / card.rate_hz * 1e6
        assert np.abs(errors_us - errors_us.mean()).max() < 0.02, "from phase to phase"
        assert 0.5e6 * card.fall_s < errors_us.mean() < 1.5e6 * card.rise_s, "behind the edge"
        assert abs(errors_us[0] - errors_us[-1]) < 1e-3, "a whole sample later is the same"


def test_rise_and_fall_differ() -> None:
    slow, fast = SoundCard().shapes[1], SoundCard().shapes[0]
    assert slow.rows.shape[0] == fast.rows.shape[0] == edge_shape.PHASES + 1
    middle = edge_shape.REACH
    assert slow.rows[0, middle] < fast.rows[0, middle] - 0.03


def test_nothing_lies_above_half_the_rate() -> None:
    """Of an edge sampled four times as finely, what lies above half of the rate is below -60 dB."""
    shape = edge_shape.edge_shape(0.0, 1e9)
    rows = shape.rows[: edge_shape.PHASES : edge_shape.PHASES // 4]
    impulse = np.diff(rows[::-1].T.ravel())
    spectrum = np.abs(np.fft.rfft(impulse, 4_096))
    frequency = np.arange(len(spectrum)) / 4_096 * 4
    assert spectrum[frequency > 0.54].max() < 1e-3 * spectrum[0]
    assert spectrum[frequency < 0.24].min() > 0.9 * spectrum[0]


def test_noise_is_normal_white_and_repeatable() -> None:
    numbers = np.arange(200_000, dtype=np.uint64)
    values = normal(5, np.uint64(2), numbers)
    assert kstest(values, "norm").pvalue > 1e-3
    assert abs(np.corrcoef(values[1:], values[:-1])[0, 1]) < 0.01
    others = [normal(6, np.uint64(2), numbers), normal(5, np.uint64(3), numbers)]
    assert all(abs(np.corrcoef(values, one)[0, 1]) < 0.01 for one in others)
    assert np.array_equal(values[1_000:1_010], normal(5, np.uint64(2), numbers[1_000:1_010]))
    assert uniform(1, np.uint64(0), numbers).min() > 0


def test_a_recording_has_the_noise_that_was_asked_for() -> None:
    times_s, rising = pulses(3)
    quiet = SoundCard().recording(times_s, rising, 100_000) / FULL_SCALE
    noisy = SoundCard(noise=0.01).recording(times_s, rising, 100_000) / FULL_SCALE
    assert np.std(noisy - quiet) == pytest.approx(0.01, rel=0.02)
    moved = SoundCard(jitter_s=1e-6).places(
        np.tile(times_s, (3_000, 1)), np.arange(3_000, dtype=np.uint64)
    )
    assert np.std(moved - times_s * 192_000) / 192_000 == pytest.approx(1e-6, rel=0.05)


def test_a_fast_crystal_takes_more_samples() -> None:
    card = SoundCard(clock_ppm=80)
    assert card.places(np.array([[1.0]]), ONE)[0, 0] == pytest.approx(192_015.36)


def test_the_input_couples_no_direct_current() -> None:
    """A pin that stays high fades with the time constant of the input."""
    card = SoundCard(coupling_hz=2.0)
    samples = card.recording(np.array([0.01]), np.array([True]), 192_000) / FULL_SCALE
    after = samples[192 * 30] / samples[192 * 30 + 15_279]  # one time constant, 79.6 ms, later
    assert after == pytest.approx(np.e, rel=1e-3)
    assert resample_poly(samples, 1, 2).max() < 1.1 * card.step
