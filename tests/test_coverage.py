"""95 % intervals hold the truth as often as they say, by simulation; those that cannot, do not."""

from functools import cache

import pytest

from cyclescope.studies.errors.coverage import NOISES, TECHNIQUES, Coverage, simulate
from cyclescope.studies.time.technique import fragment_techniques

REPETITIONS = 2000
LEAST = 0.95 - 3 * (0.95 * 0.05 / REPETITIONS) ** 0.5
MOST = 0.985
"""Above 95 %: noise that rounds or points might share widens an interval even if they do not."""


@cache
def found(name: str, noise: str) -> Coverage:
    return simulate(name, NOISES[noise], REPETITIONS, measurements=100)


def test_every_technique_is_simulated() -> None:
    assert set(TECHNIQUES) == {*fragment_techniques(), "several_blocks"}


@pytest.mark.parametrize(
    ("name", "noise"),
    [
        ("differential", "gaussian"),
        ("straight_line", "gaussian"),
        ("robust_line", "gaussian"),
        ("with_initialisation", "gaussian"),
        ("balanced_initialisation", "gaussian"),
        ("arguments_apart", "gaussian"),
        ("dependent_line", "gaussian"),
        ("several_blocks", "gaussian"),
        ("straight_line", "counts"),
        ("differential", "counts"),
        ("straight_line", "staircase"),
        ("robust_line", "outliers"),
    ],
)
def test_intervals_hold_the_truth_and_little_more(name: str, noise: str) -> None:
    one = found(name, noise)
    assert LEAST <= one.share <= MOST
    assert abs(one.bias) <= 4 * one.scatter / REPETITIONS**0.5


def test_least_squares_reaches_the_gauss_markov_limit() -> None:
    one = found("straight_line", "gaussian")
    assert one.limit is not None
    assert one.scatter == pytest.approx(one.limit, rel=0.05)


def test_outliers_cost_the_straight_line_what_they_do_not_cost_the_robust_one() -> None:
    straight, robust = found("straight_line", "outliers"), found("robust_line", "outliers")
    assert straight.scatter > 20 * robust.scatter


@pytest.mark.parametrize("name", ["direct", "n_fold"])
def test_no_interval_tells_a_systematic_error(name: str) -> None:
    assert found(name, "gaussian").share < 0.01


def test_two_points_cannot_tell_a_staircase() -> None:
    assert found("differential", "staircase").share < 0.3
