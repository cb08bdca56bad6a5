"""Switches of a build: optimisation and options of the kernel; each is a condition."""

import json
from pathlib import Path

import pytest
from choices import configured
from firmware_session import pairs, session
from refusals import refused, told_code
from test_truth import residuals

from cyclescope.cli import execute
from cyclescope.firmware import build as firmware
from cyclescope.firmware import kernel_options
from cyclescope.firmware.configuration import Configuration, FirmwareError
from cyclescope.results import storage
from cyclescope.studies.compare.findings import Change
from cyclescope.studies.configurations.analyse import analyse, costs
from cyclescope.target.target import Selection
from cyclescope.targets import open_target

LAB = {"board": "lpc2148-lab", "code": "lab"}
UNUSUAL = tuple((one.name, one.values[-1]) for one in kernel_options.of("freertos"))
"""Every option at once at a value that is not the usual one."""
SEVERAL = ("queue_send.room", "semaphore_give.wakes_higher", "event_set_from_isr.posted")


def test_options_are_declared_once_and_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["list", "options", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert len(listed) >= 8
    assert listed[1]["option"] == "configCHECK_FOR_STACK_OVERFLOW"
    assert listed[1]["values"] == [0, 1, 2]
    assert all(one["what it does"] and one["values"] for one in listed)
    assert execute(["list", "options", "--kernel", "posix", "--json"]) == 0
    assert [one["option"] for one in json.loads(capsys.readouterr().out)] == ["CONFIG_PREEMPT"]
    assert execute(["list", "options", "--kernel", "bare", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert execute(["list", "options", "--kernel", "foo", "--json"]) == 2
    assert "choose one of bare, freertos, posix" in capsys.readouterr().out


def test_the_build_has_each_option_as_the_lab_reads_it() -> None:
    plain = firmware.build(Configuration()).facts
    for option in kernel_options.of("freertos"):
        if option.name != "configASSERT":  # no number: a function-like macro, or none
            assert plain.kernel_configuration[option.name] == option.values[0]
    assert plain.kernel_configuration["configASSERT_DEFINED"] == 0
    assert plain.kernel_options == {}


def test_every_option_reaches_the_kernel_and_is_a_condition() -> None:
    built = firmware.build(configured({**LAB, "options": UNUSUAL}))
    assert built.facts.kernel_options == dict(UNUSUAL)
    assert built.facts.kernel_configuration["configASSERT_DEFINED"] == 1
    assert built.facts.kernel_configuration["configCHECK_FOR_STACK_OVERFLOW"] == 2
    with open_target(
        Selection("lpc2148-lab", "freertos", settings={"code": "lab"}, options=UNUSUAL)
    ) as target:
        assert target.conditions().kernel_options == dict(UNUSUAL)


@pytest.mark.parametrize("case", SEVERAL)
def test_times_are_the_truth_with_every_option_on(case: str) -> None:
    for real, empty in pairs(configured({**LAB, "options": UNUSUAL}), case):
        assert residuals(real, empty) == {0}


@pytest.mark.parametrize("optimise", ["O0", "Os"])
def test_times_are_the_truth_however_the_kernel_is_compiled(optimise: str) -> None:
    configuration = configured({"isa": "thumb", **LAB, "optimise": optimise})
    assert f"-{optimise}" in firmware.build(configuration).facts.compile_flags
    for case in SEVERAL:
        for real, empty in pairs(configuration, case):
            assert residuals(real, empty) == {0}


def test_what_stands_around_a_call_is_the_same_however_the_kernel_is_compiled() -> None:
    overheads = set()
    for optimise in ("O0", "O2", "Os"):
        this = session(configured({"isa": "thumb", **LAB, "optimise": optimise}))
        overheads |= {sample.ticks for sample in this.run(SEVERAL[1], 10, empty=True)}
    assert len(overheads) == 1


def test_a_usual_value_is_no_other_image() -> None:
    usual = (("configUSE_TIME_SLICING", 1), ("configASSERT", 0))
    assert firmware.build(Configuration(options=usual)) == firmware.build(Configuration())


@pytest.mark.parametrize(
    ("options", "code", "names"),
    [
        (
            ["nix=1"],
            "no-such-kernel-option",
            ["nix", "freertos", "configASSERT, configCHECK_FOR_STACK_OVERFLOW"],
        ),
        (
            ["configCHECK_FOR_STACK_OVERFLOW=3"],
            "kernel-option-value-wrong",
            ["configCHECK_FOR_STACK_OVERFLOW", "3", "0 1 2"],
        ),
        (["configASSERT"], "kernel-option-value-wrong", ["configASSERT", "0 1"]),
        (["configASSERT=0", "configASSERT=1"], "kernel-option-given-twice", ["configASSERT"]),
    ],
)
def test_an_option_that_there_is_not_is_refused(
    options: list[str], code: str, names: list[str]
) -> None:
    with refused(code, naming=names):
        kernel_options.parse("freertos", options)


def test_a_kernel_without_options_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["characterize", "--kernel", "bare", "--option", "configASSERT=1"]
    told = told_code(command, capsys, naming=["configASSERT", "bare"])
    assert told == "no-such-kernel-option"


@pytest.mark.parametrize(
    ("configuration", "names"),
    [
        (Configuration(optimise="O7"), ["--optimise O7", "O0, O1, O2"]),
        (
            Configuration(options=(("nix", 1),)),
            ["nix", "freertos", "configASSERT configCHECK_FOR_STACK_OVERFLOW"],
        ),
        (Configuration(options=(("configASSERT", 7),)), ["configASSERT=7", "0 1"]),
    ],
)
def test_the_build_refuses_it_as_well(configuration: Configuration, names: list[str]) -> None:
    with refused("build-failed", FirmwareError, naming=names):
        firmware.build(configuration)


def test_on_another_board_the_code_is_where_that_board_has_it(tmp_path: Path) -> None:
    choice = ["--board", "at91x40", "--case", "semaphore_give.binary_empty", "--jobs", "1"]
    assert execute(["options", "configASSERT", *choice, "--out", str(tmp_path)]) == 0
    (row,) = costs(analyse(tmp_path))
    assert row.costs[0] and row.costs[0].change is Change.SLOWER
    assert storage.load(tmp_path / "base").conditions.code == "rom"


def test_a_stack_check_costs_calls_that_switch_and_no_others(tmp_path: Path) -> None:
    choice = ["--case", "semaphore_give.[bw]*", "--out", str(tmp_path), "--jobs", "1"]
    assert execute(["options", "configCHECK_FOR_STACK_OVERFLOW=2", *choice]) == 0
    rows = {row.case: row.costs[0] for row in costs(analyse(tmp_path))}
    switches, stays = rows["semaphore_give.wakes_higher"], rows["semaphore_give.binary_empty"]
    assert switches and switches.change is Change.SLOWER and switches.cycles.value >= 4
    assert stays and stays.change is Change.NONE and stays.cycles.value == 0
