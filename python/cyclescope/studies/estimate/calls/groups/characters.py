"""Characters: newlib's <ctype.h> has macros, which are the program's own code."""

from collections.abc import Sequence

from cyclescope.studies.estimate.calls.recorded import Charge, RecordedCall, Rule

MACROS = (
    *("isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint"),
    *("ispunct", "isspace", "isupper", "isxdigit", "isascii", "toascii", "tolower", "toupper"),
    *("abs", "labs", "llabs", "fabs", "fabsf"),
)
"""With those that gcc knows as instructions."""
ENDS = ("exit", "_exit", "_Exit", "abort", "assert", "__assert_fail")
"""The time of a program is counted up to them."""


def _nothing(call: RecordedCall) -> Sequence[Charge]:
    return []


RULES: dict[str, Rule] = dict.fromkeys((*MACROS, *ENDS), _nothing)
