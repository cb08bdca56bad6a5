"""Functions of math.h: newlib goes another way for arguments of another magnitude.

The magnitude of an argument is the number of bounds (runtime/counting.c) that it reaches, less
than zero for negative arguments.
"""

from collections.abc import Sequence

from cyclescope.studies.estimate.calls.recorded import Charge, RecordedCall, Rule

TINY, SMALL, ONE, OVERFLOW = 1, 2, 8, 13
"""Below 2^-27, 0.5·ln 2, 1.5·ln 2; from 708 on."""
QUARTER, HALF_TURN, TURNS = 6, 10, 14
"""Below π/4, 3π/4, and 2^19·π/2."""
BELOW_HALF, BELOW_ONE = 4, 7
ARCS = ((3, "small"), (5, "half"), (9, "one"), (11, "two"))
"""newlib's arcus tangent: below 7/16, 11/16, 19/16 and 39/16."""
TWO = 20
"""Exactly two."""


def _fixed(case: str) -> Rule:
    def charge(call: RecordedCall) -> Sequence[Charge]:
        return [Charge(case)]

    return charge


def _as(callee: str, case: str) -> Rule:
    """A function without a law, of which another one is a measure."""

    def charge(call: RecordedCall) -> Sequence[Charge]:
        return [Charge(case, fallback=f"no law of {callee}: that of {case}")]

    return charge


def _size(call: RecordedCall) -> int:
    """How many bounds the argument reaches; two is between the last of the arcs."""
    size = abs(call["m0"])
    return ARCS[-1][0] - 1 if size == TWO else size


def _exponential(call: RecordedCall) -> Sequence[Charge]:
    size = _size(call)
    if size <= TINY and call.callee == "exp":
        return [Charge("exp.tiny")]
    if size <= SMALL:
        return [Charge(f"{call.callee}.small")]
    if size <= ONE:
        return [Charge(f"{call.callee}.one")]
    if size > OVERFLOW and call.callee == "exp":
        return [Charge("exp.underflow")]
    return [Charge(f"{call.callee}.two")]


def _circular(call: RecordedCall) -> Sequence[Charge]:
    size, function = _size(call), call.callee
    if size <= QUARTER:
        return [Charge(f"{function}.small")]
    if size <= HALF_TURN:
        return [Charge(f"{function}.quarter_turn")]
    many = size > TURNS and function == "sin"
    return [Charge(f"{function}.{'many_turns' if many else 'turns'}")]


def _arcus(call: RecordedCall) -> Sequence[Charge]:
    """Of sine and cosine: from 1/2 on they take a square root."""
    size = _size(call)
    return [Charge(f"{call.callee}.{'small' if size <= BELOW_HALF else 'half'}")]


def _arcus_tangent(call: RecordedCall) -> Sequence[Charge]:
    size = _size(call)
    case = next((name for most, name in ARCS if size <= most), "large")
    if call.callee == "atanf" and case == "two":
        case = "one"
    return [Charge(f"{call.callee}.{case}")]


def _hyperbolic(call: RecordedCall) -> Sequence[Charge]:
    return [Charge(f"{call.callee}.{'half' if _size(call) <= BELOW_ONE else 'two'}")]


def _power(call: RecordedCall) -> Sequence[Charge]:
    return [Charge("pow.square" if call["m1"] == TWO else "pow.fraction")]


def _remainder(call: RecordedCall) -> Sequence[Charge]:
    words = "" if call.callee == "fmod" else f"no law of {call.callee}: that of fmod"
    return [Charge("fmod.powers_apart", call["exponents"], fallback=words or None)]


def _binary_logarithm(call: RecordedCall) -> Sequence[Charge]:
    """newlib's header makes a quotient of it."""
    return [Charge("log.three"), Charge("__aeabi_ddiv.doubles")]


def _sign_copied(call: RecordedCall) -> Sequence[Charge]:
    """A call without optimisation alone."""
    if call.level != "O0":
        return []
    return [Charge("copysign.positive")]


FIXED = {
    **{
        name: "fraction"
        for name in ("floor", "ceil", "round", "trunc", "rint", "lrint", "lround", "modf")
    },
    **{
        f"{name}f": "fraction"
        for name in ("floor", "ceil", "round", "trunc", "rint", "lrint", "lround", "pow")
    },
    **{name: "two" for name in ("sqrt", "cbrt", "sqrtf")},
    **{name: "three" for name in ("log", "log10", "logf", "log2f", "log10f")},
    **{name: "half" for name in ("asinf", "acosf", "sinh", "cosh", "ldexp")},
    **{name: "half" for name in ("log1p", "expm1", "exp2")},
    **{name: "first_quadrant" for name in ("atan2", "atan2f")},
    **{name: "positive" for name in ("fmax", "fmin", "fmaxf", "fminf")},
    **{"hypot": "three_four", "hypotf": "three_four", "frexp": "ten", "fmodf": "whole"},
}
LIKE = {
    "nearbyint": "rint.fraction",
    "nearbyintf": "rintf.fraction",
    "llround": "lround.fraction",
    "llroundf": "lroundf.fraction",
    "llrint": "lrint.fraction",
    "llrintf": "lrintf.fraction",
    "fdim": "fmax.positive",
    "fdimf": "fmaxf.positive",
    "cbrtf": "sqrtf.two",
    "log1pf": "logf.three",
    **dict.fromkeys(("scalbn", "scalbln"), "ldexp.half"),
    **dict.fromkeys(("logb", "ilogb"), "frexp.ten"),
    **dict.fromkeys(("ldexpf", "scalbnf", "frexpf", "modff", "logbf", "ilogbf"), "floorf.fraction"),
    **dict.fromkeys(("asinh", "acosh", "atanh"), "log1p.half"),
    **dict.fromkeys(("erf", "erfc"), "exp.two"),
    **dict.fromkeys(("tgamma", "lgamma"), "pow.fraction"),
    **dict.fromkeys(("exp2f", "expm1f"), "expf.two"),
    **dict.fromkeys(("sinhf", "coshf"), "tanhf.half"),
}
"""Functions without a law, and the case that stands in for each."""
RULES: dict[str, Rule] = {
    **{name: _fixed(f"{name}.{condition}") for name, condition in FIXED.items()},
    **{name: _as(name, case) for name, case in LIKE.items()},
    **dict.fromkeys(("sin", "cos", "tan", "sinf", "cosf", "tanf"), _circular),
    **dict.fromkeys(("asin", "acos"), _arcus),
    **dict.fromkeys(("atan", "atanf"), _arcus_tangent),
    **dict.fromkeys(("tanh", "tanhf"), _hyperbolic),
    **dict.fromkeys(("exp", "expf"), _exponential),
    "pow": _power,
    "log2": _binary_logarithm,
    **dict.fromkeys(("copysign", "copysignf"), _sign_copied),
    **dict.fromkeys(("fmod", "remainder"), _remainder),
}
