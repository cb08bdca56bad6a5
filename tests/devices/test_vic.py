"""The interrupt controller from a request to its handler, to the cycle (docs/timing/vic_pl190.md).

A request at cycle c is taken at the first boundary b >= c + 2. The vector then executes at b + 3,
its read of VectAddr completes at b + 6, and the handler begins at b + 9.
"""

import pytest
from part import Part

PROGRAM = "vic.c"
SOFT_INT = 0xFFFF_F018
FIRST, SECOND, OTHER, FAST = "vic.line14", "vic.line15", "vic.line16", "vic.line17"
HANDLERS = ("first", "second", "other", "nesting", "fast_handler")
SYNCHRONISER = 2
READ_AFTER = 6
HANDLER_AFTER = 9
# FIQ: entry 3, then LDR of the PC from SRAM, 5 cycles.
FAST_HANDLER_AFTER = 3 + 5
TURN = 3


def waiting(part: Part, scenario: str = "wait") -> int:
    """Starts `scenario`, which waits for interrupts; returns a cycle that begins an iteration."""
    part.start(scenario, executed=[part.address(name) for name in HANDLERS])
    return part.reach("spinning")


def taken(turn: int, request: int) -> int:
    """The boundary at which a request is taken, given one boundary of the waiting loop."""
    return turn + -(-(request + SYNCHRONISER - turn) // TURN) * TURN


def ran(part: Part) -> list[str]:
    """The handlers in the order in which they ran."""
    names = {part.address(name): name for name in HANDLERS}
    return [names[address] for address in part.order()]


def begins(part: Part, handler: str) -> list[int]:
    """When a handler began."""
    return part.executed(part.address(handler))


def pulse(part: Part, line: str, start: int, end: int) -> None:
    """Raises a request from one cycle to another."""
    part.board.drive(line, 1, start)
    part.board.drive(line, 0, end)


@pytest.mark.parametrize("phase", range(TURN))
@pytest.mark.parametrize(("line", "handler"), [(FIRST, "first"), (SECOND, "second")])
def test_a_vectored_request_reaches_its_handler_nine_cycles_after_the_boundary_that_takes_it(
    part: Part, line: str, handler: str, phase: int
) -> None:
    turn = waiting(part)
    request = turn + 300 + phase
    boundary = taken(turn, request)
    pulse(part, line, request, boundary + HANDLER_AFTER + 1)
    part.run_to(request + 100)
    assert ran(part) == [handler]
    assert begins(part, handler) == [boundary + HANDLER_AFTER]


@pytest.mark.parametrize("phase", range(TURN))
def test_a_request_without_a_slot_reaches_the_default_handler_as_fast(
    part: Part, phase: int
) -> None:
    turn = waiting(part)
    request = turn + 300 + phase
    boundary = taken(turn, request)
    pulse(part, OTHER, request, boundary + HANDLER_AFTER + 1)
    part.run_to(request + 100)
    assert ran(part) == ["other"]
    assert begins(part, "other") == [boundary + HANDLER_AFTER]


@pytest.mark.parametrize("withdrawn", range(-1, 10))
def test_a_request_withdrawn_before_its_vector_is_read_is_spurious(
    part: Part, withdrawn: int
) -> None:
    turn = waiting(part)
    request = turn + 300
    boundary = taken(turn, request)
    pulse(part, FIRST, request, boundary + withdrawn)
    part.run_to(request + 100)
    if withdrawn <= 0:
        assert ran(part) == [], "withdrawn at the boundary: never taken"
    elif withdrawn <= READ_AFTER:
        assert ran(part) == ["other"], "taken, but gone when VectAddr is read"
    else:
        assert ran(part) == ["first"]


def test_a_spurious_interrupt_masks_nothing(part: Part) -> None:
    turn = waiting(part)
    part.board.watch(signals=["vic.irq"])
    request = turn + 300
    boundary = taken(turn, request)
    pulse(part, FIRST, request, boundary + 1)
    # After VectAddr was read, before it is written: handler 9, LDR 3, STR 1 + 2.
    written = boundary + HANDLER_AFTER + 6
    pulse(part, OTHER, boundary + READ_AFTER + 1, boundary + READ_AFTER + 2)
    part.run_to(written)
    assert part.edges("vic.irq", 1) == [request, boundary + READ_AFTER + 1]


def test_a_default_interrupt_in_service_masks_its_own_kind_until_its_end(part: Part) -> None:
    turn = waiting(part)
    part.board.watch(signals=["vic.irq"])
    request = turn + 300
    boundary = taken(turn, request)
    written = boundary + HANDLER_AFTER + 6
    part.board.drive(OTHER, 1, request)
    part.run_to(written + 1)
    assert part.edges("vic.irq", 1) == [request, written]
    assert part.edges("vic.irq", 0) == [boundary + READ_AFTER]


def test_of_requests_at_one_cycle_the_lowest_slot_comes_first_and_those_without_slot_last(
    part: Part,
) -> None:
    turn = waiting(part)
    request = turn + 300
    began = taken(turn, request) + HANDLER_AFTER
    # A handler takes 9 cycles; the next is taken at the boundary to which it returns.
    period = 9 + HANDLER_AFTER
    for place, line in enumerate((FIRST, SECOND, OTHER)):
        pulse(part, line, request, began + place * period + 1)
    part.run_to(request + 200)
    assert ran(part) == ["first", "second", "other"]
    assert part.executed() == [began, began + period, began + 2 * period]


def test_a_higher_slot_interrupts_a_handler_and_lower_ones_wait_for_its_end(part: Part) -> None:
    turn = waiting(part, "wait_nesting")
    began = taken(turn, turn + 300) + HANDLER_AFTER
    pulse(part, SECOND, turn + 300, began + 1)
    opened = part.reach("open")
    # Within the window an instruction begins in every cycle.
    request = opened + 20
    boundary = request + SYNCHRONISER
    pulse(part, FIRST, request, boundary + HANDLER_AFTER + 1)
    part.board.drive(SECOND, 1, opened + 10)
    part.board.drive(OTHER, 1, opened + 10)
    part.run_to(boundary + HANDLER_AFTER + 20)
    assert ran(part) == ["nesting", "first"], "its own slot and those below are masked"
    assert begins(part, "first") == [boundary + HANDLER_AFTER]
    part.board.drive(SECOND, 0)
    part.run_to(opened + 1000)
    assert ran(part)[:3] == ["nesting", "first", "other"]


@pytest.mark.parametrize("phase", range(TURN))
def test_a_fiq_reaches_its_handler_without_the_controller(part: Part, phase: int) -> None:
    turn = waiting(part)
    request = turn + 300 + phase
    boundary = taken(turn, request)
    pulse(part, FAST, request, boundary + 1)
    part.run_to(request + 100)
    assert ran(part) == ["fast_handler"]
    assert part.executed() == [boundary + FAST_HANDLER_AFTER]


def test_a_fiq_goes_before_an_irq_of_the_same_cycle(part: Part) -> None:
    turn = waiting(part)
    request = turn + 300
    boundary = taken(turn, request)
    pulse(part, FAST, request, boundary + 1)
    pulse(part, FIRST, request, boundary + 40)
    part.run_to(boundary + 30)
    # The FIQ handler is one return of 3 cycles; the IRQ is taken at the boundary behind it.
    returned = boundary + FAST_HANDLER_AFTER + 3
    assert ran(part) == ["fast_handler", "first"]
    assert part.executed() == [boundary + FAST_HANDLER_AFTER, returned + HANDLER_AFTER]


def test_software_requests_an_interrupt_at_the_cycle_at_which_its_write_completes(
    part: Part,
) -> None:
    part.start("request", executed=[part.address("first")], accessed=[SOFT_INT])
    part.board.run(pcs=[part.address("first")], cycles=100_000)
    (write,) = part.writes(SOFT_INT)
    assert part.board.cycle == write + SYNCHRONISER + HANDLER_AFTER


def test_timers_uarts_and_pll_are_sources_4_to_7_and_12(part: Part) -> None:
    part.start("sources")
    part.finish()
    assert part.values(6) == [0, 1 << 4, 3 << 4, 7 << 4, 15 << 4, 15 << 4 | 1 << 12]
