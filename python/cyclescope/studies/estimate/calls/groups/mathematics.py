"""Functions of math.h: newlib goes another way for arguments of another magnitude.

The magnitude of an argument is the number of bounds (runtime/counting.c) that it reaches, less
than zero for negative arguments.
"""

from collections.abc import Sequence

from cyclescope.studies.estimate.calls.recorded import Charge, RecordedCall, Rule

TINY, SMALL, ONE, OVERFLOW = 1, 2, 4, 7
"""Below 2^-27, 0.5·ln 2, 1.5·ln 2; from 708 on."""
QUARTER, HALF, TURNS = 3, 5, 8
"""Below π/4, 3π/4, and 2^19·π/2."""
TWO = 20
"""Exactly two."""


def _fixed(case: str) -> Rule:
    def charge(call: RecordedCall) -> Sequence[Charge]:
        return [Charge(case)]

    return charge


def _exponential(call: RecordedCall) -> Sequence[Charge]:
    magnitude = call["m0"]
    size = abs(magnitude)
    if size <= TINY:
        return [Charge("exp.tiny")]
    if size <= SMALL:
        return [Charge("exp.small")]
    if size <= ONE:
        return [Charge("exp.one")]
    return [Charge("exp.underflow" if size > OVERFLOW and size != TWO else "exp.two")]


def _circular(function: str) -> Rule:
    def charge(call: RecordedCall) -> Sequence[Charge]:
        size = abs(call["m0"])
        if size <= QUARTER:
            return [Charge(f"{function}.small")]
        if size <= HALF or size == TWO:
            return [Charge(f"{function}.quarter_turn")]
        return [Charge(f"{function}.turns" if size <= TURNS else f"{function}.many_turns")]

    return charge


def _power(call: RecordedCall) -> Sequence[Charge]:
    return [Charge("pow.square" if call["m1"] == TWO else "pow.fraction")]


def _remainder(call: RecordedCall) -> Sequence[Charge]:
    """How far apart the exponents are is not recorded."""
    return [Charge("fmod.powers_apart", 0, fallback="fmod() of numbers of one magnitude")]


FIXED = {
    **{name: "fraction" for name in ("floor", "ceil", "round", "trunc", "lrint", "modf")},
    **{name: "fraction" for name in ("floorf", "powf")},
    **{name: "two" for name in ("sqrt", "cbrt", "sqrtf", "expf")},
    **{name: "three" for name in ("log", "log10", "logf")},
    **{name: "half" for name in ("asin", "acos", "atan", "sinh", "ldexp")},
    **{name: "small" for name in ("sinf", "cosf")},
    **{name: "first_quadrant" for name in ("atan2", "atan2f")},
    **{"hypot": "three_four", "frexp": "ten", "fmodf": "whole"},
}
RULES: dict[str, Rule] = {
    **{name: _fixed(f"{name}.{condition}") for name, condition in FIXED.items()},
    **{name: _circular(name) for name in ("sin", "cos", "tan")},
    "exp": _exponential,
    "pow": _power,
    "fmod": _remainder,
}
