"""Clusters and their laws, recovered from samples whose truth is known."""

import sys
from pathlib import Path

import numpy as np
import pytest

from cyclescope import plugins
from cyclescope.laws.clustering import Clustered, NetTimes, find
from cyclescope.stats.partition import partition

BENCH = Path(__file__).parent.parent / "benches" / "laws"
sys.path.insert(0, str(BENCH))

from simulated import NOISES, TRUTHS, Truth, simulate  # noqa: E402

WIDE = ("Gaussian 3 %", "even ±3 %")
"""Noise as wide as the distance of some clusters."""


def right(truth: Truth, found: Clustered) -> bool:
    return len(found.clusters) == len(truth.laws) and all(
        one.law.model == truth.form and len(one.law.segments) == len(truth.knees) + 1
        for one in found.clusters
    )


def share_right(method: str, truth: str, noise: str, draws: int = 5) -> float:
    random = np.random.default_rng([3, list(TRUTHS).index(truth)])
    found = []
    for _ in range(draws):
        drawn = TRUTHS[truth](random)
        found.append(right(drawn, find(method).cluster(simulate(drawn, noise, random), "byte")))
    return float(np.mean(found))


def test_clusterings_are_found_by_name() -> None:
    assert plugins.names("cyclescope.laws.clusterings") == ["paper", "paper_literal", "peaks"]


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("noise", [name for name in NOISES if name not in WIDE])
def test_the_default_finds_the_law(truth: str, noise: str) -> None:
    assert share_right("peaks", truth, noise) >= 0.8


def test_raw_deviation_splits_every_line_and_that_of_residuals_none() -> None:
    assert share_right("paper_literal", "linear", "none") == 0
    assert share_right("paper", "linear", "none") == 1


def test_least_error_prefers_a_line_to_the_constant_that_is_true() -> None:
    assert share_right("paper", "constant", "Gaussian 1 %", draws=30) <= 0.5
    assert share_right("peaks", "constant", "Gaussian 1 %", draws=30) >= 0.95


def test_the_paper_finds_well_separated_clusters() -> None:
    assert share_right("paper", "3 clusters", "Gaussian 1 %") == 1


def test_measures_far_from_the_peaks_are_kept_apart_and_counted() -> None:
    cycles = np.concatenate([np.full(97, 400.0), [700.0, 900.0, 1500.0]])
    found = find("peaks").cluster(NetTimes(np.zeros(100), cycles), "byte")
    (cluster,) = found.clusters
    assert (cluster.n, found.apart, cluster.law.at(0)) == (97, 3, 400)
    assert cluster.share == pytest.approx(0.97)


def test_clusters_rise_and_labels_name_them() -> None:
    cycles = np.array([900.0] * 20 + [400.0] * 20)
    found = find("peaks").cluster(NetTimes(np.zeros(40), cycles), "byte")
    assert [one.law.at(0) for one in found.clusters] == [400, 900]
    assert found.labels.tolist() == [1] * 20 + [0] * 20


def test_where_one_x_shows_fewer_peaks_its_samples_join_the_nearest_law() -> None:
    x = np.repeat([1.0, 2.0, 3.0, 5.0, 4.0], 40)
    cycles = np.where(np.arange(200) % 2, 100 + 10 * x, 300 + 10 * x)
    cycles[x == 4] = 140.0
    found = find("peaks").cluster(NetTimes(x, cycles), "byte")
    assert [one.law.model for one in found.clusters] == ["linear", "linear"]
    assert set(found.labels[x == 4]) == {0}


def test_the_partition_is_the_best_of_all() -> None:
    values = np.array([1.0, 2.0, 2.0, 9.0, 10.0, 11.0, 30.0, 31.0])
    found = partition(values, 0.5, 4)
    tried = [
        _cost([values[:i], values[i:j], values[j:]])
        for i in range(1, 7)
        for j in range(i + 1, 8)
        if values[i - 1] < values[i] and values[j - 1] < values[j]
    ]
    assert found.costs[2] == pytest.approx(min(tried))


def _cost(parts: list[np.ndarray]) -> float:
    total = sum(part.size for part in parts)
    return float(
        sum(
            part.size * np.log(max(part.var(), 0.25))
            - 2 * part.size * np.log(part.size / total)
            + 3 * np.log(total)
            for part in parts
        )
    )
