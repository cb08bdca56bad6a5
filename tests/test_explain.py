"""Where the cycles of a call go: each is counted once, and they add up to the measured time."""

import json
import shutil
from functools import cache
from pathlib import Path

import pytest
from fake_target import FakeTarget
from firmware_session import CASES, params
from refusals import refused

from cyclescope.cli import execute
from cyclescope.results import seal
from cyclescope.results.whole_files import ResultsError
from cyclescope.studies.explain import explanation
from cyclescope.studies.explain.explanation import Explanation, Spent
from cyclescope.studies.explain.measure import LENGTH, explain, find
from cyclescope.studies.explain.report.page import explained as in_report
from cyclescope.target.target import Selection, Target
from cyclescope.targets import open_target

FLASH = Selection("lpc2148", "freertos")
LAB = Selection("lpc2148-lab", "freertos", settings={"code": "lab", "isa": "thumb"})
MAM_OFF = Selection("lpc2148", "freertos", settings={"isa": "thumb", "mam": 0})
TIMER1 = Selection("lpc2148", "freertos", settings={"timer": "timer1"})
AT91 = Selection("at91x40", "freertos")
WITH_TIMER1, ON_AT91 = (pytest.param(one, marks=pytest.mark.matrix) for one in (TIMER1, AT91))


def build(selection: object) -> str:
    """The id of a build."""
    if not isinstance(selection, Selection):
        return str(selection)
    chosen = {name: selection.value(name) for name in ("isa", "mam", "timer")}
    return f"{selection.board}-{chosen['isa']}-mam{chosen['mam']}-{chosen['timer']}"


@cache
def target(selection: Selection) -> Target:
    return open_target(selection)


@cache
def explained(selection: Selection, name: str) -> Explanation:
    case, x = find(target(selection), name, None)[0]
    return explain(target(selection), case, x)


@pytest.mark.parametrize("name", params(CASES))
@pytest.mark.parametrize("selection", [FLASH, LAB, MAM_OFF, WITH_TIMER1, ON_AT91], ids=build)
def test_the_parts_add_up_to_the_call_and_the_call_to_what_is_measured(
    selection: Selection, name: str
) -> None:
    one = explained(selection, name)
    assert sum(function.spent.total for function in one.functions) == one.call_cycles
    assert sum((function.spent for function in one.functions), Spent()) == one.spent
    for function in one.functions:
        assert sum((line.spent for line in function.code), Spent()) == function.spent
    assert one.net_cycles == one.raw_cycles - one.overhead_cycles
    assert one.net_cycles == one.call_cycles - one.empty_call_cycles + one.beside_cycles


@pytest.mark.parametrize("name", params(CASES))
@pytest.mark.parametrize("selection", [FLASH, LAB], ids=build)
def test_looking_inside_changes_no_sample(selection: Selection, name: str) -> None:
    one = explained(selection, name)
    this = target(selection)
    case, x = find(this, name, None)[0]
    this.reset()
    alone = this.run_series(case, x, LENGTH, empty=False)
    this.reset()
    watched, calls = this.profile_series(case, x, LENGTH)
    assert watched == alone
    raw = [(sample.stop - sample.start) & 0xFFFF_FFFF for sample in alone.samples]
    assert [call.truth.raw for call in calls] == raw
    assert raw[one.index] == one.raw_cycles


@pytest.mark.parametrize("name", params(CASES))
def test_zero_wait_memory_has_nothing_but_instructions(name: str) -> None:
    one = explained(LAB, name)
    if name.endswith("_from_isr.wakes_higher"):  # the end of the interrupt is written to the VIC
        assert one.spent.instructions + one.spent.bus_waits == one.call_cycles
    else:
        assert one.spent == Spent(instructions=one.call_cycles)
    assert one.beside_cycles == 0


@pytest.mark.parametrize("name", params(name for name in CASES if not name.startswith("yield")))
def test_the_callee_is_entered_once_more_than_it_is_called_inside(name: str) -> None:
    callee = next(case.callee for case in target(FLASH).cases() if case.name == name)
    entered = {function.name: function.entries for function in explained(FLASH, name).functions}
    assert entered[callee] == 1


def test_a_flash_without_its_accelerator_makes_every_fetch_wait_the_same() -> None:
    one = explained(MAM_OFF, "semaphore_take.binary_full")
    # MAMTIM 3: 2 cycles more for each fetch, and every instruction fetches at least once.
    assert one.spent.fetch_stalls % 2 == 0
    executions = sum(line.executions for function in one.functions for line in function.code)
    assert one.spent.fetch_stalls >= 2 * executions


