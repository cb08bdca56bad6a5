"""Blocks of memory: priced by size and by whether they begin at a word."""

from collections.abc import Sequence

from cyclescope.studies.estimate.calls.recorded import Charge, RecordedCall, Rule

SHORT = 16
"""From this size on the alignment decides; below, newlib-nano goes byte by byte."""


def _copied(call: RecordedCall) -> Sequence[Charge]:
    size = call["n2"]
    if size < SHORT:
        return [Charge("memcpy.short", size)]
    aligned = call["a0"] % 4 == call["a1"] % 4 == 0
    return [Charge("memcpy.aligned" if aligned else "memcpy.unaligned", size)]


def _moved(call: RecordedCall) -> Sequence[Charge]:
    aligned = call["a0"] % 4 == call["a1"] % 4 == 0
    return [Charge("memmove.down_aligned" if aligned else "memmove.down_unaligned", call["n2"])]


def _set(call: RecordedCall) -> Sequence[Charge]:
    size = call["n2"]
    if size < SHORT:
        return [Charge("memset.short", size)]
    return [Charge("memset.unaligned" if call["a0"] % 4 else "memset.aligned", size)]


def _compared(call: RecordedCall) -> Sequence[Charge]:
    if call["common<n2"] == 0 and call["n2"]:
        return [Charge("memcmp.differ_at_once")]
    aligned = call["a0"] % 4 == call["a1"] % 4 == 0
    case = "memcmp.equal_aligned" if aligned else "memcmp.equal_unaligned"
    return [Charge(case, call["common<n2"])]


def _searched(call: RecordedCall) -> Sequence[Charge]:
    case = "memchr.last_unaligned" if call["a0"] % 4 else "memchr.last_aligned"
    return [Charge(case, call["found<n2"] + 1)]


RULES: dict[str, Rule] = {
    "memcpy": _copied,
    "memmove": _moved,
    "memset": _set,
    "memcmp": _compared,
    "memchr": _searched,
}
