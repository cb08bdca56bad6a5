"""K: what counts as one observation, its intervals, and what they hold of functions left out."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fake_target import BYTES, FakeCase, FakeTarget, fake
from scipy import stats

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.cli import execute
from cyclescope.results import storage
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.studies.characterize.findings import Characterization
from cyclescope.studies.compare.findings import PlatformRatio
from cyclescope.studies.compare.platform_ratio import platform_ratio

SLOPES = {"copy": 2.0, "walk": 1.5, "search": 1.2}
"""Of each loop: what the second platform makes of its cycles."""
CALLS = [("copy", 11), ("walk", 3), ("search", 1)]


def swept(name: str, slope: float) -> FakeCase:
    return fake(name, lambda x, n, i: round(100 + slope * x), parameter=BYTES)


def analysed(folder: Path, cases: list[FakeCase], loops: dict[str, str]) -> Characterization:
    found = analyse(collect([FakeTarget(cases)], TECHNIQUE, Plan(), folder))
    named = [replace(one, repeats_in=loops.get(one.case.name, "")) for one in found.cases]
    return replace(found, cases=tuple(named))


def test_cases_that_share_a_loop_are_one_slope(tmp_path: Path) -> None:
    loops = {f"{loop}{i}": loop for loop, count in CALLS for i in range(count)}
    first, second = (
        analysed(
            tmp_path / str(k),
            [swept(name, 20 * (SLOPES[loop] if k else 1)) for name, loop in loops.items()],
            loops,
        )
        for k in (0, 1)
    )
    m = platform_ratio(first, second).m
    ratios = np.array(list(SLOPES.values()))
    assert (m.n, m.cases) == (3, 15)
    assert m.k == pytest.approx(ratios.mean()), "and not 1.85, which is mostly the one copying loop"
    t = stats.t.ppf(0.975, 2)
    assert m.half_width == pytest.approx(t * ratios.std(ddof=1) / np.sqrt(3))
    assert m.another == pytest.approx(t * ratios.std(ddof=1) * np.sqrt(1 + 1 / 3))
    assert m.without_one == (pytest.approx(1.35), pytest.approx(1.75))
    assert (m.max_case, m.min_case) == ("copy (11 cases)", "search0")


def of_means(folder: Path, nets: list[int]) -> PlatformRatio:
    first, second = (
        analysed(
            folder / str(k),
            [
                fake(f"call{i}", lambda x, n, j, net=net: net)  # type: ignore[misc]
                for i, net in enumerate(each)
            ],
            {},
        )
        for k, each in enumerate(([1000] * len(nets), nets))
    )
    return platform_ratio(first, second).means


def test_intervals_hold_what_they_promise(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    mean, another, rounds = 0, 0, 60
    for number in range(rounds):
        nets = [round(net) for net in random.normal(1500, 100, 9)]
        found = of_means(tmp_path / str(number), nets[:-1])
        mean += abs(found.k - 1.5) <= found.half_width
        another += abs(found.k - nets[-1] / 1000) <= found.another
    # 95 % of 60 are 57; fewer than 51 or all but none outside would be one in a thousand.
    assert 51 <= mean <= 60 and 51 <= another <= 60


def test_one_that_the_others_do_not_predict_is_told(tmp_path: Path) -> None:
    nets = [1500, 1510, 1490, 1505, 1495, 1502, 1498, 1507, 1493, 3000]
    assert of_means(tmp_path / "one", nets).held_percent == pytest.approx(90)
    assert of_means(tmp_path / "none", nets[:9]).held_percent == pytest.approx(100)
    assert np.isnan(of_means(tmp_path / "two", nets[:2]).held_percent)


def test_the_function_that_repeats_is_found_on_the_board(tmp_path: Path) -> None:
    names = ["timer_start.behind_delayed", "queue_send.room", "event_set.wakes_waiters"]
    asked = [option for name in names for option in ("--case", name)]
    assert execute(["characterize", "--layouts", "1", *asked, "--out", str(tmp_path)]) == 0
    # Of the first most cycles go in vPortExitCritical, but only the list's walk grows with x.
    assert storage.read_manifest(tmp_path).repeats_in == {
        "event_set.wakes_waiters": "vTaskRemoveFromUnorderedEventList",
        "queue_send.room": "memcpy",
        "timer_start.behind_delayed": "vListInsert",
    }
