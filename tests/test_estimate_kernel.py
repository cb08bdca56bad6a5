"""`cyclescope estimate --kernel freertos`: beside the board, and what a kernel does by name."""

import json
from pathlib import Path
from typing import Any

import pytest
from refusals import told_code

from cyclescope.cli import execute

PROGRAM = str(Path(__file__).parent / "kernel_programs" / "mutexes.c")
BOARD = ("--board", "lpc2148-lab", "--code", "lab")
CASES = (
    *("mutex_*", "semaphore_*", "recursive_*", "critical_*", "yield.*", "malloc.*"),
    *("task_create.ready", "queue_create.one_more", "queue_receive.blocks"),
)


@pytest.fixture(scope="module")
def laws(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("laws") / "freertos"
    chosen = [text for case in CASES for text in ("--case", case)]
    options = [*BOARD, "--kernel", "freertos", "--jobs", "1", "--out", str(folder)]
    assert execute(["characterize", *options, *chosen]) == 0
    return str(folder)


def told(capsys: pytest.CaptureFixture[str], *command: str, exit_code: int = 1) -> Any:
    capsys.readouterr()
    options = [*BOARD, "--kernel", "freertos", "--json"]
    assert execute(["estimate", PROGRAM, *options, *command]) == exit_code
    return json.loads(capsys.readouterr().out)


def test_a_program_with_a_kernel_is_near_the_board(
    laws: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(capsys, "--laws", laws, "--way=blocks", "--way=run")
    blocks, run = found["ways"]
    assert blocks["cycles"] == pytest.approx(run["cycles"], rel=0.02)
    assert blocks["share_of_calls"] == pytest.approx(run["share_of_calls"], abs=0.02)
    names = {one["callee"] for one in blocks["unpriced"]}
    assert "ticks" in names and not names & {"xQueueSemaphoreTake", "xQueueGenericSend"}
    calls = {name for one in _nodes(found["tree"]) if one.get("call") for name in [one["name"]]}
    assert {"xQueueSemaphoreTake, switch", "xQueueGenericSend, switch", "ticks"} <= calls


def test_code_with_a_trap_is_priced(capsys: pytest.CaptureFixture[str]) -> None:
    program = str(Path(PROGRAM).with_name("yields.c"))
    options = [*BOARD, "--kernel", "freertos", "--json", "--way=blocks", "--way=run"]
    capsys.readouterr()
    assert execute(["estimate", program, *options, "--", "300"]) == 0
    blocks, run = json.loads(capsys.readouterr().out)["ways"]
    assert blocks["cycles"] == pytest.approx(run["cycles"], rel=0.03)


def _nodes(node: Any) -> list[Any]:
    return [node, *(one for below in node.get("below", ()) for one in _nodes(below))]


def test_a_kernel_option_takes_the_laws_of_that_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "costs")
    chosen = [text for case in CASES for text in ("--case", case)]
    assert execute(["options", "configASSERT", *BOARD, "--out", folder, *chosen]) == 0
    what_if = ("--what-if", "option:configASSERT=1", "--way=blocks", "--way=run")
    found = told(capsys, "--laws", folder, *what_if)
    for estimated, run in (found["ways"], found["what_if"]):
        assert estimated["cycles"] == pytest.approx(run["cycles"], rel=0.02)
    usual, checked = found["ways"][0], found["what_if"][0]
    assert f"laws of calls: {folder}/configASSERT=1" in checked["used"]
    assert checked["cycles"] > usual["cycles"]


def test_a_program_that_needs_a_kernel_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    code = told_code(["estimate", PROGRAM, *BOARD, "--way=blocks"], capsys)
    assert code == "program-needs-kernel"
