"""The overhead that is taken from each call: of an empty call, or of a start/stop pair alone."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cyclescope.cli import execute
from cyclescope.results import storage
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.target.target import Selection, Target
from cyclescope.targets import open_target

LDR = BL = BX = 3
"""Cycles on an ARM7TDMI without wait states: a load, a call, a return."""
TAKE, QUEUE = "semaphore_take.binary_full", "queue_length.four"
SAMPLES = 10


def of(target: Target, name: str) -> Any:
    return next(case for case in target.cases() if case.name == name)


@pytest.mark.parametrize(
    ("board", "code", "isa", "cycles"),
    [
        ("lpc2148-lab", "lab", "arm", LDR),
        ("lpc2148-lab", "lab", "thumb", LDR),
        # Two instructions ahead the second load finds the end of its line: MAMTIM 3, two waits.
        ("lpc2148", "flash", "arm", LDR + 2),
        ("lpc2148", "flash", "thumb", LDR),
    ],
)
def test_the_pair_takes_what_one_load_takes(board: str, code: str, isa: str, cycles: int) -> None:
    with open_target(Selection(board, "freertos", settings={"code": code, "isa": isa})) as target:
        case = of(target, QUEUE)
        series, truths = target.witness_pairs(case, None, SAMPLES)
        assert target.run_pairs(case, None, SAMPLES).samples.first_elapsed == cycles
    assert {sample.stop - sample.start for sample in series.samples} == {cycles}
    assert {truth.raw for truth in truths} == {cycles} and {truth.call for truth in truths} == {0}
    assert series.kind == "pair" and series.empty


def test_pair_and_empty_call_differ_by_the_calls_own_set_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = {}
    for overhead in ("pair", "call"):
        options = ["--code", "lab", "--layouts", "1", "--overhead", overhead, "--json"]
        asked = ["characterize", "--board", "lpc2148-lab", "--case", TAKE, "--case", QUEUE]
        assert execute([*asked, *options, "--out", str(tmp_path / overhead)]) == 0
        found[overhead] = json.loads(capsys.readouterr().out)
        assert found[overhead]["overhead"] == overhead
    pair, call = (
        {one["name"]: one["measured"][0] for one in found[kind]["cases"]}
        for kind in ("pair", "call")
    )
    for name in (TAKE, QUEUE):
        mine, theirs = pair[name]["runs"][0], call[name]["runs"][0]
        assert mine["overhead_cycles"]["mean"] == LDR
        assert mine["raw_cycles"] == theirs["raw_cycles"]
        assert mine["net_cycles"]["value"] == mine["raw_cycles"]["mean"] - LDR
        assert mine["net_cycles"]["half_width"] is None, "exact, this image"
        set_up = theirs["overhead_cycles"]["mean"] - LDR
        assert mine["net_cycles"]["value"] - theirs["net_cycles"]["value"] == set_up
        assert mine["exact_call_cycles"]["mean"] == theirs["exact_call_cycles"]["mean"]
        assert mine["set_up_cycles"] == set_up - BX, "the return is within the call"
    # By hand: the queue's address from a literal, then the queue, and the call; and the return.
    assert set_up == LDR + LDR + BL + BX
    samples = storage.load(tmp_path / "pair").of_case(QUEUE)[0].samples
    assert set(samples["kind"].to_pylist()) == {"call", "pair"}


def test_an_exported_law_says_what_a_program_pays_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pays = {}
    for overhead in ("pair", "call"):
        asked = ["characterize", "--case", QUEUE, "--layouts", "1", "--overhead", overhead]
        assert execute([*asked, "--json", "--out", str(tmp_path / overhead)]) == 0
        run = json.loads(capsys.readouterr().out)["cases"][0]["measured"][0]["runs"][0]
        assert execute(["export", str(tmp_path / overhead), "--to", "json"]) == 0
        (law,) = json.loads(capsys.readouterr().out)["functions"]
        pays[overhead] = law["empty_call"]
        if overhead == "call":
            assert law["empty_call"] == run["overhead_cycles"]["mean"] > 10
    assert pays["pair"] == 0


def test_results_and_reports_say_which_overhead_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = {}
    for overhead in ("pair", "call"):
        options = [] if overhead == "call" else ["--overhead", "pair"]
        asked = ["characterize", "--case", QUEUE, "--layouts", "2", *options]
        assert execute([*asked, "--out", str(tmp_path / overhead)]) == 0
        page = (tmp_path / overhead / "report.html").read_text()
        said[overhead] = " ".join(capsys.readouterr().out.split()), page
        for text in said[overhead]:
            assert ("start/stop pair" in text) is (overhead == "pair")
            assert ("by an empty call" in text) is (overhead == "call")
    manifest = storage.read_manifest(tmp_path / "pair")
    assert manifest.technique == "direct_pair"
    assert "beyond entry to return" in said["pair"][1]
    asked = ["characterize", "--case", QUEUE, "--layouts", "2", "--resume"]
    assert execute([*asked, "--out", str(tmp_path / "pair")]) == 1
    assert "technique" in capsys.readouterr().err
    assert execute(["compare", str(tmp_path / "call"), str(tmp_path / "pair"), "--json"]) == 0
    compared = json.loads(capsys.readouterr().out)
    assert "the techniques differ: direct and direct_pair" in compared["warnings"]
    named = [one for one in compared["differences"] if one["name"] == "technique"]
    assert [(one["first"], one["second"]) for one in named] == [("direct", "direct_pair")]


def test_comparisons_and_configurations_say_which_overhead_all_of_them_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where two folders agree, no difference names it."""
    words = {"pair": "start/stop pair of the timer", "call": "an empty call"}
    for overhead, other in (("pair", "call"), ("call", "pair")):
        asked = ["characterize", "--case", QUEUE, "--layouts", "1", "--overhead", overhead]
        many = tmp_path / overhead
        configurations = ["--configurations", "mamtim=3,4", "--full", "--out", str(many)]
        assert execute([*asked, *configurations]) == 0
        said = [" ".join(capsys.readouterr().out.split())]
        sides = [str(many / "mamtim=3"), str(many / "mamtim=4")]
        comment = tmp_path / f"{overhead}.md"
        assert execute(["compare", *sides, "--markdown", str(comment)]) == 0
        said += [" ".join(capsys.readouterr().out.split()), comment.read_text()]
        for text in said[1:]:
            assert words[overhead] in text and words[other] not in text
        technique = {"pair": "direct_pair:", "call": "direct:"}
        for text in said[:1]:
            assert technique[overhead] in text and technique[other] not in text


