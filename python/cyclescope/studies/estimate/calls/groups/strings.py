"""Strings and searches in them: priced by length, and by alignment where the library looks at it.

Functions of literals that gcc folds cost nothing, or what it calls instead.
"""

from collections.abc import Sequence

from cyclescope.studies.estimate.calls.groups.memory import copy
from cyclescope.studies.estimate.calls.recorded import Charge, RecordedCall, Rule

MANY_LETTERS = 16


def _length(call: RecordedCall) -> Sequence[Charge]:
    if 0 in call.literal:
        return []
    return [Charge("strlen.aligned" if call.is_aligned(0) else "strlen.unaligned", call["r"])]


def _copied(call: RecordedCall) -> Sequence[Charge]:
    length, aligned = call["s1"], call.is_aligned(0, 1)
    if 1 in call.literal and call.level != "Os":
        return copy(length + 1, aligned)
    return [Charge("strcpy.aligned" if aligned else "strcpy.unaligned", length)]


def _padded(call: RecordedCall) -> Sequence[Charge]:
    return [Charge("strncpy.pads", call["s1<n2"])]


def _joined(call: RecordedCall) -> Sequence[Charge]:
    """One that ends where the string ends is as long as it is after the call."""
    added = call["s1"] if call.callee == "strcat" else call["s1<n2"]
    before = max(call["s0"] - added, 0)
    if call.callee == "strcat" and 1 in call.literal and call.level != "Os":
        aligned = (before + call["a0"]) % 4 == 0
        return [Charge("strlen.aligned", before), *copy(added + 1, aligned)]
    one = "strcpy.unaligned"
    case = f"{call.callee}.one_letter"
    return [Charge(case, before), Charge(one, added), Charge(one, 1, -1.0)]


def _compared(call: RecordedCall) -> Sequence[Charge]:
    common = call["common"]
    if not common:
        return [Charge("strcmp.differ_at_once")]
    case = "strcmp.equal_aligned" if call.is_aligned(0, 1) else "strcmp.equal_unaligned"
    return [Charge(case, common)]


def _begins(call: RecordedCall) -> Sequence[Charge]:
    return [Charge("strncmp.equal", call["common<n2"])]


def _collated(call: RecordedCall) -> Sequence[Charge]:
    return [Charge("strcoll.equal", call["common"])]


def _found(case: str) -> Rule:
    """A search that goes so far."""

    def charge(call: RecordedCall) -> Sequence[Charge]:
        return [Charge(case, call["found"])]

    return charge


def _spanned(case: str) -> Rule:
    def charge(call: RecordedCall) -> Sequence[Charge]:
        return [Charge(case, call["r"])]

    return charge


def _set_spanned(case: str) -> Rule:
    """Each letter of the set that is looked at besides the first costs what it costs strspn()."""

    def charge(call: RecordedCall) -> Sequence[Charge]:
        more, found = call["sought"], [Charge(case, call["r"])]
        share, set_of = more / MANY_LETTERS, "strspn.last_of_set"
        if more:
            found += [Charge(set_of, 1 + MANY_LETTERS, share), Charge(set_of, 1, -share)]
        return found

    return charge


def _in_string(call: RecordedCall) -> Sequence[Charge]:
    if call["s1"] <= 1:
        return [Charge("strstr.short_needle", call["found"])]
    return [Charge("strstr.near_misses", call["found"])]


RULES: dict[str, Rule] = {
    "strlen": _length,
    "strnlen": _spanned("strnlen.whole"),
    "strcpy": _copied,
    "stpcpy": _copied,
    "strncpy": _padded,
    "strcat": _joined,
    "strncat": _joined,
    "strcmp": _compared,
    "strncmp": _begins,
    "strcoll": _collated,
    "strchr": _found("strchr.last"),
    "index": _found("strchr.last"),
    "strrchr": _found("strrchr.last"),
    "rindex": _found("strrchr.last"),
    "strspn": _set_spanned("strspn.one_letter"),
    "strcspn": _set_spanned("strcspn.one_letter"),
    "strpbrk": _found("strpbrk.one_letter"),
    "strstr": _in_string,
}
