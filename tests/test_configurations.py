"""Campaigns over configurations: what is measured, what is kept when one fails, K, and costs."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fake_target import BYTES, CONDITIONS, FakeTarget, fake
from refusals import refused, told_code

from cyclescope.cli import execute
from cyclescope.cli.selection import reselect
from cyclescope.errors import CyclescopeError
from cyclescope.studies.characterize import measure
from cyclescope.studies.configurations import analyse as study
from cyclescope.studies.configurations import configurations
from cyclescope.studies.configurations.configurations import Campaign, Configured
from cyclescope.studies.options import result_type as option_costs
from cyclescope.target.case import Case
from cyclescope.target.conditions import Layout
from cyclescope.target.target import CaseFailed, Selection

PLAIN = Selection("lpc2148", "freertos")
SLOWER = {0: 3, 1: 2, 2: 1}
"""Times of the fake by its flash accelerator's mode: three, two times and once."""


def opened(selection: Selection) -> FakeTarget:
    """Formulas that depend on what is selected; --code sram is one that cannot be built."""
    if selection.value("code") == "sram":
        raise CyclescopeError("the image does not fit")
    times = SLOWER[int(selection.value("mam") or 0)]
    traced = dict(selection.options).get("configUSE_TRACE_FACILITY", 0)
    cases = [
        fake("take", lambda x, n, i: 100 * times),
        fake("send", lambda x, n, i: times * (50 + 2 * x) + traced * x, parameter=BYTES),
        fake("give", lambda x, n, i: 200 * times + 7 * traced),
    ]
    clock_mhz = int(selection.value("clock") or 0)
    digest = f"{times}{traced}{selection.layout:04}{clock_mhz:02}"
    layout = Layout(number=selection.layout, image_sha256=digest.ljust(64, "a"))
    update = {
        "memory": {"mam": 3 - times},
        "kernel_options": dict(selection.options),
        "core_hz": clock_mhz * 1_000_000,
        "timer_hz": clock_mhz * 1_000_000,
    }
    return FakeTarget(cases, under=CONDITIONS.model_copy(update=update).of(layout))


@pytest.fixture(autouse=True)
def formulas(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(measure, "open_target", opened)
    yield


def command(out: Path, *arguments: str) -> list[str]:
    return ["characterize", "--jobs", "1", "--out", str(out), *arguments]


def characterize(out: Path, *arguments: str) -> int:
    return execute(command(out, *arguments))


def told(out: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, object]]:
    """Configurations by name, as `show --json` has them."""
    capsys.readouterr()
    execute(["show", str(out), "--json"])
    content = json.loads(capsys.readouterr().out)
    return {one["name"]: one for one in content["configurations"]}


def test_every_value_is_measured_with_every_other_in_an_ordinary_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sets = ["--configurations", "mam=2,0", "--configurations", "clock=60,12"]
    assert characterize(tmp_path, *sets, "--full") == 0
    out = capsys.readouterr().out
    head = "of n K ± 95 % another without one K_max K_min σ σ %"
    assert "Ratio to the base" in out and head in " ".join(out.split()), "nothing is cut off"
    names = ["mam=2,clock=60", "mam=2,clock=12", "mam=0,clock=60", "mam=0,clock=12"]
    assert list(told(tmp_path, capsys)) == names
    for name in names:
        assert execute(["show", str(tmp_path / name)]) == 0
    assert (tmp_path / "report.html").read_text().startswith("<!doctype html>")


