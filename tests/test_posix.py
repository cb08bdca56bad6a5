"""POSIX's calls on this machine: the real process, its catalogue, what is refused, what is left."""

import json
import os
import platform
import resource
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refused

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.cli import execute
from cyclescope.firmware.build import build
from cyclescope.firmware.configuration import Configuration
from cyclescope.results import Results
from cyclescope.results.storage import load
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.studies.characterize.report.rows import refusal
from cyclescope.studies.export import comments as exported_words
from cyclescope.studies.export import export
from cyclescope.target.case import Case
from cyclescope.target.target import CaseFailed, Selection, TurnedDown
from cyclescope.targets import open_target
from cyclescope.targets.host.cases import HostCases
from cyclescope.targets.replay import Replay

pytestmark = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "aarch64"), reason="the counter is not known"
)

HOST = Selection(board="host", kernel="posix")
CASES = Path(__file__).parent.parent / "firmware" / "kernels" / "posix" / "cases"
PATIENCE_S = 20.0
"""For a process that has to end; no time is asserted."""
FEW = Plan("[gp][ei][tp]*", lengths=(10, 25))
"""getpid and its like, which need nothing, and pipe, which needs descriptors."""


def opened() -> HostCases:
    target = open_target(HOST)
    assert isinstance(target, HostCases)
    return target


@pytest.fixture(scope="module")
def host() -> Iterator[HostCases]:
    with opened() as target:
        yield target


def of(target: HostCases, name: str) -> Case:
    return next(case for case in target.cases() if case.name == name)


def process_of(target: HostCases) -> int:
    assert target._process
    return target._process.pid


def test_the_catalogue_is_large_and_no_two_cases_are_one(host: HostCases) -> None:
    cases = host.cases()
    assert len([case for case in cases if case.library == "POSIX"]) >= 150
    assert {case.library for case in cases} == {"POSIX", "C"}
    assert len({case.name for case in cases}) == len(cases)
    assert len({(case.callee, case.condition) for case in cases}) == len(cases)
    assert {case.function_class for case in cases} == {file.stem for file in CASES.glob("*.c")}
    for case in cases:
        assert case.name.split(".")[0] == case.callee or case.callee == "store"
        assert "called" not in case.call  # the names that some are called under stay inside


def test_every_case_runs_and_takes_time(host: HostCases) -> None:
    host.reset()
    refused = {}
    for case in host.cases():
        try:
            for empty in (False, True):
                series = host.run_series(case, case.values()[0], 5, empty)
                counts = [(one.stop - one.start) % 2**32 for one in series.samples]
                assert len(counts) == 5
                assert all(0 < count < 2**31 for count in counts), case.name
        except TurnedDown as error:
            refused[case.name] = error.reason
    # Without leave to raise priorities, what needs two of them is refused, and nothing else.
    allowed = host.conditions().machine["scheduler"].startswith("SCHED_FIFO")
    switching = set() if allowed else {case.name for case in host.cases() if case.switches}
    assert set(refused) == switching, refused


@pytest.mark.parametrize("name", ["write.pipe", "pthread_cond_broadcast.waiters", "open.depth"])
def test_a_swept_case_runs_at_every_x(host: HostCases, name: str) -> None:
    host.reset()
    case = of(host, name)
    assert len(case.values()) == 15
    for x in case.values():
        assert len(host.run_series(case, x, 10, empty=False).samples) == 10


def test_the_conditions_say_what_the_machine_is_and_allowed(host: HostCases) -> None:
    conditions = host.conditions()
    assert (conditions.target, conditions.board, conditions.kernel) == ("host", "host", "posix")
    assert conditions.noisy
    assert set(conditions.machine) == {
        *("cpu", "pinned_to", "isolated", "scheduler", "memory_locked", "governor"),
        *("virtual_machine", "system", "core_clock", "warm_up"),
        *("files", "clock_source", "message_queues"),
    }
    assert conditions.c_library.startswith("glibc ")


def test_every_process_of_a_campaign_has_the_same_clock(host: HostCases) -> None:
    before = host.conditions()
    host.reset()
    assert host.conditions() == before


class WithoutDescriptors(HostCases):
    """A machine that opens no more files than the program already has."""

    def reset(self) -> None:
        super().reset()
        there = len(os.listdir(f"/proc/{process_of(self)}/fd"))
        resource.prlimit(process_of(self), resource.RLIMIT_NOFILE, (there, there))


class WithoutThreads(HostCases):
    """A machine that has memory for a few more threads only."""

    def reset(self) -> None:
        super().reset()
        process = process_of(self)
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[0])
        there = pages * resource.getpagesize() + 4 * 64 * 1024
        resource.prlimit(process, resource.RLIMIT_AS, (there, there))


class WithoutPriorities(HostCases):
    """A machine that lets no process raise its priority."""

    def reset(self) -> None:
        super().reset()
        os.sched_setscheduler(process_of(self), os.SCHED_OTHER, os.sched_param(0))


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """A campaign of which one case is refused."""
    configuration = Configuration(board="host", kernel="posix", settings={"timer": "clock_gettime"})
    with WithoutDescriptors(build(configuration)) as target:
        return collect([target], TECHNIQUE, FEW, tmp_path_factory.mktemp("limited") / "results")


