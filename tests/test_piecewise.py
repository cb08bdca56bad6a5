"""Laws with knees: found where they are, with intervals that hold, and only where they are."""

import numpy as np
import pytest

from cyclescope.laws.model import Points, choose
from cyclescope.laws.models.piecewise import Piecewise
from cyclescope.stats.segmented import best_segments
from cyclescope.stats.summary import Values

X = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0])


def bent(x: Values, q: float, *turns: tuple[float, float]) -> Values:
    """q at x = 0; at each knee's x its slope is added."""
    return np.asarray(q + sum(m * np.maximum(x - at, 0.0) for at, m in turns))


@pytest.mark.parametrize("knee", [3.0, 4.0, 20.0, 31.7, 32.0])
def test_an_exact_knee_is_found_exactly_between_points_and_on_them(knee: float) -> None:
    fitted = choose(Points(X, bent(X, 400, (0, 12), (knee, -10.5))), "byte")
    values = [one.estimate.value for one in fitted.coefficients]
    assert fitted.model == "piecewise linear"
    assert [one.name for one in fitted.coefficients] == ["m1", "q", "knee1", "m2"]
    assert [one.unit for one in fitted.coefficients][2:] == ["byte", "cycles/byte"]
    assert values == pytest.approx([12, 400, knee, 1.5])
    first, second = fitted.segments
    assert first.end == second.begin == pytest.approx(knee)
    assert first.at(knee) == pytest.approx(second.at(knee))
    assert fitted.domain == (1, 128)
    assert fitted.predict(100).value == pytest.approx(400 + 12 * knee + 1.5 * (100 - knee))


def test_two_knees_are_found() -> None:
    fitted = choose(Points(X, bent(X, 300, (0, 30), (6, -28), (40, 8))), "byte")
    assert [one.estimate.value for one in fitted.coefficients] == pytest.approx(
        [30, 300, 6, 2, 40, 10]
    )


def test_no_other_knee_fits_better() -> None:
    noise = np.random.default_rng(2)
    for _ in range(20):
        cycles = bent(X, 300, (0, 9), (25, -7)) + noise.normal(0, 20, X.size)
        found = best_segments(X, cycles, 1)
        assert found is not None
        for knee in np.linspace(2, 64, 400):
            design = np.stack([np.ones_like(X), X, np.maximum(X - knee, 0)], axis=1)
            residuals = cycles - design @ np.linalg.lstsq(design, cycles)[0]
            assert found.squares <= np.sum(residuals**2) * (1 + 1e-9)


def test_intervals_of_coefficients_hold_about_as_often_as_they_say() -> None:
    noise, x = np.random.default_rng(5), np.arange(1.0, 17.0)
    held = np.zeros(4)
    for _ in range(300):
        cycles = bent(x, 100, (0, 20), (7.5, -18)) + noise.standard_normal(x.size)
        fitted = Piecewise(1).fit(Points(x, cycles), "byte")
        truth = (20, 100, 7.5, 2)
        for at, one in enumerate(fitted.coefficients):
            held[at] += one.estimate.low <= truth[at] <= one.estimate.high
    assert np.all(held / 300 > 0.9)


def test_a_new_call_lies_in_the_prediction_interval_as_often_as_it_says() -> None:
    noise, x, inside = np.random.default_rng(6), np.arange(1.0, 17.0), 0
    for _ in range(400):
        cycles = bent(x, 100, (0, 20), (7.5, -18)) + noise.standard_normal(x.size)
        fitted = Piecewise(1).fit(Points(x, cycles), "byte")
        new = 100 + 20 * 5 + float(noise.standard_normal())
        inside += fitted.predict_new(5).low <= new <= fitted.predict_new(5).high
    assert 0.92 <= inside / 400 <= 0.98


def test_lines_in_noise_get_no_knee() -> None:
    noise = np.random.default_rng(4)
    chosen = [
        choose(Points(X, 300 + 4 * X + 3 * noise.standard_normal(X.size)), "byte").model
        for _ in range(300)
    ]
    assert chosen.count("piecewise linear") <= 6


def test_few_points_bear_no_knee() -> None:
    few = X[:4]
    assert choose(Points(few, bent(few, 300, (0, 9), (2, -9))), "byte").model != "piecewise linear"