def test_k_is_the_ratio_to_the_first_of_means_and_coefficients(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert characterize(tmp_path, "--around", "--configurations", "mam=2,0,1 clock=60,12") == 0
    found = told(tmp_path, capsys)
    assert list(found) == ["base", "mam=0", "mam=1", "clock=12"]
    for name, k in (("mam=0", 3), ("mam=1", 2)):
        (ratios,) = found[name]["platform_ratios"]  # type: ignore[misc]
        for of, n in (("means", 3), ("m", 1), ("q", 3)):
            assert (ratios[of]["k"], ratios[of]["n"]) == (pytest.approx(k), n)
        assert ratios["means"]["sigma_percent"] == pytest.approx(0, abs=1e-9)
    in_cycles, in_us = found["clock=12"]["platform_ratios"]  # type: ignore[misc]
    assert (in_cycles["unit"], in_cycles["means"]["k"]) == ("cycles", pytest.approx(1))
    assert (in_us["unit"], in_us["means"]["k"]) == ("us", pytest.approx(5))


def test_one_that_cannot_be_measured_keeps_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert characterize(tmp_path, "--configurations", "code=flash,sram,lab") == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "error: code=sram: the image does not fit" in shown
    found = told(tmp_path, capsys)
    assert found["code=sram"]["problem"] == "the image does not fit"
    assert found["code=lab"]["platform_ratios"]


def test_resuming_measures_what_is_missing_and_more_configurations_join(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert characterize(tmp_path, "--configurations", "mam=2,0", "--case", "take") == 0
    before = (tmp_path / "mam=0/manifest.json").read_bytes()
    assert characterize(tmp_path, "--configurations", "mam=2,1", "--case", "take", "--resume") == 0
    assert list(told(tmp_path, capsys)) == ["mam=2", "mam=1", "mam=0"]
    assert (tmp_path / "mam=0/manifest.json").read_bytes() == before
    others = command(tmp_path, "--configurations", "mam=1,2")
    named = [tmp_path, "mam=2", "--out", "--replace"]
    assert told_code(others, capsys, naming=named) == "other-configurations"
    assert characterize(tmp_path, "--configurations", "mam=1,2", "--replace") == 0
    assert list(told(tmp_path, capsys)) == ["mam=1", "mam=2"]


def before_series_of_mam_0(
    monkeypatch: pytest.MonkeyPatch, happens: Callable[[Case, int], None]
) -> None:
    def opened_so(selection: Selection) -> FakeTarget:
        target = opened(selection)
        if selection.value("mam") == 0:
            target.before_series = happens
        return target

    monkeypatch.setattr(measure, "open_target", opened_so)


def test_an_interrupted_campaign_says_where_it_stood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(case: object, length: int) -> None:
        raise KeyboardInterrupt

    before_series_of_mam_0(monkeypatch, interrupted)
    assert characterize(tmp_path, "--configurations", "mam=2,0") == 130
    assert "1 of 2 configurations are whole" in capsys.readouterr().err
    monkeypatch.setattr(measure, "open_target", opened)
    assert characterize(tmp_path, "--configurations", "mam=2,0", "--resume") == 0


def test_a_killed_campaign_whose_cases_failed_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(case: object, length: int) -> None:
        raise CaseFailed("take", "the call gave 3")

    before_series_of_mam_0(monkeypatch, failing)
    assert characterize(tmp_path, "--configurations", "mam=2,0", "--case", "take") == 1
    before = configurations.load(tmp_path)
    configurations.save(tmp_path, configurations.settled(before, "mam=0", None))
    assert told(tmp_path, capsys)["mam=0"]["problem"] == "take: failed: the call gave 3"


@pytest.mark.parametrize(
    ("text", "code", "names"),
    [
        ("mam", "not-key-and-values", ["'mam'", "KEY=VALUE,VALUE"]),
        ("mam=0,", "not-key-and-values", ["'mam=0,'", "KEY=VALUE,VALUE"]),
        ("mam=0,0", "value-given-twice", ["mam"]),
        ("mam=0 mam=1", "value-given-twice", ["mam"]),
        (" ", "no-configurations-asked", []),
        ("layouts=3", "no-such-key", ["layouts", "board, class"]),
        ("help=1", "no-such-key", ["help", "board, class"]),
        ("mam=7", "wrong-usage", ["--mam 7", "2"]),
        ("isa=mips", "wrong-usage", ["--isa mips", "arm, thumb"]),
        ("option:nix=1", "no-such-kernel-option", ["nix", "freertos", "configASSERT"]),
        ("option:configASSERT=2", "kernel-option-value-wrong", ["configASSERT", "2", "0 1"]),
    ],
)
def test_what_is_no_configuration_is_refused_before_anything_is_measured(
    text: str, code: str, names: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = command(tmp_path / "out", "--configurations", text)
    exit_code = 2 if code == "wrong-usage" else 1
    assert told_code(asked, capsys, exit_code, naming=names) == code
    assert not (tmp_path / "out").exists()


def test_around_alone_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone, named = command(tmp_path / "out", "--around"), ["--around", "--configurations"]
    assert told_code(alone, capsys, 2, naming=named) == "wrong-usage"


def test_a_configuration_changes_what_it_names_and_nothing_else() -> None:
    base = Selection(
        "lpc2148-lab",
        "freertos",
        settings={"code": "lab", "clock": 12},
        options=(("configASSERT", 1),),
    )
    chosen = reselect(base, {"class": "queues", "option:configUSE_QUEUE_SETS": "1", "mam": "0"})
    assert (chosen.board, chosen.settings) == (
        "lpc2148-lab",
        {"code": "lab", "clock": 12, "mam": 0},
    )
    assert chosen.cases == "queues"
    assert chosen.options == (("configASSERT", 1), ("configUSE_QUEUE_SETS", 1))
    assert reselect(base, {}) == base


COSTS = ["configUSE_TRACE_FACILITY", "configUSE_QUEUE_SETS"]


def test_options_cost_what_they_add_to_each_call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--jobs", "1", "--out", str(tmp_path)]
    assert execute(["options", *COSTS, *out, "--full"]) == 0
    told = capsys.readouterr().out
    assert "No call changes with: configUSE_QUEUE_SETS=1" in " ".join(told.split())
    lines = [line.split() for line in told.splitlines()]
    start = lines.index(["base", "a"])
    assert lines[start + 2 : start + 8] == [
        ["send", "x", "=", "1"], ["52", "+1"],
        ["send", "x", "=", "128"], ["306", "+128"],
        ["give"], ["200", "+7"],
    ]  # fmt: skip
    capsys.readouterr()
    assert execute(["show", str(tmp_path), "--json"]) == 0
    calls = json.loads(capsys.readouterr().out)["calls"]
    take = next(one for one in calls if one["case"] == "take")
    assert take["costs_cycles"]["configUSE_TRACE_FACILITY=1"]["cycles"]["value"] == 0
    assert "configUSE_TRACE_FACILITY=1" in (tmp_path / "report.html").read_text()


def test_over_layouts_a_cost_has_an_interval(tmp_path: Path) -> None:
    out = ["--jobs", "1", "--layouts", "3", "--out", str(tmp_path)]
    assert execute(["options", "configUSE_TRACE_FACILITY", "--case", "give", *out]) == 0
    (row,) = study.costs(study.analyse(tmp_path))
    (cost,) = row.costs
    assert cost is not None
    assert cost.cycles.value == 7
    assert option_costs.RESULT_TYPE.analyse(tmp_path).document()["calls"][0]["case"] == "give"


def test_an_option_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    named = ["nix", "freertos", "configASSERT"]
    assert told_code(["options", "nix"], capsys, naming=named) == "no-such-option-to-compare"
    named = ["bare", "--kernel"]
    told = told_code(["options", "--kernel", "bare"], capsys, naming=named)
    assert told == "kernel-has-no-options"


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    campaign = Campaign(tool="1", configurations=(Configured(name="base", settings={}),))
    (tmp_path / "notes.txt").write_text("mine")
    with refused("folder-not-empty"):
        configurations.begin(tmp_path, campaign, replace=False)
