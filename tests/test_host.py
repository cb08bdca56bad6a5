"""Fragments on the host: a real process of this machine, whatever else the machine does."""

import os
import platform
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from refusals import refused

from cyclescope.firmware.fragment.plan import Plan, Point
from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.target.target import Selection
from cyclescope.targets import open_target
from cyclescope.targets.host.conditions import TIMERS
from cyclescope.targets.host.fragments import HostFragments

pytestmark = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "aarch64"), reason="the counter is not known"
)

CHAIN = """
#include "fragment.h"
static volatile unsigned long x;
EXECUTE {
    unsigned long y = x;
    for (int i = 0; i < 200; i++) {
        y = y * 5 + 1;
        OPAQUE(y);
    }
    x = y;
}
"""
PLAN: Plan = tuple(Point(n) for n in range(9))


def opened(folder: Path, text: str = CHAIN, timer: str = TIMERS[0], **more: float) -> HostFragments:
    file = folder / "fragment.c"
    file.write_text(text)
    source = FragmentSource(file, (("line", PLAN),), patience_s=more.get("patience_s", 60))
    target = open_target(Selection("host", "bare", settings={"timer": timer}, fragment=source))
    assert isinstance(target, HostFragments)
    return target


@cache
def medians(folder: Path, timer: str) -> list[float]:
    """The median time of each point of the plan, in counts of the timer."""
    with opened(folder, timer=timer) as target:
        series = target.run_series(target.cases()[0], None, 200 * len(PLAN), empty=False)
    times = np.array([sample.stop - sample.start for sample in series.samples])
    return [float(one) for one in np.median(times.reshape(-1, len(PLAN)), axis=0)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("host")


@pytest.mark.parametrize("timer", TIMERS)
def test_more_executions_take_longer(folder: Path, timer: str) -> None:
    assert all(before < after for before, after in pairwise(medians(folder, timer)))


def test_every_sample_of_every_round_arrives_in_order(folder: Path) -> None:
    with opened(folder) as target:
        case = target.cases()[0]
        assert (case.name, case.callee) == ("fragment.line", "fragment_execute")
        series = target.run_series(case, None, 1000, empty=False)
        starts = np.array([sample.start for sample in series.samples], dtype=np.uint32)
        assert len(starts) == 1000
        assert (np.diff(starts).astype(np.int32) > 0).all()


def test_the_conditions_say_what_the_machine_is_and_allowed(folder: Path) -> None:
    with opened(folder, timer="clock_gettime") as target:
        conditions = target.conditions()
    assert (conditions.target, conditions.board, conditions.real) == ("host", "host", True)
    assert (conditions.timer, conditions.timer_hz) == ("clock_gettime", 1_000_000_000)
    assert conditions.memory == {} and conditions.pclk_hz is None
    assert conditions.isa == platform.machine()
    assert conditions.core_hz % 100_000 == 0
    assert set(conditions.machine) == {
        *("cpu", "pinned_to", "isolated", "scheduler", "memory_locked", "governor"),
        *("virtual_machine", "system", "core_clock", "warm_up", "rest"),
    }


def test_the_process_is_pinned_to_the_cpu_that_the_conditions_name(folder: Path) -> None:
    with opened(folder) as target:
        assert target._process
        (cpu,) = os.sched_getaffinity(target._process.pid)
        assert target.conditions().machine["pinned_to"].startswith(f"CPU {cpu} of ")


def test_what_the_code_prints_and_reads_does_not_reach_the_wire(tmp_path: Path) -> None:
    text = """
    #include <stdio.h>
    #include "fragment.h"
    EXECUTE { printf("%d", getchar()); fflush(stdout); }
    """
    with opened(tmp_path, text) as target:
        assert len(target.run_series(target.cases()[0], None, 90, empty=False).samples) == 90


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("*(volatile int *)8 = 1;", ["fragment.line", "SIGSEGV (Segmentation fault)"]),
        ("__builtin_trap();", ["stopped by SIG"]),
        ("_Exit(3);", ["exit code 3"]),
        ('fputs("no more chairs\\n", stderr); abort();', ["SIGABRT", ": no more chairs"]),
    ],
)
def test_a_fragment_that_dies_is_one_sentence_and_the_next_one_runs(
    tmp_path: Path, body: str, named: list[str]
) -> None:
    text = f"""
    #include <stdio.h>
    #include <stdlib.h>
    #include "fragment.h"
    static int round_;
    PREPARE(round) {{ round_ = round; }}
    EXECUTE {{ if (round_ == 20) {{ {body} }} }}
    """
    with opened(tmp_path, text) as target:
        case = target.cases()[0]
        with refused("host-fragment-failed", naming=named):
            target.run_series(case, None, 21 * len(PLAN), empty=False)
        assert len(target.run_series(case, None, 18, empty=False).samples) == 18


def test_a_fragment_that_never_returns_is_given_up(tmp_path: Path) -> None:
    text = '#include "fragment.h"\nEXECUTE { for (;;) __asm volatile(""); }'
    with refused("fragment-does-not-end-on-host", naming=["0.3 s"]):
        opened(tmp_path, text, patience_s=0.3)


def test_a_fragment_that_returns_at_first_only_is_given_up_later(tmp_path: Path) -> None:
    text = """
    #include "fragment.h"
    static int round_;
    PREPARE(round) { round_ = round; }
    EXECUTE { while (round_ == 3) __asm volatile(""); }
    """
    with (
        opened(tmp_path, text, patience_s=0.3) as target,
        refused("fragment-does-not-end-on-host", naming=["0.3 s"]),
    ):
        target.run_series(target.cases()[0], None, 4 * len(PLAN), empty=False)


def test_a_wrong_choice_is_one_sentence(folder: Path) -> None:
    source = FragmentSource(folder / "fragment.c", (("line", PLAN),))
    for selection, code in (
        (Selection("host", "freertos"), "host-has-no-such-kernel"),
        (
            Selection("host", "posix", fragment=source),
            "host-fragment-needs-no-kernel",
        ),
        (
            Selection("host", "posix", options=(("assertions", 1),)),
            "host-kernel-as-it-is",
        ),
        (
            Selection("host", "bare", settings={"timer": "timer1"}, fragment=source),
            "host-has-no-such-timer",
        ),
        (
            Selection("host", "bare", settings={"mam": 0}, fragment=source),
            "host-has-no-such-conditions",
        ),
    ):
        with refused(code):
            open_target(selection)
