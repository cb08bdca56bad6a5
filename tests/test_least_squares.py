"""Least squares over rounds against scipy; the exact row space against systems worked by hand."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from cyclescope.stats.least_squares import fit
from cyclescope.stats.outliers import near_the_fit
from cyclescope.stats.row_space import row_space
from cyclescope.stats.summary import Values
from cyclescope.studies.time.techniques import several_blocks

LINE = np.column_stack([np.arange(1.0, 11.0), np.ones(10)])


def leverages(design: Values) -> Values:
    """How much each point decides its own fitted value: 1 is a point nothing else can check."""
    a = np.asarray(design, dtype=np.float64)
    return np.asarray(np.einsum("ki,ik->k", a, np.linalg.pinv(a)))


def noise(*shape: int, seed: int = 1) -> Values:
    return np.random.default_rng(seed).standard_normal(shape)


def test_one_round_is_the_straight_line_of_equations_4_and_5() -> None:
    times = LINE @ [40.4, 18.8] + noise(1, 10)
    found, reference = fit(LINE, times), stats.linregress(LINE[:, 0], times[0])
    t = stats.t.ppf(0.975, 8)
    assert found.values == pytest.approx([reference.slope, reference.intercept])
    assert found.estimate([1, 0]).half_width == pytest.approx(t * reference.stderr)
    assert found.estimate([0, 1]).half_width == pytest.approx(t * reference.intercept_stderr)


def test_two_points_have_the_paired_interval_of_their_differences() -> None:
    times = noise(12, 2) + 50 * noise(12, 1, seed=2)
    difference = times[:, 1] - times[:, 0]
    found = fit([[1, 1], [2, 1]], times).estimate([1, 0])
    assert found.value == pytest.approx(difference.mean())
    half_width = stats.t.ppf(0.975, 11) * difference.std(ddof=1) / 12**0.5
    assert found.half_width == pytest.approx(half_width)


def test_points_that_err_alike_in_every_round_are_not_averaged_away() -> None:
    off = noise(10)
    once, often = fit(LINE, off[None, :]), fit(LINE, np.tile(off, (1000, 1)))
    assert often.sigma([1, 0]) == pytest.approx(once.sigma([1, 0]))
    assert often.least_sigma([1, 0]) == pytest.approx(0, abs=1e-12)


def test_what_a_round_has_in_common_moves_no_slope() -> None:
    times = LINE @ [100.0, 8.5] + noise(30, 10)
    shifted = times + 1000 * noise(30, 1, seed=2)
    for of in (fit(LINE, times), fit(LINE, shifted)):
        assert of.estimate([1, 0]).half_width < 0.2
    assert fit(LINE, shifted).estimate([0, 1]).half_width > 100


def test_what_was_not_kept_decides_nothing() -> None:
    times = LINE @ [100.0, 8.5] + noise(4, 10)
    kept = np.ones(times.shape, dtype=bool)
    kept[1, 3] = kept[2, 9] = False
    rubbish = np.where(kept, times, 1e6)
    a, b = fit(LINE, times, kept=kept), fit(LINE, rubbish, kept=kept)
    assert a.values == pytest.approx(b.values)
    # Dummy variables for the rounds, and the kept rows only, are the same model.
    rows = np.flatnonzero(kept.ravel())
    dummies = np.repeat(np.eye(4), 10, axis=0)
    full = np.column_stack([np.tile(LINE[:, 0], 4), dummies])[rows]
    slope = np.linalg.lstsq(full, times.ravel()[rows])[0][0]
    assert a.values[0] == pytest.approx(slope)
    assert a.kept == 38


def test_nothing_tells_the_noise_of_as_many_points_as_unknowns() -> None:
    assert fit([[1, 1], [2, 1]], np.array([[3.0, 5.0]])).estimate([1, 0]).half_width == np.inf


def test_a_singular_system_is_refused() -> None:
    with pytest.raises(ValueError, match="singular"):
        fit([[1, 1, 1], [2, 2, 1], [3, 3, 1]], np.zeros((1, 3)))


def test_equal_counts_of_a_coarse_clock_leave_their_rounding() -> None:
    times = np.tile(4 * np.floor(LINE @ [100.9, 8.5] / 4), (50, 1))
    found = fit(LINE, times, resolution=4.0).estimate([1, 0])
    assert found.half_width >= 4 * np.abs(np.linalg.pinv(LINE)[0]).sum()
    assert found.low <= 100.9 <= found.high


def test_far_times_are_set_aside_wherever_they_lie() -> None:
    times = LINE @ [100.0, 8.5] + noise(20, 10)
    times[3, 9] += 500
    times[7, 0] += 40
    times[11, 4] -= 40
    kept = near_the_fit(LINE, times)
    assert not kept[[3, 7, 11], [9, 0, 4]].any()
    assert kept.sum() >= kept.size - 5
    assert not near_the_fit(LINE, times[3:4])[0, 9]


def test_a_drift_of_rounds_is_no_deviation() -> None:
    times = LINE @ [100.0, 8.5] + noise(50, 10) + 20 * np.arange(50)[:, None]
    assert near_the_fit(LINE, times).mean() > 0.99


def test_only_the_sum_of_blocks_that_execute_equally_often_can_be_told() -> None:
    """Figure 4 of the paper: entry and exit once each, a loop between them."""
    space = row_space(np.array([[1, 3, 1], [1, 8, 1], [1, 0, 1]]))
    assert space.combinations == ((1, 0, 1), (0, 1, 0))
    assert space.null_space == ((-1, 0, 1),)
    assert space.coordinates([2, 5, 2]) == (2, 5)
    assert space.coordinates([1, 0, 0]) is None


def test_fractions_and_large_counts_are_exact() -> None:
    matrix = np.array([[3, 1, 7, 100_000], [1, 5, 2, 99_999], [4, 6, 9, 199_999]])
    space = row_space(matrix)
    assert space.pivots == (0, 1)
    assert space.combinations[0][2] == Fraction(33, 14)
    for change in space.null_space:
        assert not any(sum(a * c for a, c in zip(row, change, strict=True)) for row in matrix)


def test_random_systems_have_the_rank_of_floating_point() -> None:
    random = np.random.default_rng(4)
    for rank in (1, 7, 20):
        matrix = random.integers(0, 40, (60, rank)) @ random.integers(0, 3, (rank, 30))
        space = row_space(matrix)
        assert len(space.pivots) == np.linalg.matrix_rank(matrix)
        null = np.array([[float(weight) for weight in row] for row in space.null_space])
        assert matrix @ null.T == pytest.approx(0, abs=1e-6)


def test_blocks_get_their_own_times_and_overhead_its_own() -> None:
    counts = np.array([[0, 0, 0, 0], [1, 0, 0, 1], [1, 2, 1, 1], [1, 1, 3, 1], [1, 5, 5, 1]])
    times = counts @ [52.0, 7.0, 3.0, 10.0] + 11
    found = several_blocks.estimate(counts, np.tile(times, (3, 1)))
    assert found.block(0) is None
    assert found.block(1) is not None
    assert found.block(1).value == pytest.approx(7)
    assert found.block(2).value == pytest.approx(3)
    assert found.block(4).value == pytest.approx(11)
    both = found.estimate([1, 0, 0, 1, 0])
    assert (both.value, both.half_width) == (pytest.approx(62), pytest.approx(0, abs=1e-9))


def test_overhead_is_not_spread_over_the_blocks() -> None:
    random = np.random.default_rng(6)
    counts = random.integers(0, 30, (60, 5))
    truth = np.array([3.0, 5.0, 7.0, 11.0, 13.0])
    found = several_blocks.estimate(counts, counts @ truth + 400 + random.normal(0, 1, (10, 60)))
    for index, expected in enumerate([*truth, 400]):
        assert found.block(index).low - 0.05 <= expected <= found.block(index).high + 0.05


def test_a_point_of_leverage_one_is_checked_by_no_other() -> None:
    k = np.arange(1, 21)
    paper = np.column_stack([k, np.where(k == 1, 1, k + 1), np.ones(20)])
    balanced = np.column_stack([k, np.where(k % 2, k, 3 * k), np.ones(20)])
    assert leverages(paper)[0] == pytest.approx(1)
    assert leverages(paper)[1:].max() < 0.3
    assert leverages(balanced).max() < 0.35


@pytest.mark.parametrize("point", range(10))
def test_one_far_time_of_a_single_round_is_found_wherever_it_lies(point: int) -> None:
    """Figure 3 of the paper."""
    times = LINE @ [40.4, 18.8] + noise(1, 10)
    times[0, point] += 500
    assert not near_the_fit(LINE, times)[0, point]
