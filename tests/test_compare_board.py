"""A comparison of two builds on the virtual board: its reasons are true to the cycle."""

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import pytest

from cyclescope.cli import execute
from cyclescope.results import storage
from cyclescope.studies.compare.attribution import attribute
from cyclescope.studies.explain import explanation
from cyclescope.target.case import matching
from cyclescope.target.target import Selection
from cyclescope.targets import open_target

CASES = "semaphore_give.[bw]*"
BUILDS = {
    "arm": Selection("lpc2148", "freertos", cases="semaphores"),
    "thumb": Selection("lpc2148", "freertos", settings={"isa": "thumb"}, cases="semaphores"),
    "mam0": Selection("lpc2148", "freertos", settings={"mam": 0}, cases="semaphores"),
    "at91": Selection("at91x40", "freertos", cases="semaphores"),
}
OPTIONS = {
    "arm": [],
    "thumb": ["--isa", "thumb"],
    "mam0": ["--mam", "0"],
    "at91": ["--board", "at91x40"],
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = {name: tmp_path_factory.mktemp(name) / "results" for name in BUILDS}
    for name, folder in made.items():
        command = ["characterize", "--class", "semaphores", "--case", CASES, "--jobs", "1"]
        command += ["--layouts", "1"]  # of which explanations are
        assert execute([*command, *OPTIONS[name], "--out", str(folder)]) == 0
    return made


def explained(folder: Path) -> list[explanation.Explanation]:
    manifest = storage.read_manifest(folder)
    cases = [case for case in manifest.cases if case.name in manifest.planned]
    found = [explanation.load(folder, case.name, case.values()[-1]) for case in cases]
    assert len(found) >= 3
    return [one for one in found if one]


def exact_cycles(build: str, made: Sequence[explanation.Explanation]) -> list[int]:
    """Entry to return of the explained calls, as another instrument saw them."""
    found = []
    with open_target(BUILDS[build]) as target:
        cases = {one.name: one for one in target.cases()}
        for one in made:
            target.reset()
            case = cases[one.case]
            _, truths = target.witness_series(case, one.parameter, one.length, empty=False)
            found.append(truths[one.index].call)
    return found


@pytest.mark.parametrize("other", ["thumb", "mam0", "at91"])
def test_parts_are_the_difference_of_the_exact_cycles(folders: dict[str, Path], other: str) -> None:
    first, second = (explained(folders[build]) for build in ("arm", other))
    exact = zip(exact_cycles("arm", first), exact_cycles(other, second), strict=True)
    for one, two, (before, after) in zip(first, second, exact, strict=True):
        found = attribute(one, two)
        parts = sum(share.difference.total for share in found.functions)
        assert parts == found.call == found.spent.total == after - before


def test_the_accelerator_costs_fetches_and_no_instructions(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(["compare", str(folders["arm"]), str(folders["mam0"]), "--why", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["differences"][0]["name"] == "memory.mam"
    spent = document["why"]["spent_cycles"]
    assert spent["instructions"] == 0 and spent["fetch_stalls"] > 0
    for why in document["why"]["cases"]:
        case = next(one for one in document["cases"] if one["name"] == why["case"])
        point = next(one for one in case["points"] if one["parameter"] == why["parameter"])
        assert case["change"] == "slower"
        # Every call of these cases takes the same time, so that one stands for all.
        if point["first"]["sigma_within_cycles"] == point["second"]["sigma_within_cycles"] == 0:
            assert point["difference"]["value"] == why["call_cycles"] - why["empty_call_cycles"]


def test_thumb_needs_other_functions(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(["compare", str(folders["arm"]), str(folders["thumb"]), "--why", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    names = {one["name"]: one for one in document["why"]["cases"][0]["functions"]}
    assert names["__vPortExitCritical_from_thumb"]["first"] is None
    assert names["vPortExitCritical"]["first"] is not None


def exact_nets(build: str) -> dict[str, int]:
    """Cycles from entry to return beyond those of the empty call, over all x of each case."""
    found: dict[str, int] = {}
    with open_target(BUILDS[build]) as target:
        for case in matching(target.cases(), [CASES]):
            for x in case.values():
                calls, nothing = (
                    target.witness_series(case, x, 10, empty=empty)[1] for empty in (False, True)
                )
                ((real,), (empty_call,)) = ({one.call for one in each} for each in (calls, nothing))
                found[case.name] = found.get(case.name, 0) + real - empty_call
    return found


def test_k_of_two_boards_is_that_of_their_own_clocks(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """All cases are of one function. Without an accelerator nothing is made beside a call."""
    assert execute(["compare", str(folders["mam0"]), str(folders["at91"]), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (k,) = (one for one in document["platform_ratio"] if one["of"] == "means")
    first, second = exact_nets("mam0"), exact_nets("at91")
    assert (k["n"], k["cases"]) == (1, len(first)) and len(first) >= 3
    assert k["k"] == pytest.approx(fmean(second[name] / first[name] for name in first))
    assert {one["name"] for one in document["differences"]} >= {"board", "core_hz", "code"}
