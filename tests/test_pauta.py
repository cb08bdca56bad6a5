"""The improved Pauta criterion against series whose gross errors are known."""

import numpy as np

from cyclescope.stats.pauta import pauta, pauta_of_each
from cyclescope.stats.summary import summarise


def with_one_at(sigmas: float) -> np.ndarray:
    """99 times with mean 100 and σ 10, and one so many of their σ above it."""
    normal = np.resize([90.0, 110.0], 98)
    return np.append(normal, [100.0, 100.0 + 10 * sigmas])


def test_the_limit_is_three_deviations_as_the_paper_has_it() -> None:
    for sigmas, goes in ((2.2, False), (2.8, False), (3.4, True), (9.0, True)):
        values = with_one_at(sigmas)
        assert pauta(values).rejected.tolist() == [False] * 99 + [goes], f"{sigmas} σ"
    left = pauta(with_one_at(9.0))
    kept = summarise(with_one_at(9.0)[:99])
    assert left.limit == kept.mean + 3 * kept.sigma and left.passes == 1


def test_short_times_stay_however_short() -> None:
    assert not pauta(np.append(np.resize([90.0, 110.0], 98), 0.0)).rejected.any()


def test_each_group_has_a_limit_of_its_own() -> None:
    calm, wild = np.resize([99.0, 101.0], 50), np.resize([50.0, 150.0], 50)
    values = np.concatenate([calm, [130.0], wild, [130.0]])
    groups = np.repeat([0, 1], 51).astype(np.int32)
    out = pauta_of_each(values, groups)
    assert np.flatnonzero(out).tolist() == [50]
