"""The sums, shares and intervals of an estimate."""

from math import hypot

import pytest

from cyclescope.studies.estimate.estimated import (
    Amount,
    OwnPart,
    PricedCall,
    ProgramEstimate,
    Unpriced,
)

OWN = (OwnPart(0, "app.c", 3, 600.0, 6.0), OwnPart(1, "app.c", 5, 400.0, 4.0))


def call(
    callee: str, times: int, each: float, spread: float, fallback: str | None = None
) -> PricedCall:
    case = None if fallback else f"{callee}_case"
    low, high = each - spread, each + 2 * spread
    return PricedCall(0, 0, callee, case, 7, times, each, low, high, 0.5, fallback)


def test_cycles_are_those_of_the_program_and_of_its_calls() -> None:
    found = ProgramEstimate(
        "blocks", OWN, (call("malloc", 10, 50.0, 0.0), call("free", 5, 100.0, 0.0))
    )
    assert (found.cycles_without_calls, found.cycles_of_calls, found.cycles) == (1000, 1000, 2000)
    assert found.share_of_calls == 0.5
    assert found.energy_uj == pytest.approx(10.0 + 15 * 0.5)
    assert found.energy_of_calls_uj == pytest.approx(15 * 0.5)
    assert found.unpriced == ()


def test_a_law_errs_alike_in_all_its_calls_and_cases_err_apart() -> None:
    calls = (call("read", 10, 50.0, 1.0), call("read", 20, 60.0, 2.0), call("write", 1, 9.0, 40.0))
    found = ProgramEstimate("source", OWN, calls, own_low=0.9, own_high=1.2)
    assert found.interval == Amount(
        2709.0, 2709.0 - hypot(100.0, 10 + 40, 40.0), 2709.0 + hypot(200.0, 20 + 80, 80.0)
    )


def test_calls_without_a_law_are_listed_by_function_and_fallback() -> None:
    guess = "the mean of the other calls"
    calls = (
        *(call("write", 1, 9.0, 0.0), call("sin", 2, 100.0, 0.0, guess)),
        *(call("cos", 3, 100.0, 0.0, guess), call("sin", 5, 100.0, 0.0, guess)),
    )
    found = ProgramEstimate("source", OWN, calls)
    assert found.unpriced == (Unpriced("sin", guess, 7, 700.0), Unpriced("cos", guess, 3, 300.0))


def test_energy_is_unknown_if_that_of_a_part_is() -> None:
    assert ProgramEstimate("source", (*OWN, OwnPart(2, "app.c", 9, 1.0))).energy_uj is None
    assert ProgramEstimate("source", ()).share_of_calls == 0.0
