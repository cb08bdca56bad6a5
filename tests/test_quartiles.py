"""Medians with intervals: how often they hold, on samples whose truth is known."""

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np
import pytest

from cyclescope.stats.net import NetVerdict, net_of_medians
from cyclescope.stats.quartiles import FEWEST, quartiles
from cyclescope.stats.summary import Values

Draw = Callable[[np.random.Generator, int], Values]

ROUNDS = 800
NO_SERIES = np.array([])
LENGTHS = (10, 25, 50, 75, 100)


def gaussian(noise: np.random.Generator, n: int) -> Values:
    return noise.normal(0, 1, n)


def log_normal(noise: np.random.Generator, n: int) -> Values:
    return np.exp(noise.normal(0, 1, n)) - 1


def interrupted(noise: np.random.Generator, n: int) -> Values:
    """One call in ten takes very much longer; its tail moves the median by what is subtracted."""
    disturbed = noise.random(n) < 0.1
    # The median of the whole is the quantile 0.5 / 0.9 of the undisturbed ones.
    return np.where(disturbed, 500 + noise.exponential(500, n), noise.normal(0, 5, n)) - 0.6985


@pytest.mark.parametrize("draw", [gaussian, log_normal, interrupted])
@pytest.mark.parametrize("n", [10, 50, 260])
def test_intervals_hold_as_often_as_they_say_whatever_the_distribution(draw: Draw, n: int) -> None:
    noise = np.random.default_rng(7)
    held = 0
    for _ in range(ROUNDS):
        call, empty = quartiles(draw(noise, n)), quartiles(gaussian(noise, n))
        found = net_of_medians(call, empty, NO_SERIES).estimate
        held += found.low <= 0 <= found.high
    # 95 % within four standard errors; with ten samples the order statistics are few, and wide.
    assert 0.92 <= held / ROUNDS <= (0.98 if n > 10 else 0.995)


def drifting(noise: np.random.Generator) -> tuple[Values, Values, Values]:
    """Real and empty calls of five series, between which the clock drifts by ten cycles."""
    calls, empties, between = [], [], []
    for length in LENGTHS:
        call = noise.normal(0, 1, length) + noise.normal(0, 10)
        empty = noise.normal(0, 1, length) + noise.normal(0, 10)
        calls.append(call)
        empties.append(empty)
        between.append(float(np.median(call) - np.median(empty)))
    return np.concatenate(calls), np.concatenate(empties), np.array(between)


def test_where_the_machine_drifts_between_series_samples_alone_promise_too_much() -> None:
    noise = np.random.default_rng(7)
    alone = together = 0
    for _ in range(ROUNDS):
        calls, empties, between = drifting(noise)
        call, empty = quartiles(calls), quartiles(empties)
        narrow = net_of_medians(call, empty, NO_SERIES).estimate
        wide = net_of_medians(call, empty, between).estimate
        alone += narrow.low <= 0 <= narrow.high
        together += wide.low <= 0 <= wide.high
    assert alone / ROUNDS < 0.8
    assert together / ROUNDS >= 0.92


def test_quartiles_of_a_known_sample() -> None:
    found = quartiles(np.arange(1.0, 102.0))
    assert (found.n, found.lower, found.median, found.upper) == (101, 26, 51, 76)
    assert found.spread == 50
    # c = round(51 - 10.05) = 41: from the 41st to the 61st, which is the 41st from the end. Fewer
    # than 41 of 101 lie on one side of the median with the binomial chance of each tail.
    tail = sum(math.comb(101, below) for below in range(41)) / 2**101
    assert found.standard_error == pytest.approx(20 / (2 * NormalDist().inv_cdf(1 - tail)))


def test_few_samples_tell_no_interval_and_none_no_median() -> None:
    assert math.isinf(quartiles(np.arange(float(FEWEST - 1))).standard_error)
    assert math.isfinite(quartiles(np.arange(float(FEWEST))).standard_error)
    with pytest.raises(ValueError, match="no samples"):
        quartiles(NO_SERIES)


def test_what_is_within_the_resolution_is_told_from_nothing() -> None:
    same = quartiles(np.full(50, 80.0))
    assert net_of_medians(same, same, NO_SERIES).verdict is NetVerdict.INDISTINGUISHABLE
    below = quartiles(np.full(50, 76.0))
    assert net_of_medians(below, same, NO_SERIES).verdict is NetVerdict.NEGATIVE
    assert net_of_medians(below, same, NO_SERIES, 4.0).verdict is NetVerdict.INDISTINGUISHABLE
