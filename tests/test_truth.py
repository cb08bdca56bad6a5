"""The arithmetic of truth: what the target says about a call against what the board's clock saw.

(a) A raw time is the distance between the two timer data cycles, always. (b) Raw minus overhead is
the callee's time, entry to return, minus that of the empty call. This holds exactly where fetches
cost the same in any context, and with a residual (`cyclescope truth`) elsewhere.
"""

import json
from dataclasses import replace
from typing import Any

import pytest
from choices import configured
from firmware_session import CASES, CLASSES, DAILY, Session, Witnessed, pairs, session

from cyclescope.cli import execute
from cyclescope.firmware.configuration import Configuration

SAMPLE = ("queue_send.room", "semaphore_give.wakes_higher", "semaphore_give_from_isr.wakes_higher")
"""Cases that every test run sees in all configurations."""
LAB = {"board": "lpc2148-lab", "code": "lab"}
EXACT = [
    configured({"isa": "arm", **LAB}),
    configured({"isa": "arm", "timer": "timer1", **LAB}),
    configured({"isa": "thumb", **LAB}),
    Configuration(settings={"isa": "thumb", "mam": 0}),
    Configuration(settings={"isa": "arm", "mam": 0, "clock": 24, "vpbdiv": 2}),
    Configuration(settings={"isa": "arm", "mam": 2, "mamtim": 1}),
    Configuration(settings={"isa": "thumb", "mam": 1, "clock": 12}),
]
WITHOUT_LINES = [
    configured({"board": "at91x40", **settings})
    for settings in [
        {"code": "rom", "isa": "thumb", "romwaits": 3},
        {"code": "rom", "isa": "arm", "romwaits": 8},
        {"code": "ram", "isa": "arm", "ramwaits": 2},
        {"code": "ram", "isa": "thumb", "ramwaits": 0},
        {"code": "internal", "isa": "arm"},
    ]
]
EXACT += WITHOUT_LINES
BY_CHANNEL = [
    configured({"board": "at91x40", "timer": "tc", **settings})
    for settings in [{"code": "rom", "isa": "arm"}, {"code": "internal", "isa": "thumb"}]
]
ACCELERATED = [
    Configuration(settings={"isa": isa, "mam": mam, "clock": mhz})
    for isa, mam, mhz in [("arm", 2, 60), ("thumb", 2, 60), ("arm", 1, 48), ("thumb", 1, 36)]
]
IN_SRAM = [
    Configuration(settings={"code": "sram"}),
    Configuration(settings={"code": "sram", "isa": "thumb", "timer": "timer1"}),
]
EVERY_DAY = {EXACT[0], EXACT[3], ACCELERATED[1], WITHOUT_LINES[0]}
"""Configurations that every test run sees in the daily cases; `make truth` sees all of all."""


def points(configurations: list[Configuration]) -> list[Any]:
    """(configuration, case); those that not every test run sees are marked."""
    return [
        pytest.param(c, case, marks=() if case in daily else pytest.mark.matrix)
        for c in configurations
        for daily in [DAILY if c in EVERY_DAY else SAMPLE]
        for case in CASES
    ]


def of_class(configuration: Configuration, case: str) -> Configuration:
    """With code in SRAM, where not all cases fit: the image with the case's class."""
    sram = configuration.value("code") == "sram"
    return replace(configuration, cases=CLASSES[case]) if sram else configuration


def name(value: Configuration | str) -> str:
    if isinstance(value, str):
        return value
    c = value.value
    if value.board == "at91x40":
        return (
            f"{c('code')}-{c('isa')}-romwaits{c('romwaits')}-ramwaits{c('ramwaits')}-{c('timer')}"
        )
    return (
        f"{c('code')}-{c('isa')}-mam{c('mam')}-mamtim{c('mamtim')}-{c('clock')}mhz-"
        f"vpbdiv{c('vpbdiv')}-{c('timer')}"
    )


def residuals(real: Witnessed, empty: Witnessed) -> set[int]:
    """Returns the remainder of (b), from the target's own overhead."""
    (overhead,) = set(empty.raw)
    (nothing,) = {truth.call for truth in empty.truths}
    return {
        raw - overhead - (truth.call - nothing)
        for raw, truth in zip(real.raw, real.truths, strict=True)
    }


@pytest.mark.parametrize(("configuration", "case"), points(EXACT + ACCELERATED + IN_SRAM), ids=name)
def test_a_raw_time_is_the_distance_of_the_two_data_cycles(
    configuration: Configuration, case: str
) -> None:
    for series in pairs(of_class(configuration, case), case):
        for witnessed in series:
            assert witnessed.raw == [truth.raw for truth in witnessed.truths]
            assert len(witnessed.raw) == 10 and min(witnessed.raw) > 0


@pytest.mark.parametrize(("configuration", "case"), points(BY_CHANNEL), ids=name)
def test_a_raw_time_of_a_slower_timer_is_less_than_a_count_off(
    configuration: Configuration, case: str
) -> None:
    for series in pairs(of_class(configuration, case), case):
        for witnessed in series:
            for raw, truth in zip(witnessed.raw, witnessed.truths, strict=True):
                assert abs(raw * 2 - truth.raw) < 2


@pytest.mark.parametrize(("configuration", "case"), points(EXACT + IN_SRAM), ids=name)
def test_b_raw_minus_overhead_is_the_call_minus_the_empty_call(
    configuration: Configuration, case: str
) -> None:
    for real, empty in pairs(of_class(configuration, case), case):
        assert residuals(real, empty) == {0}


@pytest.mark.parametrize(("configuration", "case"), points(ACCELERATED), ids=name)
def test_b_behind_the_accelerator_the_residual_is_made_beside_the_calls(
    configuration: Configuration, case: str
) -> None:
    doubt_cycles = session(configuration).doubt_cycles
    for real, empty in pairs(configuration, case):
        (beside_nothing,) = {t.before + t.after for t in empty.truths}
        expected = {t.before + t.after - beside_nothing for t in real.truths}
        assert residuals(real, empty) == expected
        # At most one line more or less on either side of the call.
        assert all(abs(residual) <= 2 * doubt_cycles for residual in expected)


@pytest.mark.parametrize("case", SAMPLE)
def test_watching_changes_nothing(case: str) -> None:
    watched, unwatched = Session(Configuration()), Session(Configuration())
    x = (*watched.cases[case].values, 0)[0]
    assert watched.witnessed(case, 10, x).samples == unwatched.run(case, 10, x)


def findings(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert execute(["truth", "--json", *arguments]) == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    assert isinstance(found, list)
    return found


def test_the_verb_shows_every_case_without_a_residual_in_zero_wait_memory(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = findings(capsys, "--board", "lpc2148-lab", "--code", "lab")
    assert {one["case"] for one in found} == set(CASES)
    assert all(one["residual"] == [0] for one in found)


def test_the_verb_names_what_there_is_when_nothing_matches(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert execute(["truth", "--case", "nix*"]) == 1
    assert "no case matches 'nix*'; there are: task_create" in capsys.readouterr().err
