"""The proposals with IrDA under FreeRTOS: each setting moves the identical file."""

from functools import cache
from typing import Any

import pytest
from refusals import refused

from cyclescope.studies.proposals import stations
from cyclescope.studies.proposals.ablation import (
    ABLATIONS,
    LENT_STATION,
    SMALL_STATION,
    STATION,
    changed,
)
from cyclescope.studies.proposals.results import planned
from cyclescope.studies.proposals.setting import FileSetting, StationSetting

FILE = FileSetting(size=600)
SETTINGS = [one for one in planned(ABLATIONS) if isinstance(one, StationSetting)]


@cache
def measured(setting: StationSetting) -> dict[str, Any]:
    return stations.measure(setting, FILE)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.name)
def test_every_setting_moves_the_identical_file_and_counts_add_up(setting: StationSetting) -> None:
    found = measured(setting)
    assert found["identical"] and not found["unmodelled"]
    assert found["bytes"] == measured(STATION)["bytes"]
    spent = sum(part["cycles"]["count"] for part in found["load"]["parts"].values())
    assert spent + found["load"]["asleep_cycles"] == found["load"]["cycles"]
    lengths = [length for length, _ in found["transfers"]["to_memory"]["lengths"]]
    assert max(lengths) <= setting.buffer


def test_a_lent_buffer_saves_one_copy_of_each_octet() -> None:
    copied, lent = (measured(one) for one in (STATION, LENT_STATION))
    saved = copied["copies"]["per_received_byte"] - lent["copies"]["per_received_byte"]
    assert saved == pytest.approx(1, abs=0.01)
    cycles = [one["load"]["active_cycles"]["count"] for one in (copied, lent)]
    assert cycles[1] < cycles[0]


def test_larger_buffers_interact_less_and_cost_less() -> None:
    found = [measured(changed(SMALL_STATION, buffer=size)) for size in (16, 32, 64, 128)]
    for values in (
        [one["interactions"] for one in found],
        [one["load"]["active_cycles"]["count"] for one in found],
    ):
        assert values == sorted(values, reverse=True) and len(set(values)) == len(values)


def test_two_runs_are_equal() -> None:
    assert stations.measure(LENT_STATION, FILE) == measured(LENT_STATION)


def test_stations_that_move_nothing_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stations, "PATIENCE_AS", 10**17)
    with refused("stations-stopped"):
        stations.measure(STATION, FILE)
