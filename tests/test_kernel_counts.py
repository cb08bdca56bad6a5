"""Programs of FreeRTOS counted on this machine: calls, switches and time beside the board's."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from cyclescope.cli import execute
from cyclescope.firmware.application import Application, BuiltApplication, build_application
from cyclescope.firmware.configuration import Configuration
from cyclescope.sources.counts import SourceCounts
from cyclescope.sources.host_kernel import KernelPrices
from cyclescope.sources.host_run import CountedRun, count
from cyclescope.sources.instrumented import SourceUnit
from cyclescope.sources.kernel_calls import VALUES, Passage
from cyclescope.studies.estimate.calls import clock, laws
from cyclescope.studies.estimate.calls.laws import Laws
from cyclescope.studies.estimate.calls.pricing import priced
from cyclescope.studies.estimate.calls.shipped import FOLDER
from cyclescope.studies.estimate.counted_kernel import counted_kernel
from cyclescope.targets.virtual.application import ApplicationBoard, run_on_board

PROGRAMS = Path(__file__).parent / "kernel_programs"
EVERY = sorted(one.stem for one in PROGRAMS.glob("*.c"))
SAMPLE = ("mutexes", "notifications", "timers")
SAME_ORDER = ("queues", "semaphores", "mutexes", "notifications", "events")
"""Programs whose tasks go on in an order that no tick changes."""
TICK_CYCLES = 60_000
KERNEL_KIB = 128
MEAN, MOST = 0.03, 0.10
"""Errors of calls over the programs: of their mean, and of each."""


def counted(name: str, prices: KernelPrices | None = None) -> CountedRun:
    kernel = counted_kernel(KERNEL_KIB)
    unit = SourceUnit(PROGRAMS / f"{name}.c", ("-std=gnu99", *kernel.options))
    return count([unit], kernel=kernel, prices=prices)


def passages(counts: SourceCounts) -> list[tuple[Passage, int]]:
    calls = {one.id: one for one in counts.calls}
    return [
        (Passage.read(values), times)
        for _, call, values, times in counts.parameters
        if calls[call].parameters == VALUES
    ]


def switches(counts: SourceCounts) -> int:
    return sum(one.switches * times for one, times in passages(counts) if one.function != "tick")


@cache
def built(name: str) -> BuiltApplication:
    program = Application((PROGRAMS / f"{name}.c",))
    return build_application(program, Configuration("lpc2148-lab", "freertos", {"code": "lab"}))


def switches_on_board(name: str) -> int:
    """How often another task goes on, by the kernel's pointer to the one that runs; no tick's."""
    on = ApplicationBoard(built(name), (name,), {})
    symbols = {one: on._program.address(at) for one, at in on._program.symbols.items()}
    pointer, function = symbols["pxCurrentTCB"], symbols["vTaskSwitchContext"]
    ends = [symbols["exit"], symbols["application_ended"]]
    yields, found, before = symbols["vPortYieldProcessor"], 0, b""
    by_call = False
    while (pc := on.board.run(cycles=10**9, pcs=[*ends, function, yields])["pc"]) not in ends:
        if pc == yields:
            by_call = True
        elif by_call:
            before, by_call = on.board.read_memory(pointer, 4), False
            on.board.run(cycles=10**9, pcs=[on.board.registers()["r14"] & ~1])
            found += on.board.read_memory(pointer, 4) != before
    return found


def test_two_runs_count_the_same() -> None:
    assert counted("objects").counts == counted("objects").counts


@pytest.mark.parametrize("name", SAME_ORDER)
def test_the_program_ends_as_on_the_board(name: str) -> None:
    assert counted(name).run.status == run_on_board(built(name), (name,), {}).status


@pytest.mark.parametrize("name", ["semaphores", "mutexes", "notifications"])
def test_as_many_switches_as_on_the_board(name: str) -> None:
    assert switches(counted(name).counts) == switches_on_board(name) > 100


def test_conditions_are_those_of_the_kernels_state() -> None:
    found = Counter[tuple[str, str, int]]()
    for one, times in passages(counted("mutexes").counts):
        found[one.function, one.returns_in, one.woken] += times
    # Each of 120 rounds: the semaphore wakes, the mutex inherits, its end wakes and gives back.
    assert found["xQueueGenericSend", "xQueueSemaphoreTake", 1] == 120
    assert found["xQueueSemaphoreTake", "xQueueGenericSend", 1] == 120
    assert found["xQueueGenericSend", "xQueueSemaphoreTake", 2] == 120
    assert found["xQueueTakeMutexRecursive", "xQueueTakeMutexRecursive", 0] == 240


def test_time_ends_delays_and_slices() -> None:
    """Slower code meets more ticks; idle time ends at a tick."""
    found = []
    for cycles in (5.0, 50.0):
        regions = dict.fromkeys(range(1000), cycles)
        counts = counted("timers", KernelPrices(TICK_CYCLES, regions)).counts
        found.append(sum(times for one, times in passages(counts) if one.function == "tick"))
    assert found[0] < found[1]


def estimated(name: str, known: Laws) -> tuple[float, float]:
    """Estimated and true cycles of the calls; the program's own are those of the truth."""
    true = run_on_board(built(name), (name,), {}, profile=True)
    assert true.by_owner is not None
    own_cycles = true.by_owner["program"]

    def own(counts: SourceCounts) -> Mapping[int, float]:
        runs = sum(counts.totals.values())
        return {at: own_cycles * times / runs for at, times in counts.totals.items()}

    counts = clock.settled(lambda one: counted(name, one).counts, own, known, TICK_CYCLES)
    return sum(call.cycles for call in priced(counts, known)), true.by_owner["calls"]


def characterized(folder: Path, kernel: str, *cases: str) -> Laws:
    chosen = [text for case in cases for text in ("--case", case)]
    options = ["--board", "lpc2148-lab", "--code", "lab", "--kernel", kernel, "--jobs", "1"]
    assert execute(["characterize", *options, *chosen, "--out", str(folder)]) == 0
    return laws.measured(folder)


def test_calls_cost_what_they_cost_on_the_board(tmp_path: Path) -> None:
    cases = (
        *("mutex_*", "semaphore_*", "recursive_*", "notify_*", "critical_*", "yield.*"),
        *("task_create.ready", "queue_create.one_more", "queue_receive.blocks", "delay*"),
        *("scheduler_resume.pending_lower", "timer_*", "tick_count.task", "malloc.*"),
    )
    known = characterized(tmp_path / "laws", "freertos", *cases)
    errors = []
    for name in SAMPLE:
        ours, true = estimated(name, known)
        errors.append(abs(ours / true - 1))
    assert sum(errors) / len(errors) <= MEAN, errors
    assert max(errors) <= MOST, errors


def test_messages_beside_a_word_cost_more() -> None:
    kernel, library = (
        laws.read(FOLDER / f"lpc2148-lab-lab-arm-{one}.json") for one in ("freertos", "bare")
    )
    ours, true = estimated("messages", kernel.with_library(library))
    assert abs(ours / true - 1) <= MEAN


@pytest.mark.matrix
def test_calls_of_every_program(tmp_path: Path) -> None:
    library = characterized(tmp_path / "library", "bare", "mem*")
    known = characterized(tmp_path / "laws", "freertos").with_library(library)
    errors = {}
    for name in EVERY:
        ours, true = estimated(name, known)
        errors[name] = abs(ours / true - 1)
    assert sum(errors.values()) / len(errors) <= MEAN, errors
    assert max(errors.values()) <= MOST, errors
