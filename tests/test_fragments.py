"""Fragments on virtual boards: what the target measures against what the board's clock saw."""

from functools import cache
from itertools import accumulate
from pathlib import Path

import pytest
from choices import selected
from refusals import refused

from cyclescope.firmware.fragment.plan import Plan, Point
from cyclescope.firmware.fragment.source import FragmentSource, sequence
from cyclescope.target.target import Selection, Target
from cyclescope.targets import open_target

SOURCE = """
#include "fragment.h"
static volatile int x;
static int state;
INITIALISE { state = 5; }
PREPARE(round) { x = (int)round; }
EXECUTE { for (int i = 0; i < state; i++) x = x + i; }
"""
LINE = tuple(Point(n) for n in range(9))
INITIALISED = (Point(1, 3), Point(2, 2), Point(3, 7), Point(0, 2))
LOOPED = (Point(10, looped=True), Point(5, 10, looped=True))
PLANS: dict[str, Plan] = {"line": LINE, "initialised": INITIALISED, "looped": LOOPED}
LAB = {"board": "lpc2148-lab", "code": "lab"}
PLACES = [
    {},
    {"isa": "thumb"},
    {"mam": 0},
    {"mam": 1, "clock": 24, "isa": "thumb"},
    {"code": "sram"},
    {"code": "sram", "isa": "thumb", "timer": "pin"},
    LAB,
    {"timer": "timer1"},
    {"timer": "pin"},
    {"board": "at91x40", "code": "internal"},
    {"board": "at91x40", "code": "internal", "isa": "thumb", "timer": "pin"},
]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> FragmentSource:
    file = tmp_path_factory.mktemp("fragment") / "sum.c"
    file.write_text(SOURCE)
    return FragmentSource(file, tuple(PLANS.items()))


@cache
def opened(source: FragmentSource, choices: tuple[tuple[str, object], ...]) -> Target:
    choice = {"board": "lpc2148", "kernel": "bare", **dict(choices)}
    return open_target(selected({**choice, "fragment": source}))


@pytest.mark.parametrize("choice", PLACES, ids=str)
def test_raw_times_are_the_truth_and_its_copies_are_all_there(
    source: FragmentSource, choice: dict[str, object]
) -> None:
    target = opened(source, tuple(choice.items()))
    for case in target.cases():
        plan = PLANS[case.name.removeprefix("fragment.")]
        series, truths = target.witness_fragment(case, 3 * len(plan))
        for index, (sample, truth) in enumerate(zip(series.samples, truths, strict=True)):
            point = plan[index % len(plan)]
            assert sample.stop - sample.start == truth.total_cycles
            assert len(truth.executions) == point.executions
            assert len(truth.initialisations) == point.initialisations
            copies = sum(truth.executions) + sum(truth.initialisations)
            assert point.looped or 2 <= truth.total_cycles - copies <= 12


def test_where_fetches_cost_the_same_everywhere_the_line_is_exact(source: FragmentSource) -> None:
    for choice in ({"mam": 0}, {"code": "sram"}, LAB, {"board": "at91x40", "isa": "thumb"}):
        target = opened(source, tuple(choice.items()))
        case = target.cases()[0]
        _, truths = target.witness_fragment(case, len(LINE))
        (one,) = {time for truth in truths for time in truth.executions}
        totals = [truth.total_cycles for truth in truths]
        assert totals == list(accumulate([totals[0], *[one] * 8]))


def test_all_three_clocks_see_the_same_copies(source: FragmentSource) -> None:
    seen = []
    for timer in ("measurement", "timer1", "pin"):
        target = opened(source, (("timer", timer),))
        _, truths = target.witness_fragment(target.cases()[0], len(LINE))
        seen.append([truth.executions for truth in truths])
    assert seen[0] == seen[1] == seen[2]


def test_watching_a_plan_changes_nothing(source: FragmentSource) -> None:
    target = opened(source, ())
    for case in target.cases():
        plain, watched = [
            [sample.stop - sample.start for sample in series.samples]
            for series in (
                target.run_series(case, None, 20, empty=False),
                target.witness_fragment(case, 20)[0],
            )
        ]
        assert plain == watched


def test_a_trace_tells_what_executed_between_the_probes(source: FragmentSource) -> None:
    target = opened(source, (("isa", "thumb"),))
    symbols = target.program().symbols
    names = {symbols[f"fragment_{name}"] & ~1: name for name in ("execute", "initialise")}
    case = target.cases()[1]
    _, traces = target.trace_fragment(case, 8, list(names))
    for index, trace in enumerate(traces):
        expected = ["initialise" if one else "execute" for one in sequence(INITIALISED[index % 4])]
        assert [names[address] for _, address in trace] == expected


def test_the_empty_call_of_a_plan_is_the_point_without_copies(source: FragmentSource) -> None:
    target = opened(source, ())
    _, truths = target.witness_fragment(target.cases()[0], 1)
    empty = target.run_series(target.cases()[0], None, 5, empty=True)
    assert {s.stop - s.start for s in empty.samples} == {truths[0].total_cycles}


def test_an_analyser_rounds_every_edge_up_to_its_next_sample(source: FragmentSource) -> None:
    exact = opened(source, (("timer", "pin"),))
    coarse = opened(source, (("timer", "pin"), ("analyser_hz", 24_000_000)))
    assert coarse.conditions().timer_hz == 24_000_000
    case = exact.cases()[1]
    _, truths = exact.witness_fragment(case, 8)
    rounded = coarse.run_series(case, None, 8, empty=False)
    for sample, truth in zip(rounded.samples, truths, strict=True):
        assert abs((sample.stop - sample.start) * 2.5 - truth.total_cycles) < 2.5


def test_an_analyser_that_is_too_slow_says_so(source: FragmentSource) -> None:
    slow = opened(source, (("timer", "pin"), ("analyser_hz", 1_000_000)))
    with refused("analyser-too-slow"):
        slow.run_series(slow.cases()[0], None, 9, empty=False)


def test_what_makes_no_sense_together_is_one_sentence(source: FragmentSource) -> None:
    with refused("fragment-needs-kernel-bare"):
        open_target(Selection("lpc2148", "freertos", fragment=source))
    with refused("analyser-needs-timer-pin"):
        open_target(Selection("lpc2148", "bare", fragment=source, analyser_hz=1))


def test_the_same_source_in_another_folder_makes_the_same_image(
    source: FragmentSource, tmp_path: Path
) -> None:
    file = tmp_path / "sum.c"
    file.write_text(SOURCE)
    there = open_target(
        Selection("lpc2148", "bare", fragment=FragmentSource(file, source.plans))
    ).conditions()
    assert there == opened(source, ()).conditions()
    assert there.fragment is not None and there.fragment.file == "sum.c"
