"""Statistics against values that a handbook or a hand calculation gives."""

import numpy as np
import pytest
from scipy import stats

from cyclescope.stats.hidden import kruskal, spearman
from cyclescope.stats.histogram import BINS, histogram
from cyclescope.stats.load import compare_series, one_way_p_value
from cyclescope.stats.net import NetVerdict, net
from cyclescope.stats.summary import Summary, summarise


def test_interval_is_students() -> None:
    summary = summarise(np.array([10.0, 12.0, 14.0, 16.0]))
    assert summary.mean == 13
    assert summary.sigma == pytest.approx(2.581988897)
    # t(0.975, 3) = 3.182446305
    assert summary.estimate.half_width == pytest.approx(3.182446305 * 2.581988897 / 2)


def test_a_constant_has_no_spread_and_one_sample_no_interval() -> None:
    constant = summarise(np.full(260, 0.1))
    assert (constant.mean, constant.sigma, constant.estimate.half_width) == (0.1, 0.0, 0.0)
    assert summarise(np.array([7.0])).estimate.half_width == float("inf")


def test_net_interval_is_welchs() -> None:
    call, empty = Summary(10, 50.0, 4.0, 44, 58), Summary(20, 20.0, 2.0, 17, 24)
    found = net(call, empty).estimate
    # Variances of the means 1.6 and 0.2; degrees of freedom 3.24 / (2.56/9 + 0.04/19) = 11.3071
    assert found.value == 30
    assert found.half_width == pytest.approx(2.1941 * 1.8**0.5, rel=1e-3)


@pytest.mark.parametrize(
    ("call", "sigma", "verdict"),
    [
        (29.0, 0.0, NetVerdict.MEASURED),
        (20.0, 0.0, NetVerdict.INDISTINGUISHABLE),
        (20.4, 3.0, NetVerdict.INDISTINGUISHABLE),
        (19.6, 3.0, NetVerdict.INDISTINGUISHABLE),
        (19.0, 0.0, NetVerdict.NEGATIVE),
    ],
)
def test_verdicts(call: float, sigma: float, verdict: NetVerdict) -> None:
    found = net(Summary(100, call, sigma, call, call), Summary(100, 20.0, 0.0, 20, 20))
    assert found.verdict is verdict
    assert found.estimate.value == pytest.approx(call - 20)


def test_a_coarse_timer_cannot_tell_less_than_its_count() -> None:
    call, empty = Summary(50, 24.0, 0.0, 24, 24), Summary(50, 20.0, 0.0, 20, 20)
    assert net(call, empty).verdict is NetVerdict.MEASURED
    assert net(call, empty, resolution=4.0).verdict is NetVerdict.INDISTINGUISHABLE


def test_histogram_has_thirty_bins_and_loses_nothing() -> None:
    found = histogram(np.arange(100.0))
    assert len(found.counts) == BINS == 30
    assert sum(found.counts) == 100
    assert (found.edges[0], found.edges[-1]) == (0, 99)
    assert histogram(np.full(5, 42.0)).is_constant


def test_a_slow_first_sample_is_no_load_dependence() -> None:
    lengths = (10, 25, 50, 75, 100)
    each = {n: np.array([120.0] + [100.0] * (n - 1)) for n in lengths}
    once = {n: np.array([120.0 if n == 10 else 100.0] + [100.0] * (n - 1)) for n in lengths}
    for series in (each, once):
        found = compare_series(series)
        assert found is not None
        assert not found.differ


def test_load_dependence_is_seen_with_and_without_noise() -> None:
    noise = np.random.default_rng(1)
    for scale in (0.0, 20.0):
        series = {n: 100.0 + n + scale * noise.standard_normal(n) for n in (10, 25, 50, 75, 100)}
        found = compare_series(series)
        assert found is not None
        assert found.differ


def test_the_f_test_of_series_is_scipys() -> None:
    random = np.random.default_rng(1995)
    for shift in (0, 0.1, 0.5, 2):
        series = [random.normal(400 + shift * k, 1, 10 + 5 * k).round() for k in range(5)]
        assert one_way_p_value(series) == pytest.approx(float(stats.f_oneway(*series).pvalue))


def test_rank_tests_are_those_of_scipy_to_the_last_bit() -> None:
    random = np.random.default_rng(2811)
    for _ in range(500):
        n = int(random.integers(4, 400))
        circumstance = random.integers(0, random.integers(2, 12), n).astype(np.float64)
        times = random.integers(0, random.integers(2, 60), n) + random.integers(0, 3) * circumstance
        values = np.unique(circumstance)
        if values.size < 2 or times.min() == times.max():
            continue
        groups = [times[circumstance == one] for one in values]
        expected = stats.kruskal(*groups)
        assert kruskal(groups) == (expected.statistic, expected.pvalue)
        correlated = stats.spearmanr(circumstance, times)
        assert spearman(circumstance, times) == (correlated.statistic, correlated.pvalue)
