"""The heap: priced by what newlib-nano's free list looks like (runtime/heap_model.h)."""

from collections.abc import Sequence

from cyclescope.studies.estimate.calls.groups.memory import clear, copy
from cyclescope.studies.estimate.calls.recorded import Charge, RecordedCall, Rule

KINDS = 8
FOUND = ("malloc.first_ever", "malloc.grows_heap", "malloc.fits_exactly", "malloc.splits")
EXHAUSTED = 4
FREED = (
    *("free.null", "free.first", "free.before_free_blocks", "free.joins_next"),
    *("free.behind_free_blocks", "free.joins_previous", "free.joins_both", "free.joins_next"),
)
BEHIND, JOINS_PREVIOUS, JOINS_BOTH, BEHIND_JOINS_NEXT = 4, 5, 6, 7
RESIZED_SHIFT = 20
LEAST = 8
"""The least size of which there are laws."""


def taken(condition: int, size: int) -> list[Charge]:
    """A block that is allocated in this condition."""
    passed, kind = divmod(condition, KINDS)
    if kind == EXHAUSTED:
        return [Charge("malloc.exhausted")]
    found = [Charge(FOUND[kind], min(max(size, LEAST), 1024))]
    walk = "malloc.behind_small_blocks"
    if passed:
        found += [Charge(walk, passed), Charge("malloc.fits_exactly", 64, -1.0)]
    return found


def freed(condition: int) -> list[Charge]:
    """A block that is freed in this condition."""
    passed, kind = divmod(condition, KINDS)
    walk = "free.behind_free_blocks"
    if kind == BEHIND:
        return [Charge(walk, passed)]
    found = [Charge(FREED[kind])]
    if kind in (JOINS_PREVIOUS, JOINS_BOTH) and passed > 1:
        found += [Charge(walk, passed), Charge(walk, 1, -1.0)]
    if kind == BEHIND_JOINS_NEXT:
        found += [Charge(walk, passed), Charge("free.before_free_blocks", weight=-1.0)]
    return found


def _taken(call: RecordedCall) -> Sequence[Charge]:
    return taken(call["taken"], call["n0"])


def _cleared(call: RecordedCall) -> Sequence[Charge]:
    """The law of calloc() without its malloc() and memset(), and those of this call."""
    size = call["n0*n1"]
    return [
        *taken(call["cleared"], size),
        *clear(size, True),
        Charge("calloc.fits_exactly", 16),
        Charge("malloc.fits_exactly", 128, -1.0),
        Charge("memset.aligned", 128, -1.0),
    ]


def _doubled(call: RecordedCall) -> Sequence[Charge]:
    """strdup(): the length, a block of so many letters and a zero, and their copy."""
    letters = call["s0"]
    case = "strlen.aligned" if call.is_aligned(0) else "strlen.unaligned"
    block = taken(call["doubled"], letters + 1)
    return [Charge(case, letters), *block, *copy(letters + 1, call.is_aligned(0))]


def _freed(call: RecordedCall) -> Sequence[Charge]:
    return freed(call["freed"])


def _resized(call: RecordedCall) -> Sequence[Charge]:
    size, condition = call["n1"], call["resized"]
    if condition == -1:
        return [Charge("realloc.same_size", min(max(size, LEAST), 1024))]
    new, old = divmod(condition, 1 << RESIZED_SHIFT)
    if size == 0:
        return freed(condition)
    if not old:
        return [
            *taken(new, size),
            Charge("realloc.of_null", 64),
            Charge("malloc.fits_exactly", 64, -1.0),
        ]
    # The law of realloc() without its parts, and those of this call.
    return [
        *taken(new, size),
        *copy(size, True),
        *freed(old),
        Charge("realloc.moves", 64),
        Charge("malloc.grows_heap", 128, -1.0),
        Charge("memcpy.aligned", 128, -1.0),
        Charge("free.first", weight=-1.0),
    ]


RULES: dict[str, Rule] = {
    "malloc": _taken,
    "calloc": _cleared,
    "strdup": _doubled,
    "free": _freed,
    "realloc": _resized,
}