def test_a_swept_law_has_the_set_up_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    laws = {}
    for overhead in ("pair", "call"):
        asked = ["characterize", "--board", "lpc2148-lab", "--code", "lab", "--layouts", "1"]
        asked += ["--case", "malloc.behind_small_blocks", "--overhead", overhead, "--json"]
        assert execute([*asked, "--out", str(tmp_path / overhead)]) == 0
        (one,) = json.loads(capsys.readouterr().out)["cases"]
        laws[overhead] = {each["name"]: each["estimate"]["value"] for each in
                          one["law"]["coefficients"]}  # fmt: skip
        run = one["measured"][0]["runs"][0]
        laws[overhead]["overhead"] = run["overhead_cycles"]["mean"]
    assert laws["pair"]["m"] == laws["call"]["m"] > 0
    set_up = laws["call"]["overhead"] - laws["pair"]["overhead"]
    assert laws["pair"]["q"] - laws["call"]["q"] == pytest.approx(set_up, abs=1e-6) and set_up > 0


def test_an_explanation_sums_up_with_either(capsys: pytest.CaptureFixture[str]) -> None:
    for overhead, words in (("pair", "arguments, jump and return"), ("call", "the empty call")):
        asked = ["explain", QUEUE, "--overhead", overhead]
        assert execute([*asked, "--json"]) == 0
        (one,) = json.loads(capsys.readouterr().out)["explanations"]
        assert one["net_cycles"] == one["raw_cycles"] - one["overhead_cycles"]
        parts = one["call_cycles"] - one["empty_call_cycles"] + one["beside_cycles"]
        assert one["net_cycles"] == parts
        assert execute(asked) == 0
        assert words in " ".join(capsys.readouterr().out.split())


def test_a_recording_gives_its_pairs_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["characterize", "--case", QUEUE, "--layouts", "1", "--overhead", "pair"]
    assert execute([*asked, "--out", str(tmp_path / "one")]) == 0
    again = ["--board", f"replay:{tmp_path / 'one'}", "--out", str(tmp_path / "two")]
    assert execute([*asked, *again]) == 0
    one, two = (analyse(storage.load(tmp_path / name)) for name in ("one", "two"))
    assert [case.measured for case in one.cases] == [case.measured for case in two.cases]
    assert execute([*asked[:-2], *again[:2], "--out", str(tmp_path / "three")]) == 1
    assert "has no series of 10 empty samples" in capsys.readouterr().err


def test_on_the_host_a_pair_is_no_longer_than_an_empty_call() -> None:
    with open_target(Selection("host", "posix")) as target:
        case = of(target, "getpid.itself")
        times: dict[str, list[float]] = {"pair": [], "empty": []}
        for _ in range(20):
            series = target.run_pairs(case, None, 100), target.run_series(case, None, 100, True)
            for one in series:
                took = one.samples.stop - one.samples.start
                times[one.kind].append(float(np.median(took)))
    assert 0 < min(times["pair"]) <= min(times["empty"])
