"""Real-time figures of Linux's own threads, and cyclictest beside them. No time is asserted."""

import json
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from refusals import refused

from cyclescope.studies.realtime import cyclictest
from cyclescope.studies.realtime.cyclictest import CyclictestProcess, parse
from cyclescope.studies.realtime.indicators import BackgroundState, Indicator, ScoreUnit
from cyclescope.studies.realtime.target import Settings, TooManyTasks
from cyclescope.studies.realtime.targets import open_realtime
from cyclescope.studies.realtime.targets.host import HostRealtime, open_target
from cyclescope.target.target import Selection

HOST = Selection(board="host", kernel="posix")
THERE = (Indicator.SWITCHING, Indicator.PREEMPTION, Indicator.SHUFFLING, Indicator.WAKE_UP)


@pytest.fixture(scope="module")
def host() -> Iterator[HostRealtime]:
    with open_target(HOST) as target:
        yield target


@pytest.mark.parametrize("load_percent", [0, 30])
@pytest.mark.parametrize("indicator", THERE)
def test_indicators_fill_the_buffer(
    host: HostRealtime, indicator: Indicator, load_percent: int
) -> None:
    batch = host.measure(Settings(indicator=indicator, load_percent=load_percent), 64)
    assert batch.shortfall is None and len(batch.samples) >= 64
    assert np.all(batch.samples.counts.astype(np.int32) > 0)
    assert batch.timer_hz == 1_000_000_000
    assert batch.truth_cycles is None and batch.timeline is None and batch.masked is None


def test_background_threads_use_every_facility(host: HostRealtime) -> None:
    batch = host.measure(Settings(indicator=Indicator.WAKE_UP, load_percent=60), 512)
    assert [one.facility for one in batch.load if one.calls == 0] == []
    assert {one.holds for one in batch.load} == {"neither"}


def test_a_program_has_no_interrupt_response(host: HostRealtime) -> None:
    assert set(host.unavailable()) == {Indicator.INTERRUPT, Indicator.HARDWARE}
    with refused("indicator-not-available-here"):
        host.measure(Settings(indicator=Indicator.INTERRUPT), 8)


def test_calibration_says_how_it_computes(host: HostRealtime) -> None:
    found = host.calibrate(ScoreUnit.DOUBLE)
    assert "double of 8 bytes" in found.arithmetic and "software" not in found.arithmetic
    assert len(found.samples) == len(found.empty) == 100


@pytest.mark.parametrize("placement", BackgroundState)
@pytest.mark.parametrize("indicator", THERE)
def test_extra_tasks(host: HostRealtime, indicator: Indicator, placement: BackgroundState) -> None:
    settings = Settings(indicator=indicator, placement=placement, extra_tasks=20)
    assert len(host.measure(settings, 32).samples) >= 32


def test_more_tasks_than_memory_holds_are_refused(host: HostRealtime) -> None:
    settings = Settings(indicator=Indicator.SHUFFLING, extra_tasks=65535)
    with refused("too-many-tasks", TooManyTasks, naming=[65535]):
        host.measure(settings, 8)


def test_a_starved_test_says_so_unless_priorities_were_refused(host: HostRealtime) -> None:
    settings = Settings(indicator=Indicator.PREEMPTION, load_percent=100, limit_ms=100)
    batch = host.measure(settings, host.capacity)
    if any("SCHED_FIFO was refused" in remark for remark in host.remarks()):
        pytest.skip("without priorities nobody is outranked")
    assert batch.shortfall is not None and "outrank" in batch.shortfall


def test_conditions_say_what_the_machine_is(host: HostRealtime) -> None:
    found = host.conditions()
    assert (found.kernel, found.target, found.timer) == ("posix", "host", "clock_gettime")
    assert found.machine["scheduler"].startswith(("SCHED_FIFO", "SCHED_OTHER"))
    virtual = any("virtual machine" in remark for remark in host.remarks())
    assert virtual == (found.machine["virtual_machine"] == "yes")


def test_posix_runs_where_linux_does() -> None:
    with refused("build-failed"):
        open_realtime(Selection(board="lpc2148", kernel="posix"))
    with refused("host-runs-linux-threads"):
        open_realtime(Selection(board="host", kernel="freertos"))


REPORT = {
    "file_version": 1,
    "cmdline:": "cyclictest --quiet --threads=1 --json=/tmp/x/report.json",
    "rt_test_version:": "2.40",
    "thread": {
        "0": {"histogram": {"11": 1, "6": 2}, "cycles": 4, "min": 6, "max": 703, "avg": 9.5}
    },
}


def test_a_report_of_cyclictest_is_read() -> None:
    found = parse(json.dumps(REPORT))
    assert (found.version, found.command) == ("2.40", "cyclictest --quiet --threads=1")
    assert (found.cycles, found.minimum_us, found.average_us) == (4, 6, 9.5)
    assert (found.maximum_us, found.histogram) == (703, ((6, 2), (11, 1)))
    with pytest.raises(ValueError, match="without a thread"):
        parse("{}")


def test_without_cyclictest_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert CyclictestProcess(0, 18).start().stop().refused == cyclictest.MISSING


def test_what_cyclictest_says_last_is_the_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "cyclictest"
    program.write_text("#!/bin/sh\necho Unable to change scheduling policy! >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    companion = CyclictestProcess(0, 18).start()
    assert companion._process is not None
    companion._process.wait()
    assert companion.stop().refused == "Unable to change scheduling policy!"


def threads_of(process: int, name: str) -> list[int]:
    """The threads of a process that have a name."""
    tasks = Path(f"/proc/{process}/task")
    return [int(one.name) for one in tasks.iterdir() if (one / "comm").read_text().strip() == name]


def test_cyclictest_has_the_cpu_and_priority_of_what_it_is_compared_with(
    host: HostRealtime, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "cyclictest"
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\nexec sleep 60\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    settings = Settings(indicator=Indicator.WAKE_UP, load_percent=20)
    companion = host.companion().start()
    with ThreadPoolExecutor(1) as pool:
        measured = pool.submit(host.measure, settings, 1000)
        ours: list[int] = []
        while not ours and not measured.done():
            ours = threads_of(host.process_id, "test")
        cpus, priority = os.sched_getaffinity(ours[0]), os.sched_getparam(ours[0]).sched_priority
        policy = os.sched_getscheduler(ours[0])
        measured.result()
    monkeypatch.setattr(cyclictest, "END_S", 0.1)
    companion.stop()
    if policy != os.SCHED_FIFO:
        assert not (tmp_path / "asked").exists(), "without priorities there is no comparison"
        return
    asked = (tmp_path / "asked").read_text().split()
    assert f"--affinity={','.join(map(str, cpus))}" in asked and len(cpus) == 1
    assert f"--priority={priority}" in asked and "--policy=fifo" in asked


@pytest.mark.parametrize(("cpu", "priority"), [(None, 18), (0, None)])
def test_without_cpu_or_priority_cyclictest_is_not_compared(
    monkeypatch: pytest.MonkeyPatch, cpu: int | None, priority: int | None
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: "/bin/false")
    assert CyclictestProcess(cpu, priority).start().stop().refused == cyclictest.NOT_BESIDE


@pytest.mark.skipif(shutil.which("cyclictest") is None, reason="cyclictest is not installed")
def test_cyclictest_runs_beside_ours(host: HostRealtime) -> None:
    companion = host.companion().start()
    batch = host.measure(Settings(indicator=Indicator.WAKE_UP), 500)
    found = companion.stop()
    assert len(batch.samples) == 500
    assert found.refused is not None or found.cycles > 0
