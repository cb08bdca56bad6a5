"""Laws recovered from points whose law is known, and the rule that chooses."""

import numpy as np
import pytest
from scipy import stats

from cyclescope.laws.model import Points, all_models, choose, constant_of
from cyclescope.laws.models.linear import MODEL as LINEAR
from cyclescope.quantity import Estimate
from cyclescope.report.law_text import goodness

X = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0])


def test_models_are_found_by_name_simplest_first() -> None:
    assert [model.name for model in all_models()] == [
        "constant",
        "linear",
        "piecewise linear, 1 knee",
        "piecewise linear, 2 knees",
    ]


def test_an_exact_line_is_recovered_exactly() -> None:
    fitted = choose(Points(X, 1.25 * X + 410), "byte")
    m, q = fitted.coefficients
    assert fitted.model == "linear"
    assert (m.estimate.value, q.estimate.value) == pytest.approx((1.25, 410))
    assert fitted.residual_sigma == pytest.approx(0, abs=1e-9)
    assert (m.unit, q.unit) == ("cycles/byte", "cycles")
    assert fitted.predict(0).value == pytest.approx(410)


def test_intervals_agree_with_scipy() -> None:
    cycles = 3 * X + 50 + np.random.default_rng(7).standard_normal(X.size)
    fitted, reference = LINEAR.fit(Points(X, cycles), "byte"), stats.linregress(X, cycles)
    m, q = (one.estimate for one in fitted.coefficients)
    t = stats.t.ppf(0.975, X.size - 2)
    assert (m.value, q.value) == pytest.approx((reference.slope, reference.intercept))
    assert m.half_width == pytest.approx(t * reference.stderr)
    assert q.half_width == pytest.approx(t * reference.intercept_stderr)
    assert fitted.r_squared == pytest.approx(reference.rvalue**2)
    assert fitted.predict(0).half_width == pytest.approx(q.half_width)


def test_a_constant_has_no_r_squared() -> None:
    """It explains nothing of a variation; where there is none, no other law does either."""
    noisy = Points(X, 300 + np.random.default_rng(5).standard_normal(X.size))
    still = Points(X, np.full(X.size, 300.0))
    constant = choose(still, "byte")
    for law in (constant, choose(noisy, "byte"), constant_of(Estimate(300, 0), 10, 0)):
        assert law.model == "constant" and law.r_squared is None
        assert "R²" not in goodness(law)
    assert LINEAR.fit(still, "byte").r_squared is None


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    noise = np.random.default_rng(11)
    covered = 0
    for _ in range(1000):
        fitted = LINEAR.fit(Points(X, 2 * X + 9 + noise.standard_normal(X.size)), "byte")
        m = fitted.coefficients[0].estimate
        covered += m.low <= 2 <= m.high
    assert 930 <= covered <= 970


def test_a_slope_must_be_earned() -> None:
    noise = np.random.default_rng(3)
    chosen = [
        choose(Points(X, 300 + noise.standard_normal(X.size)), "byte").model for _ in range(1000)
    ]
    assert len(chosen) - chosen.count("constant") <= 20


def test_less_than_a_count_over_the_whole_range_is_no_slope() -> None:
    assert choose(Points(X, 300 + X / 400), "byte").model == "constant"
    assert choose(Points(X, 300 + X / 4), "byte").model == "linear"


def test_two_points_make_no_line() -> None:
    assert choose(Points(X[:2], X[:2] * 100), "byte").model == "constant"
