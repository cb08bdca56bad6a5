"""The example fragments in every kind of build against the truth; `make truth` sees all."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from choices import selected

from cyclescope.firmware.fragment.plan import Plan, Point
from cyclescope.firmware.fragment.source import FragmentSource, case_name
from cyclescope.targets import open_target

EXAMPLES = Path(__file__).parent.parent / "examples" / "fragments"
LINE: Plan = (*map(Point, range(10)), Point(20, looped=True))
INITIALISED: Plan = tuple(Point(n, m) for n in range(1, 6) for m in (n, 3 * n))
SOURCES = {
    "sum_of_squares": FragmentSource(
        EXAMPLES / "sum_of_squares.c", (("line", LINE),), "sum_of_squares(values, 8)"
    ),
    "insertion_sort": FragmentSource(
        EXAMPLES / "insertion_sort.c", (("line", LINE), ("initialised", INITIALISED))
    ),
    "delta_coder": FragmentSource(EXAMPLES / "delta_coder.c", (("line", LINE),)),
}
ROUNDS = 3
PLACES: list[dict[str, Any]] = [
    {},
    {"mam": 0},
    {"mam": 1},
    {"mamtim": 1},
    {"mamtim": 7},
    {"clock": 24, "vpbdiv": 2},
    {"clock": 12, "vpbdiv": 4},
    {"code": "sram"},
    {"board": "lpc2148-lab", "code": "lab"},
]
AT91 = [{"board": "at91x40", "code": code} for code in ("rom", "ram", "internal")]
EVERY_DAY = [
    ({}, "thumb", "timer1"),
    ({"mam": 1}, "arm", "pin"),
    ({"vpbdiv": 2}, "arm", "timer1"),
    (AT91[0], "thumb", "tc"),
]


def choices() -> list[Any]:
    """(place, isa, timer); those that not every test run sees are marked."""
    every = [
        *product(PLACES, ("arm", "thumb"), ("measurement", "timer1", "pin")),
        *product(AT91, ("arm", "thumb"), ("tc",)),
    ]
    return [pytest.param(*one, id=str(one)) for one in EVERY_DAY] + [
        pytest.param(*one, id=str(one), marks=pytest.mark.matrix)
        for one in every
        if one not in EVERY_DAY
    ]


@pytest.mark.parametrize("example", SOURCES)
@pytest.mark.parametrize(("place", "isa", "timer"), choices())
def test_what_is_measured_is_the_truth(
    place: dict[str, Any], isa: str, timer: str, example: str
) -> None:
    source = SOURCES[example]
    choice = {"board": "lpc2148", "kernel": "bare", "isa": isa, "timer": timer, **place}
    target = open_target(selected({**choice, "fragment": source}))
    divider = 2 if timer == "tc" else place.get("vpbdiv", 1) if timer == "timer1" else 1
    cases = {case.name: case for case in target.cases()}
    for name, plan in source.plans:
        series, truths = target.witness_fragment(cases[case_name(name)], ROUNDS * len(plan))
        for index, (sample, truth) in enumerate(zip(series.samples, truths, strict=True)):
            point = plan[index % len(plan)]
            # Both ends are rounded down to whole counts.
            assert abs((sample.stop - sample.start) * divider - truth.total_cycles) < divider
            assert len(truth.executions) == point.executions
            assert len(truth.initialisations) == point.initialisations
    assert target.findings().unmodelled == ()


@pytest.mark.parametrize(("code", "isa"), [("rom", "arm"), ("internal", "thumb")])
def test_measurements_longer_than_a_revolution_of_the_timer_are_the_truth(
    code: str, isa: str
) -> None:
    plan = tuple(Point(n, looped=True) for n in (20, 250, 600))
    source = FragmentSource(EXAMPLES / "insertion_sort.c", (("long", plan),))
    choice = {"board": "at91x40", "kernel": "bare", "code": code, "isa": isa, "timer": "tc"}
    target = open_target(selected({**choice, "fragment": source}))
    (case,) = (one for one in target.cases() if one.name == case_name("long"))
    series, truths = target.witness_fragment(case, 3 * len(plan))
    revolution_cycles = 2 << 16
    totals = [truth.total_cycles for truth in truths]
    assert min(totals) < revolution_cycles < max(totals)
    for sample, total in zip(series.samples, totals, strict=True):
        assert abs((sample.stop - sample.start) * 2 - total) < 2
