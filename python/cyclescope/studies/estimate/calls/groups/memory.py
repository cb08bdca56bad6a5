"""Blocks of memory: priced by size and by whether they begin at a word.

Where gcc copies a block of constant size by instructions, or makes them of alloca(), the call costs
nothing here. They are the program's own code.
"""

from collections.abc import Sequence

from cyclescope.studies.estimate.calls.recorded import WORD, Charge, RecordedCall, Rule

SHORT = 16
"""From this size on the alignment decides; below, newlib-nano goes byte by byte."""
INLINE_ARM, INLINE_THUMB = 64, 48
"""Blocks of constant size up to these, from word to word, are copied by instructions."""

UPWARD = "memmove.up_aligned"
"""To a place behind the beginning of the block, newlib-nano goes byte by byte from its end."""


def _copied(call: RecordedCall) -> Sequence[Charge]:
    size = call["n2"]
    if 2 in call.literal and _is_inline(call):
        return []
    return copy(size, call.is_aligned(0, 1))


def _is_inline(call: RecordedCall) -> bool:
    """Whether gcc copies the block itself: it knows the size, and that both begin at a word."""
    most = INLINE_ARM if call.isa == "arm" and call.level != "Os" else INLINE_THUMB
    known = call.callee == "memcpy" and {0, 1} <= set(call.arrays)
    return call["n2"] == 0 or (known and call["n2"] <= most)


def copy(size: int, aligned: bool) -> Sequence[Charge]:
    """A copy by memcpy()."""
    if size == 0:
        return [Charge("memcpy.short", 0)]
    if size < SHORT:
        return [Charge("memcpy.short", size)]
    return [Charge("memcpy.aligned" if aligned else "memcpy.unaligned", size)]


def _moved(call: RecordedCall) -> Sequence[Charge]:
    return moved(call["n2"], call.is_aligned(0, 1), bool(call["upward"]))


def moved(size: int, aligned: bool, upward: bool) -> Sequence[Charge]:
    """A move by memmove(); upward to a place behind the beginning of the block."""
    if size < SHORT:
        return [Charge("memmove.short_up" if upward else "memmove.short_down", size)]
    if upward:
        return [Charge(UPWARD, size)]
    return [Charge("memmove.down_aligned" if aligned else "memmove.down_unaligned", size)]


def _set(call: RecordedCall) -> Sequence[Charge]:
    return clear(call["n2"], call.is_aligned(0))


def clear(size: int, aligned: bool) -> Sequence[Charge]:
    """A block that memset() fills."""
    if size < SHORT:
        return [Charge("memset.short", size)]
    return [Charge("memset.aligned" if aligned else "memset.unaligned", size)]


def _compared(call: RecordedCall) -> Sequence[Charge]:
    common, size = call["common<n2"], call["n2"]
    if common == 0 and size:
        return [Charge("memcmp.differ_at_once")]
    case = equal(size, call.is_aligned(0, 1)).case
    if common == size:
        return [Charge(case, common)]
    return [Charge(case, common), Charge("memcmp.differ_at_once"), Charge(case, 0, -1.0)]


def equal(size: int, aligned: bool, weight: float = 1.0) -> Charge:
    """A comparison of blocks that are equal."""
    if size < SHORT:
        case = "memcmp.short" if aligned and size >= WORD else "memcmp.short_beside"
        return Charge(case, size, weight)
    return Charge("memcmp.equal_aligned" if aligned else "memcmp.equal_unaligned", size, weight)


def _searched(call: RecordedCall) -> Sequence[Charge]:
    size, aligned = min(call["found<n2"] + 1, call["n2"]), call.is_aligned(0)
    if size < SHORT:
        return [Charge("memchr.short" if aligned else "memchr.short_beside", max(size, 1))]
    return [Charge("memchr.last_aligned" if aligned else "memchr.last_unaligned", size)]


def _from_stack(_: RecordedCall) -> Sequence[Charge]:
    """gcc makes instructions of alloca(): a library has no such function."""
    return []


RULES: dict[str, Rule] = {
    "alloca": _from_stack,
    "memcpy": _copied,
    "memmove": _moved,
    "memset": _set,
    "memcmp": _compared,
    "memchr": _searched,
}
