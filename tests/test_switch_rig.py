"""The simulated rig: its interval covers the truth as often as it says, and what it is made of."""

import numpy as np
import pytest
from refusals import refused

from cyclescope.firmware import boards
from cyclescope.studies.switch import points
from cyclescope.studies.switch.rig import Rig, RigSettings, Waveform

SEEDS = 400
TRUE_SHARE = 0.95


def waveform(seed: int = 7) -> Waveform:
    """A hundred steps of a twentieth to half a microsecond, at 60 to 180 mW."""
    random = np.random.default_rng(seed)
    lengths = random.uniform(0.05e-6, 0.5e-6, 100)
    powers = random.uniform(0.06, 0.18, 100)
    at = np.concatenate([[0.0], np.cumsum(lengths)])
    return Waveform(at, np.concatenate([[0.0], np.cumsum(lengths * powers)]), 3.3)


WINDOWS = {"short": [(3.1e-6, 4.2e-6)], "two": [(2.0e-6, 5.5e-6), (9.0e-6, 14.25e-6)]}


@pytest.mark.parametrize("name", WINDOWS)
@pytest.mark.parametrize("noise_lsb", [0.5, 3.0])
def test_the_interval_covers_the_truth_as_often_as_it_says(name: str, noise_lsb: float) -> None:
    drawn, intervals = waveform(), WINDOWS[name]
    length = sum(end - begin for begin, end in intervals)
    truth = drawn.energy_j(intervals) / length
    covered = 0
    for seed in range(SEEDS):
        power = Rig(RigSettings(seed=seed, noise_lsb=noise_lsb)).mean_power_w(drawn, intervals)
        assert power is not None
        covered += abs(power.value - truth) <= power.half_width
    # Binomial: 0.95 ± three standard errors; a linearised ratio may lose a little.
    slack = 3 * (TRUE_SHARE * (1 - TRUE_SHARE) / SEEDS) ** 0.5
    assert TRUE_SHARE - slack - 0.01 <= covered / SEEDS <= TRUE_SHARE + slack


def test_more_repeats_make_the_interval_narrower() -> None:
    widths = []
    for repeats in (25, 400):
        power = Rig(RigSettings(repeats=repeats)).mean_power_w(waveform(), WINDOWS["two"])
        assert power is not None
        widths.append(power.half_width)
    assert 2 < widths[0] / widths[1] < 8


def test_an_offset_that_is_not_taken_away_would_be_seen() -> None:
    drawn, intervals = waveform(), WINDOWS["two"]
    values = [
        Rig(RigSettings(offset_lsb=offset, repeats=400)).mean_power_w(drawn, intervals)
        for offset in (0.0, 12.0)
    ]
    assert values[0] is not None and values[1] is not None
    assert abs(values[0].value - values[1].value) < values[0].half_width + values[1].half_width


def test_too_few_samples_give_no_figure() -> None:
    slow = RigSettings(rate_hz=1_000, repeats=10)
    assert Rig(slow).mean_power_w(waveform(), WINDOWS["short"]) is None


def test_the_same_seed_gives_the_same_figure() -> None:
    figures = [Rig(RigSettings(seed=3)).mean_power_w(waveform(), WINDOWS["two"]) for _ in range(2)]
    assert figures[0] == figures[1]


def test_table_1_is_reached_by_the_pll_and_nothing_else() -> None:
    found = points.choose("lpc2148", [])
    assert [(one.core_hz // 1_000_000, one.supply_mv) for one in found] == [
        (12, 2900),
        (24, 3000),
        (36, 3100),
        (48, 3200),
        (60, 3300),
    ]
    clock = boards.firmware_of("lpc2148").settings["clock"]
    assert [one.core_hz for one in found] == [1_000_000 * int(mhz) for mhz in clock.values]
    assert points.choose("lpc2148", ["60", "O1", "60"]) == [found[0], found[4]]


@pytest.mark.parametrize("text", ["50", "72", "6", "O9", "fast"])
def test_a_point_that_cannot_be_is_one_sentence(text: str) -> None:
    code = "pll-cannot-reach-clock" if text.isdecimal() else "no-such-operating-point"
    with refused(code, naming=[text, 60]):
        points.choose("lpc2148", [text])
