"""Functions of math.h: newlib goes another way for arguments of another magnitude.

The magnitude of an argument is the number of bounds (runtime/counting.c) that it reaches, less
than zero for negative arguments.
"""

from collections.abc import Sequence

from cyclescope.studies.estimate.calls.recorded import Charge, RecordedCall, Rule

TINY, SMALL, ONE, OVERFLOW = 1, 2, 8, 15
"""Below 2^-27, 0.5·ln 2, 1.5·ln 2; from 708 on."""
QUARTER, HALF_TURN, TURNS = 6, 10, 16
"""Below π/4, 3π/4, and 2^19·π/2."""
FLOAT_TURNS, FLAT = 13, 12
"""Below 2^7·π/2, and 22."""
BELOW_HALF, BELOW_ONE = 4, 7
ARCS = ((3, "small"), (5, "half"), (9, "one"), (11, "two"))
"""newlib's arcus tangent: below 7/16, 11/16, 19/16 and 39/16."""
POWERS = ("fraction", "one", "itself", "reciprocal", "square", "root")
"""By the kind of the exponent (`cyclescope_power`)."""
FRACTION, FRACTIONS = 3, ("small", "small", "whole", "fraction")
"""By the kind of the number (`cyclescope_fraction`)."""
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
    many = size > (FLOAT_TURNS if function.endswith("f") else TURNS)
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
    size, usual = _size(call), "two" if call.callee.startswith("tanh") else "half"
    case = "half" if size <= BELOW_ONE else usual if size <= FLAT else "large"
    return [Charge(f"{call.callee}.{case}")]


def _power(call: RecordedCall) -> Sequence[Charge]:
    return [Charge(f"{call.callee}.{POWERS[call['raised']]}")]


def _slope(call: RecordedCall) -> Sequence[Charge]:
    """The law has an arcus tangent of about a half; another one takes its own."""
    arcus = "atanf" if call.callee.endswith("f") else "atan"
    own = _arcus_tangent(RecordedCall(arcus, {"m0": call["slope"]}))
    return [Charge(f"{call.callee}.first_quadrant"), *own, Charge(f"{arcus}.half", weight=-1.0)]


def _remainder(call: RecordedCall) -> Sequence[Charge]:
    apart = call["exponents"]
    if apart < 0:
        return [Charge(f"{call.callee}.smaller")]
    return [Charge(f"{call.callee}.powers_apart", apart)]


def _logarithm(call: RecordedCall) -> Sequence[Charge]:
    return [Charge(f"{call.callee}.{'near_one' if call['near'] else 'three'}")]


def _binary_logarithm(call: RecordedCall) -> Sequence[Charge]:
    """newlib's header makes a quotient of it."""
    return [
        Charge(f"log.{'near_one' if call['near'] else 'three'}"),
        Charge("__aeabi_ddiv.doubles"),
    ]


def _rounded(name: str) -> Rule:
    """By whether there is a fraction, and a whole part."""

    def charge(call: RecordedCall) -> Sequence[Charge]:
        kind = call["fraction"]
        if kind == -FRACTION:
            return [Charge(f"{name}.negative")]
        return [Charge(f"{name}.{FRACTIONS[abs(kind)]}")]

    return charge


def _sign_copied(call: RecordedCall) -> Sequence[Charge]:
    """A call without optimisation alone."""
    if call.level != "O0":
        return []
    return [Charge("copysign.positive")]


FIXED = {
    **{name: "two" for name in ("sqrt", "cbrt", "sqrtf", "cbrtf")},
    **{name: "two" for name in ("asinh", "acosh", "asinhf", "acoshf", "tgamma", "lgamma")},
    **{name: "half" for name in ("ldexp", "scalbn", "ldexpf", "scalbnf", "atanh", "atanhf")},
    **{name: "half" for name in ("log1p", "expm1", "exp2", "log1pf", "expm1f", "exp2f")},
    **{name: "half" for name in ("erf", "erfc")},
    **{name: "positive" for name in ("fmax", "fmin", "fmaxf", "fminf", "fdim", "fdimf")},
    **{name: "positive" for name in ("remainder", "remainderf")},
    **{name: "three_four" for name in ("hypot", "hypotf")},
    **{name: "ten" for name in ("frexp", "frexpf", "logb", "ilogb")},
}
LIKE = {"scalbln": "scalbn.half", "logbf": "frexpf.ten", "ilogbf": "frexpf.ten"}
"""Functions without a law, and the case that stands in for each."""
ROUNDED = (
    *("floor", "ceil", "round", "trunc", "rint", "lrint", "lround", "nearbyint", "modf"),
    *("floorf", "ceilf", "roundf", "truncf", "rintf", "lrintf", "lroundf", "nearbyintf", "modff"),
)
LONGER = {"llround": "lround", "llroundf": "lroundf", "llrint": "lrint", "llrintf": "lrintf"}
"""Functions whose whole number has 64 bits, and those that stand in for them."""
RULES: dict[str, Rule] = {
    **{name: _fixed(f"{name}.{condition}") for name, condition in FIXED.items()},
    **{name: _as(name, case) for name, case in LIKE.items()},
    **dict.fromkeys(("sin", "cos", "tan", "sinf", "cosf", "tanf"), _circular),
    **dict.fromkeys(("asin", "acos", "asinf", "acosf"), _arcus),
    **dict.fromkeys(("atan", "atanf"), _arcus_tangent),
    **dict.fromkeys(("atan2", "atan2f"), _slope),
    **dict.fromkeys(("tanh", "tanhf", "sinh", "cosh", "sinhf", "coshf"), _hyperbolic),
    **dict.fromkeys(("exp", "expf"), _exponential),
    **dict.fromkeys(("pow", "powf"), _power),
    **dict.fromkeys(("log", "log10", "logf", "log10f", "log2f"), _logarithm),
    "log2": _binary_logarithm,
    **dict.fromkeys(("copysign", "copysignf"), _sign_copied),
    **dict.fromkeys(("fmod", "fmodf"), _remainder),
    **{name: _rounded(name) for name in ROUNDED},
    **{name: _rounded(of) for name, of in LONGER.items()},
}
