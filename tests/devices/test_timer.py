"""The timers, to the cycle (docs/timing/timer_lpc2000.md).

The timer starts at the write of TCR, which completes at a PCLK edge; it counts from the next on.
"""

import pytest
from part import Part

PROGRAM = "timer.c"
TCR, TC, IR = 0xE000_4004, 0xE000_4008, 0xE000_4000
INTERRUPT, MATCH, CAPTURE = "timer0.interrupt", "timer0.match0", "timer0.capture0"
# VPBDIV and the core cycles per PCLK that it means.
DIVIDERS = ((1, 1), (2, 2), (0, 4))
ON_INTERRUPT, ON_RESET, ON_STOP = 1, 2, 4
TOGGLE = 3 << 4
RISING, FALLING, CAPTURE_INTERRUPT = 1, 2, 4

divided = pytest.mark.parametrize(("vpbdiv", "divider"), DIVIDERS)
prescaled = pytest.mark.parametrize("pr", (0, 1, 2, 9))


def started(
    part: Part, scenario: str, vpbdiv: int, pr: int, mr: int = 0, mcr: int = 0, **others: int
) -> int:
    """Starts `scenario` and runs it until the timer runs; the cycle of the write of TCR."""
    rest = [others.get(name, 0) for name in ("emr", "ccr", "ctcr")]
    part.start(
        scenario, vpbdiv, pr, mr, mcr, *rest, 0, accessed=[TCR, TC, IR], signals=[INTERRUPT, MATCH]
    )
    while not (writes := part.writes(TCR)):
        part.run_to(part.board.cycle + 1)
    return writes[0]


@divided
@prescaled
def test_tc_counts_every_pr_plus_1_pclk_from_the_start(
    part: Part, vpbdiv: int, divider: int, pr: int
) -> None:
    start = started(part, "count", vpbdiv, pr)
    part.finish()
    reads = part.reads(TC)
    assert len(reads) == 20
    for cycle, value in reads:
        assert value == (cycle - start) // divider // (pr + 1)


@divided
@prescaled
@pytest.mark.parametrize("mr", (1, 6, 499))
def test_a_match_interrupts_one_pclk_after_tc_came_to_it(
    part: Part, vpbdiv: int, divider: int, pr: int, mr: int
) -> None:
    start = started(part, "run", vpbdiv, pr, mr, ON_INTERRUPT)
    match = start + (mr * (pr + 1) + 1) * divider
    part.run_to(match + 2000)
    assert part.edges(INTERRUPT, 1) == [match]


@divided
@prescaled
@pytest.mark.parametrize("mr", (0, 6, 99))
def test_a_timer_that_resets_on_match_has_a_period_of_mr_plus_1_times_pr_plus_1_pclk(
    part: Part, vpbdiv: int, divider: int, pr: int, mr: int
) -> None:
    start = started(part, "run", vpbdiv, pr, mr, ON_RESET, emr=TOGGLE)
    first = start + (mr * (pr + 1) + 1) * divider
    period = (mr + 1) * (pr + 1) * divider
    part.run_to(first + 5 * period)
    # The match output moves at each match, as an interrupt does.
    assert part.edges(MATCH)[:5] == [first + n * period for n in range(5)]


@divided
def test_an_interrupt_that_its_handler_clears_comes_every_period(
    part: Part, vpbdiv: int, divider: int
) -> None:
    start = started(part, "serve", vpbdiv, 0, 499, ON_INTERRUPT | ON_RESET)
    part.run_to(start + 10_500)
    # PR is 0: one PCLK after TC came to MR is the end of the count, a whole period.
    rises = part.edges(INTERRUPT, 1)
    period = 500 * divider
    assert len(rises) == 10_500 // period
    assert rises == [start + (n + 1) * period for n in range(len(rises))]
    # The line falls with the write that clears it, and only then.
    assert part.edges(INTERRUPT, 0) == part.writes(IR)[: len(rises)]
    assert part.board.unmodelled() == []


