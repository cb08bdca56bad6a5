"""Numbers from text, small arithmetic, random numbers, jumps."""

from collections.abc import Sequence

from cyclescope.studies.estimate.calls.recorded import Charge, RecordedCall, Rule

HEXADECIMAL = 16


def _digits(case: str) -> Rule:
    def charge(call: RecordedCall) -> Sequence[Charge]:
        digits = call["numeral" if "numeral" in call.values else "numeral<n2"]
        if digits == 0 and case.startswith("strto"):
            return [Charge("strtol.no_digits")]
        if call["n2"] == HEXADECIMAL and call.callee in ("strtol", "strtoul"):
            return [Charge(f"{call.callee}.hexadecimal", digits)]
        return [Charge(case, max(digits, 1))]

    return charge


def _real(call: RecordedCall) -> Sequence[Charge]:
    """Digits before the point cost what they cost an integer; places have a law of their own."""
    whole, places = max(call["whole"], 1), call["places"]
    if call["power"]:
        return [Charge("strtod.exponent")]
    if not places:
        return [Charge("strtod.integer", whole)]
    more = [Charge("strtod.integer", whole), Charge("strtod.integer", 1, -1.0)]
    return [Charge("strtod.places", places), *(more if whole > 1 else [])]


def _fixed(case: str) -> Rule:
    def charge(call: RecordedCall) -> Sequence[Charge]:
        return [Charge(case)]

    return charge


RULES: dict[str, Rule] = {
    "strtol": _digits("strtol.decimal"),
    "strtoul": _digits("strtoul.decimal"),
    "strtoll": _digits("strtoll.decimal"),
    "strtoull": _digits("strtoll.decimal"),
    "atoi": _digits("atoi.decimal"),
    "atol": _digits("atoi.decimal"),
    "strtod": _real,
    "strtof": _real,
    "atof": _real,
    "div": _fixed("div.positive"),
    "ldiv": _fixed("ldiv.positive"),
    "rand": _fixed("rand.next"),
    "__errno_location": _fixed("errno.address"),
    "__errno": _fixed("errno.address"),
    "srand": _fixed("srand.seed"),
    "setjmp": _fixed("setjmp.first_return"),
    "_setjmp": _fixed("setjmp.first_return"),
    "longjmp": _fixed("longjmp.back"),
    "ferror": _fixed("ferror.none"),
}