def test_what_the_machine_refuses_leaves_the_other_cases(limited: Results) -> None:
    (refused,) = limited.manifest.refused
    exported = export.select(analyse(limited))
    assert [(one.case, one.reason) for one in exported.omitted if one.case == refused.case] == [
        (refused.case, refused.reason)
    ]
    assert json.loads(export.find("json").render(exported))["statistic"] == "median"
    assert "the median net time of a call" in " ".join(exported_words.title(exported))
    assert (refused.case, refused.lengths) == ("pipe.create", (10, 25))
    assert refused.reason == "pipe failed: Too many open files (EMFILE)"
    assert refusal(refused) == f"pipe.create: not measured: {refused.reason}"
    found = analyse(limited)
    assert {"getpid.itself", "getppid.itself"} <= {one.case.name for one in found.cases}
    assert "pipe.create" not in {one.case.name for one in found.cases}
    assert found.missing == ()


def test_refusals_are_kept_and_replayed(limited: Results, tmp_path: Path) -> None:
    assert load(limited.folder).manifest == limited.manifest
    replay = Replay(limited, limited.conditions.layout)
    again = collect([replay], TECHNIQUE, FEW, tmp_path / "again")
    assert again.manifest == limited.manifest


def test_without_priorities_what_ends_in_another_thread_is_refused_with_its_reason() -> None:
    with opened() as first:
        built = first._built
    with WithoutPriorities(built) as target:
        with refused("turned-down", TurnedDown, naming=["sched_setscheduler", "EPERM"]):
            target.run_series(of(target, "sem_post.wakes_higher"), None, 5, empty=False)
        for name in ("sem_post.nobody", "pthread_cond_broadcast.waiters"):
            case = of(target, name)
            assert len(target.run_series(case, case.values()[0], 5, empty=False).samples) == 5


def test_threads_that_cannot_all_be_made_are_the_refusal_of_one_case() -> None:
    with opened() as first:
        built = first._built
    with WithoutThreads(built) as target:
        with refused("turned-down", TurnedDown, naming=["pthread_create"]):
            target.run_series(of(target, "pthread_barrier_wait.last"), 16, 5, empty=False)
        assert len(target.run_series(of(target, "getpid.itself"), None, 5, False).samples) == 5


@pytest.mark.parametrize("choice", [{"isa": "thumb"}, {"code": "sram"}, {"clock": 12}])
def test_what_a_board_alone_offers_is_refused(choice: dict[str, Any]) -> None:
    with refused("host-has-no-such-conditions", naming=[f"--{next(iter(choice))}"]):
        open_target(HOST.having(choice))


def test_a_process_that_dies_is_the_failure_of_one_case(host: HostCases) -> None:
    host.reset()
    os.kill(process_of(host), signal.SIGSEGV)
    with refused("case-failed", CaseFailed, naming=["SIGSEGV"]):
        host.run_series(of(host, "getpid.itself"), None, 5, empty=False)
    host.reset()
    assert len(host.run_series(of(host, "getpid.itself"), None, 5, empty=False).samples) == 5


def vanishes(there: Path) -> bool:
    until = time.monotonic() + PATIENCE_S
    while there.exists() and time.monotonic() < until:
        time.sleep(0.02)
    return not there.exists()


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_nothing_is_left_on_the_machine_however_the_program_ends(end: signal.Signals) -> None:
    with opened() as target:
        folder = Path(os.readlink(f"/proc/{process_of(target)}/cwd"))
        case = of(target, "open.depth")
        target.run_series(case, case.values()[-1], 5, empty=False)
        assert (folder / "d" / "d").is_dir()
        os.kill(process_of(target), end)
        assert vanishes(folder)


def test_a_process_of_its_own_ends_with_the_program() -> None:
    with opened() as target:
        case = of(target, "kill.other_ignored")
        program = process_of(target)
        index = target._described[case.name].index
        target._link.execute(index, 5)
        children = Path(f"/proc/{program}/task/{program}/children").read_text().split()
    assert len(children) <= 1  # the caretaker, which waits for its end
    for child in children:
        assert vanishes(Path(f"/proc/{child}/cwd"))


def test_results_go_through_every_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    chosen = ["--board", "host", "--kernel", "posix", "--class", "clocks", "--json"]
    # A net time that came out below zero would be an error, reported as such.
    assert execute(["characterize", *chosen, "--out", str(out)]) in (0, 1)
    document = json.loads(capsys.readouterr().out)
    assert document["conditions"]["machine"]["files"]
    assert len(document["cases"]) == 8
    for one in document["cases"]:
        (measured,) = one["measured"]
        assert np.isfinite(measured["net_cycles"]["half_width"])
        assert measured["net_cycles"]["half_width"] > 0
        assert measured["quartile_range_cycles"] >= 0
    assert execute(["show", str(out), "--full"]) in (0, 1)
    shown = " ".join(capsys.readouterr().out.split())
    assert "median of the real calls" in shown and "clock_gettime.monotonic" in shown
    assert execute(["report", str(out), "--out", str(tmp_path / "page.html")]) in (0, 1)
    assert "nanosleep.zero" in (tmp_path / "page.html").read_text()


def test_measuring_in_several_processes_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["characterize", "--board", "host", "--kernel", "posix", "--jobs", "2"]
    assert execute([*command, "--class", "clocks", "--out", str(tmp_path / "out")]) != 0
    assert "would time each other: leave --jobs out" in capsys.readouterr().err