@divided
@prescaled
def test_a_stop_on_match_leaves_tc_at_the_match_and_pc_at_0(
    part: Part, vpbdiv: int, divider: int, pr: int
) -> None:
    start = started(part, "stop", vpbdiv, pr, 33, ON_INTERRUPT | ON_STOP)
    part.finish()
    assert part.edges(INTERRUPT, 1) == [start + (33 * (pr + 1) + 1) * divider]
    # TC, PC, IR: one PCLK after TC came to the match PC has not moved, whatever PR.
    assert part.values(3) == [33, 0, 1]


@divided
def test_a_stop_and_reset_on_match_leaves_tc_at_0(part: Part, vpbdiv: int, divider: int) -> None:
    start = started(part, "stop", vpbdiv, 2, 33, ON_RESET | ON_STOP, emr=TOGGLE)
    part.finish()
    assert part.edges(MATCH) == [start + (33 * 3 + 1) * divider]
    assert part.values(3) == [0, 0, 0]


@divided
@prescaled
@pytest.mark.parametrize("after", (400, 401, 402, 403))
@pytest.mark.parametrize(("edge", "level"), [(RISING, 1), (FALLING, 0)])
def test_a_capture_takes_tc_and_interrupts_at_the_pclk_edge_after_the_edge_of_its_input(
    part: Part, vpbdiv: int, divider: int, pr: int, after: int, edge: int, level: int
) -> None:
    start = started(part, "capture", vpbdiv, pr, ccr=edge | CAPTURE_INTERRUPT)
    moved = start + after
    part.board.drive(CAPTURE, 1 - level, start + 200)
    part.board.drive(CAPTURE, level, moved)
    part.finish()
    seen = (moved // divider + 1) * divider
    assert part.edges(INTERRUPT, 1) == [seen]
    assert part.values(1) == [(seen - start) // divider // (pr + 1)]


def test_a_pulse_between_two_pclk_edges_is_not_captured(part: Part) -> None:
    start = started(part, "edges", 0, 0, ccr=RISING | CAPTURE_INTERRUPT)
    edge = start + 400
    part.board.drive(CAPTURE, 1, edge + 1)
    part.board.drive(CAPTURE, 0, edge + 3)
    part.run_to(edge + 100)
    assert part.edges(INTERRUPT) == []
    # One that an edge falls into is.
    part.board.drive(CAPTURE, 1, edge + 403)
    part.board.drive(CAPTURE, 0, edge + 405)
    part.run_to(edge + 500)
    assert part.edges(INTERRUPT, 1) == [edge + 404]


@divided
@pytest.mark.parametrize(("mode", "counts"), [(1, 5), (2, 4), (3, 9)])
def test_a_counter_counts_rising_falling_or_both_edges(
    part: Part, vpbdiv: int, divider: int, mode: int, counts: int
) -> None:
    start = started(part, "edges", vpbdiv, 0, ctcr=mode)
    # Nine edges: up, down, up ... up.
    for n in range(9):
        part.board.drive(CAPTURE, 1 - n % 2, start + 200 + 40 * n)
    part.run_to(start + 1000)
    part.put("arguments", *7 * [0], 1)
    part.finish()
    assert part.values(1) == [counts]


@divided
def test_a_counter_matches_one_pclk_after_the_edge_that_brought_tc_there(
    part: Part, vpbdiv: int, divider: int
) -> None:
    start = started(part, "edges", vpbdiv, 0, 3, ON_INTERRUPT, ctcr=1)
    rises = [start + 200 + 80 * n for n in range(3)]
    for rise in rises:
        part.board.drive(CAPTURE, 1, rise)
        part.board.drive(CAPTURE, 0, rise + 40)
    part.run_to(start + 1000)
    seen = (rises[-1] // divider + 1) * divider
    assert part.edges(INTERRUPT, 1) == [seen + divider]
