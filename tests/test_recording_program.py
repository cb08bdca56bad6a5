"""The program whose pin a user records, on the board: what its edges are, to the cycle."""

from itertools import pairwise
from pathlib import Path

import pytest

from cyclescope.firmware import boards
from cyclescope.firmware.build import build
from cyclescope.firmware.configuration import Configuration
from cyclescope.firmware.fragment.plan import Plan, Point
from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.targets.virtual.board import make_board, read_image

ROOT = Path(__file__).parent.parent
FRAGMENT = ROOT / "examples" / "fragments" / "hundred_cycles.c"
CALL_CYCLES, TOGGLE_CYCLES = 100, 8
LINE: Plan = tuple(Point(number) for number in range(1, 11))
PLANS = (("line", LINE), ("differential", (Point(1), Point(2))), ("direct", (Point(210),)))
MEASUREMENTS = (10, 12, 1)
EXPERIMENTS = 3
SECOND_CYCLES = 1_000_000


def image(seed: int = 1) -> Path:
    source = FragmentSource(FRAGMENT, PLANS, call="hundred_cycles()")
    return build(
        Configuration(
            board="atmega2560",
            kernel="bare",
            settings={"clock": 1, "timer": "pin"},
            fragment=source,
            workload="recording",
            parameters=(
                ("MEASUREMENTS", "_".join(map(str, MEASUREMENTS))),
                ("EXPERIMENTS", EXPERIMENTS),
                ("SEED", seed),
            ),
        )
    ).elf


def edges(elf: Path, cycles: int, *signals: str) -> list[tuple[int, str, int]]:
    """Returns the changes of the signals behind the first cycle."""
    board = make_board("atmega2560")
    board.load(read_image(elf))
    board.reset()
    board.watch([], [], signals)
    board.run(cycles=cycles)
    return [(cycle, signal, level) for cycle, signal, level in board.take_changes() if cycle > 0]


def pulses(seed: int = 1) -> list[tuple[int, int]]:
    """When the pin rises, and for how long it stays high."""
    pin = boards.firmware_of("atmega2560").pin
    assert pin is not None
    seen = [(cycle, level) for cycle, _, level in edges(image(seed), 600_000, pin)]
    first = next(index for index, (_, level) in enumerate(seen) if level)
    rises, falls = seen[first::2], seen[first + 1 :: 2]
    assert {level for _, level in rises} == {1} and {level for _, level in falls} == {0}
    return [(up, down - up) for (up, _), (down, _) in zip(rises, falls, strict=True)]


@pytest.fixture(scope="module")
def seen() -> list[tuple[int, int]]:
    return pulses()


def test_each_pulse_has_the_executions_of_its_point(seen: list[tuple[int, int]]) -> None:
    points = [
        plan[index % len(plan)].executions
        for (_, plan), count in zip(PLANS, MEASUREMENTS, strict=True)
        for index in range(count)
    ]
    widths = [CALL_CYCLES * executions + TOGGLE_CYCLES for executions in points]
    assert [width for _, width in seen] == widths * EXPERIMENTS


def test_rests_say_where_plans_and_experiments_begin(seen: list[tuple[int, int]]) -> None:
    rests = [later - at - width for (at, width), (later, _) in pairwise(seen)]
    per_experiment = sum(MEASUREMENTS)
    for index, rest in enumerate(rests, 1):
        if index % per_experiment == 0:
            assert rest > 6000
        elif index % per_experiment in (10, 22):
            assert 1300 < rest < 2300
        else:
            assert rest < 700


def test_the_time_between_measurements_is_drawn_by_the_seed(seen: list[tuple[int, int]]) -> None:
    others = pulses(seed=2)
    assert [width for _, width in others] == [width for _, width in seen]
    assert [at for at, _ in others] != [at for at, _ in seen]


def test_the_reference_is_a_second() -> None:
    found = edges(image(), 4 * SECOND_CYCLES, "ports.pb5")
    at = [cycle for cycle, _, _ in found][-3:]
    assert [later - earlier for earlier, later in pairwise(at)] == [SECOND_CYCLES] * 2
