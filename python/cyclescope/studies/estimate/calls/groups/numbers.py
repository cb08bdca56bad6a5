"""Numbers from text, small arithmetic, random numbers, jumps."""

from collections.abc import Sequence

from cyclescope.studies.estimate.calls.recorded import Charge, RecordedCall, Rule

MOST_DIGITS, MOST_PLACES = 9, 17
"""In the laws of whole numbers and of places."""
EXACT_POWER = 22
"""Beyond this power of ten, strtod() compares numbers of many words."""
MANTISSA = 2
"""Digits in the laws of powers."""
QUOTIENT = 8
"""Bits of the quotient in the law of div()."""


def _decimal(call: RecordedCall) -> Sequence[Charge]:
    return [Charge("atoi.decimal", max(call["numeral"], 1))]


def _wide_decimal(call: RecordedCall) -> Sequence[Charge]:
    return [Charge("strtoll.decimal", max(call["numeral"], 1))]


def _based(call: RecordedCall) -> Sequence[Charge]:
    """A base that is a power of two divides the greatest number faster, as 16 does."""
    digits, base, blanks = call["numeral<n2"], call["base"], call["blanks"]
    name = call.callee
    before = [Charge("strtol.blanks", blanks), Charge("strtol.blanks", 0, -1.0)] if blanks else []
    if digits == 0:
        return [Charge("strtol.no_digits" if name == "strtoul" else f"{name}.no_digits"), *before]
    case = "decimal" if base & (base - 1) else "hexadecimal"
    case = case if call["n2"] else "by_text"
    return [Charge(f"{name}.{case}", digits), *before]


def _real(call: RecordedCall) -> Sequence[Charge]:
    """All digits cost what places cost, and a power of ten by how large it is."""
    whole, places = max(call["whole"], 1), call["places"]
    found = []
    if call.callee == "strtof":
        found = [Charge("strtof.fraction"), Charge("strtod.fraction", weight=-1.0)]
    if call["power"]:
        power, digits = call["power"] - 1, min(whole + places, MOST_PLACES)
        case = "power" if power <= EXACT_POWER else "far"
        more = [Charge("strtod.places", digits), Charge("strtod.places", MANTISSA, -1.0)]
        return [Charge(f"strtod.{case}", power), *more, *found]
    if not places and whole <= MOST_DIGITS:
        return [Charge("strtod.integer", whole), *found]
    return [Charge("strtod.places", min(whole - 1 + places, MOST_PLACES)), *found]


def _divided(function: str) -> Rule:
    """The law is of a quotient of eight bits; another one takes what its division takes."""

    def charge(call: RecordedCall) -> Sequence[Charge]:
        bits, case = call["ratio"], f"{call.callee}.positive"
        whole = f"{function}.quotient"
        by = Charge(whole, bits) if 0 < bits <= 64 else Charge(f"{function}.smaller")
        return [Charge(case), by, Charge(whole, QUOTIENT, -1.0)]

    return charge


def _fixed(case: str) -> Rule:
    def charge(call: RecordedCall) -> Sequence[Charge]:
        return [Charge(case)]

    return charge


RULES: dict[str, Rule] = {
    **dict.fromkeys(("strtol", "strtoul", "strtoll", "strtoull"), _based),
    **dict.fromkeys(("atoi", "atol"), _decimal),
    "atoll": _wide_decimal,
    "strtod": _real,
    "strtof": _real,
    "atof": _real,
    **dict.fromkeys(("div", "ldiv"), _divided("__aeabi_idivmod")),
    "lldiv": _divided("__aeabi_ldivmod"),
    **dict.fromkeys(("rand", "random"), _fixed("rand.next")),
    "rand_r": _fixed("rand_r.next"),
    "__errno_location": _fixed("errno.address"),
    "__errno": _fixed("errno.address"),
    **dict.fromkeys(("srand", "srandom"), _fixed("srand.seed")),
    "setjmp": _fixed("setjmp.first_return"),
    "_setjmp": _fixed("setjmp.first_return"),
    "longjmp": _fixed("longjmp.back"),
    "ferror": _fixed("ferror.none"),
}
