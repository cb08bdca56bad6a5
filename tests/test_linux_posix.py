"""POSIX's calls under Linux on the AT91x40: the harness, its truth, and what there is not."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from linux_session import built_or_skip
from refusals import refused

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.cli import execute
from cyclescope.results.storage import load
from cyclescope.target.case import Case
from cyclescope.target.target import Selection, TurnedDown
from cyclescope.targets import open_target
from cyclescope.targets.virtual.target import VirtualBoard

ROOT = Path(__file__).parents[1]
LINUX = Selection(board="at91x40", kernel="posix")
LENGTH = 10
EXISTING = ("getpid.itself", "pthread_mutex_unlock.wakes_higher", "mq_send.room", "kill.other")
"""A call that does nothing, one that switches threads, one of its own kernel, one to a process."""
NEVER_THERE = {
    "fork.small": "fork failed: Invalid argument (EINVAL)",
    "mprotect.page": "mprotect failed: Function not implemented (ENOSYS)",
    "touch.first": "a page fault failed: Function not implemented (ENOSYS)",
}
ENDS_WITH_TICK = ("nanosleep.zero", "clock_nanosleep.past")


@pytest.fixture(scope="module")
def board() -> Iterator[VirtualBoard]:
    built_or_skip()
    target = open_target(LINUX)
    assert isinstance(target, VirtualBoard)
    with target:
        yield target


def of(target: VirtualBoard, name: str) -> Case:
    return next(case for case in target.cases() if case.name == name)


def least(case: Case) -> int | None:
    return case.parameter.domain.first if case.parameter else None


@pytest.mark.parametrize("name", EXISTING)
def test_the_timer_says_what_the_engine_sees(board: VirtualBoard, name: str) -> None:
    case = of(board, name)
    board.reset()
    series, truths = board.witness_series(case, least(case), LENGTH, empty=False)
    assert [one.stop - one.start for one in series.samples] == [truth.raw for truth in truths]
    empty, alone = board.witness_series(case, least(case), LENGTH, empty=True)
    around = {truth.before + truth.after for truth in truths}
    assert around == {truth.before + truth.after for truth in alone}
    assert not any(one.tick_hit for one in empty.samples)


def test_a_call_is_the_kernels_for_most_of_its_time(board: VirtualBoard) -> None:
    """The profile names functions of the kernel and of the program, where they run."""
    case = of(board, "getpid.itself")
    board.reset()
    _, profiles = board.profile_series(case, None, LENGTH)
    names = {board.program().function_at(address).name for address in profiles[-1].instructions()}
    assert {"vector_swi", "getpid", "sys_getpid"} <= names


def test_runs_from_power_on_repeat(board: VirtualBoard) -> None:
    case, found = of(board, "sem_post.wakes_higher"), []
    for _ in range(2):
        board.reset()
        samples = board.run_series(case, None, LENGTH, empty=False).samples
        found.append(np.subtract(samples.stop, samples.start).tolist())
    assert found[0] == found[1]


def test_what_ended_threads_held_comes_back_within_a_series(board: VirtualBoard) -> None:
    """The system's own threads give it back: without them the memory is full after 90 threads."""
    board.reset()
    case = of(board, "pthread_create.kept_stack")
    assert len(board.run_series(case, None, 100, empty=False).samples) == 100


@pytest.mark.parametrize(("name", "reason"), NEVER_THERE.items())
def test_what_needs_an_mmu_is_refused(board: VirtualBoard, name: str, reason: str) -> None:
    board.reset()
    with pytest.raises(TurnedDown) as caught:
        board.run_series(of(board, name), None, LENGTH, empty=False)
    assert caught.value.reason == reason


@pytest.mark.parametrize("name", ENDS_WITH_TICK)
def test_a_call_that_ends_with_the_tick_is_refused(board: VirtualBoard, name: str) -> None:
    """By what was measured: its empty call has no tick, and is timed."""
    board.reset()
    case = of(board, name)
    assert not board.run_series(case, None, LENGTH, empty=True).samples.tick_hit.any()
    with pytest.raises(TurnedDown) as caught:
        board.run_series(case, None, LENGTH, empty=False)
    assert caught.value.reason.startswith(f"a tick of the system fell into each of {LENGTH} calls")


def test_a_call_that_one_tick_meets_is_timed(board: VirtualBoard) -> None:
    case = of(board, "getpid.itself")
    assert len(board.run_series(case, None, LENGTH, empty=False).samples) == LENGTH


def test_a_campaign_keeps_reasons_and_conditions(board: VirtualBoard, tmp_path: Path) -> None:
    plan = Plan("[fg][oe][rt][kp]*", lengths=(LENGTH,))
    collect([board], TECHNIQUE, plan, tmp_path / "results")
    results = load(tmp_path / "results")
    assert {one.case: one.reason for one in results.manifest.refused} == {
        "fork.small": NEVER_THERE["fork.small"]
    }
    conditions = results.conditions
    assert conditions.kernel_version.startswith("Linux 6.1")
    assert (conditions.code, conditions.timer) == ("ram", "measurement")
    assert conditions.c_library.startswith("musl 1.2.3")


def test_the_command_measures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    built_or_skip()
    out = str(tmp_path / "results")
    execute(["characterize", "--board", "at91x40", "--kernel", "posix", "--class", "processes",
             "--case", "getp*", "--out", out, "--json"])  # fmt: skip
    cases = json.loads(capsys.readouterr().out)["cases"]
    assert [one["name"] for one in cases] == ["getpid.itself", "getppid.itself"]


@pytest.mark.parametrize(
    ("name", "value"), [("code", "internal"), ("timer", "tc"), ("isa", "thumb")]
)
def test_what_linux_cannot_be_asked_for_is_refused(name: str, value: str) -> None:
    with refused("build-failed", naming=[f"--{name}", value, "choose one of"]):
        open_target(LINUX.having({name: value}))


def test_layouts_are_refused() -> None:
    with refused("linux-has-no-such-image", naming=["--layouts"]):
        open_target(replace(LINUX, layout=1))


def test_without_linux_the_build_says_which_command_makes_it() -> None:
    if (ROOT / "build" / "linux" / "libc" / "cc").is_file():
        pytest.skip("Linux is built")
    with refused("build-failed", naming=["make linux"]):
        open_target(LINUX)
