"""Times: priced by their year, and formats of strftime() by what they have."""

from collections.abc import Sequence

from cyclescope.studies.estimate.calls.recorded import Charge, RecordedCall, Rule

LAST = 60
"""Years since 1970 in the laws."""
PARTS = {
    "numerals": "two_digits",
    "years": "year",
    "names": "day_name",
    "weeks": "week",
    "days": "day_of_year",
}
"""Values of a format, and the case that has one of each."""


def _years(case: str, value: str) -> Rule:
    def charge(call: RecordedCall) -> Sequence[Charge]:
        return [Charge(case, min(max(call[value], 0), LAST))]

    return charge


def _text(_: RecordedCall) -> Sequence[Charge]:
    return [Charge("asctime_r.moment")]


def _text_of_seconds(call: RecordedCall) -> Sequence[Charge]:
    return [*_years("localtime.march", "moment")(call), *_text(call)]


def _difference(_: RecordedCall) -> Sequence[Charge]:
    return [Charge("difftime.hour")]


def _formatted(call: RecordedCall) -> Sequence[Charge]:
    """Letters, and each conversion as in a format that has it alone."""
    found = [Charge("strftime.letters", call["spelled"])]
    for value, case in PARTS.items():
        if times := call[value]:
            one = f"strftime.{case}"
            found += [Charge(one, weight=times), Charge("strftime.letters", 0, -times)]
    return found


RULES: dict[str, Rule] = {
    **{name: _years("gmtime.march", "year") for name in ("gmtime", "gmtime_r")},
    **{name: _years("localtime.march", "year") for name in ("localtime", "localtime_r")},
    "mktime": _years("mktime.march", "reckoned"),
    "asctime": _text,
    "asctime_r": _text,
    "ctime": _text_of_seconds,
    "difftime": _difference,
    "strftime": _formatted,
}