def test_interrupts_are_off_from_the_kernels_lock_to_its_unlocking() -> None:
    one = explained(FLASH, "semaphore_take.binary_full")
    off = one.interrupts_off
    assert off.begin_at.startswith("vPortEnterCritical+")
    assert off.end_at.startswith("vPortExitCritical+")
    assert not off.entered_off and not off.returned_off
    code = {function.name: function.code for function in one.functions}
    take = code["xQueueSemaphoreTake"]
    (lock,) = [line.address for line in take if line.executions and "EnterCritical" in line.text]
    (unlock,) = [line.address for line in take if line.executions and "ExitCritical" in line.text]
    # Every instruction executes once and in order, so the interval is a sum of lines.
    inside = [line for line in take if lock < line.address <= unlock]
    inside += [line for line in code["vPortEnterCritical"] if line.address >= off.begin]
    inside += [line for line in code["vPortExitCritical"] if line.address < off.end]
    assert all(line.executions <= 1 for line in inside)
    assert off.longest_cycles == sum(line.spent.total for line in inside)


def test_a_context_switch_is_explained_in_the_task_it_leaves_and_in_the_one_it_comes_to() -> None:
    names = {function.name for function in explained(FLASH, "yield.equals").functions}
    assert {"vTaskSwitchContext", "vectors", "yield_equals_real"} <= names


def test_an_unknown_case_and_an_unknown_value_are_answered_with_those_there_are() -> None:
    with refused("no-such-case", naming=["nix", "task_create"]):
        find(target(FLASH), "nix", None)
    with refused("case-does-not-take-x", naming=["x = 3", "4 to 256"]):
        find(target(FLASH), "queue_send.room", 3)
    with refused("case-does-not-take-x", naming=["x = 5"]):
        find(target(FLASH), "yield.equals", 5)


def test_a_target_that_cannot_look_inside_says_what_can() -> None:
    blind = FakeTarget()
    with refused("explain-needs-virtual-board"):
        explain(blind, blind.cases()[0], None)
    assert blind.witness is None and blind.tracer is None


def test_an_explanation_survives_the_disk_and_damage_is_told(tmp_path: Path) -> None:
    one = explained(FLASH, "queue_send.room")
    path = explanation.save(tmp_path, one)
    assert path == tmp_path / "explain" / "queue_send.room@4.json"
    assert explanation.load(tmp_path, "queue_send.room", 4) == one
    assert explanation.load(tmp_path, "queue_send.room", 5) is None
    sealed = path.read_text()
    path.write_text(sealed.replace('"version": 1', '"version": 2'))
    with refused("seal-of-other-content", ResultsError):
        explanation.load(tmp_path, "queue_send.room", 4)
    path.write_bytes(seal.opened(sealed.encode()).replace(b'"version": 1', b'"version": 2'))
    with refused("file-damaged-or-other-version", ResultsError):
        explanation.load(tmp_path, "queue_send.room", 4)
    path.write_text(sealed)
    shutil.copy(path, explanation.path_of(tmp_path, "queue_send.room", 8))
    with refused("explanation-of-another-call", ResultsError):
        explanation.load(tmp_path, "queue_send.room", 8)
    path.write_text("{")
    with refused("file-damaged-or-other-version", ResultsError):
        explanation.load(tmp_path, "queue_send.room", 4)


def test_a_report_tells_an_explanation_that_is_damaged(tmp_path: Path) -> None:
    one = explained(FLASH, "queue_send.room")
    case, _ = find(target(FLASH), "queue_send.room", 4)[0]
    path = explanation.save(tmp_path, one)
    told = in_report(tmp_path, case, one.conditions)
    assert told and told.told["spent"][0] == one.call_cycles
    assert in_report(tmp_path, case, "of other conditions") is None
    path.write_bytes(seal.opened(path.read_bytes()).replace(b'"executions"', b'"executed"', 1))
    with refused("explanation-damaged", ResultsError):
        in_report(tmp_path, case, one.conditions)


def test_the_verb_fits_80_columns_and_lists_the_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["explain", "semaphore_take*", "--disassembly"]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    for expected in ("xQueueSemaphoreTake", "entry to return", "interrupts off: longest", "bx lr"):
        assert expected in shown
    assert "bl vPortEnterCritical" in shown


def test_the_verb_gives_programs_what_the_file_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["explain", "queue_send.room", "--parameter", "16", "--json"]
    assert execute([*arguments, "--out", str(tmp_path)]) == 0
    (document,) = json.loads(capsys.readouterr().out)["explanations"]
    saved = explanation.load(tmp_path, "queue_send.room", 16)
    assert saved is not None and saved.model_dump(mode="json") == document
