"""Strings and searches in them: priced by length, and by alignment where the library looks at it.

Functions of literals that gcc folds cost nothing, or what it calls instead.
"""

from collections.abc import Sequence
from dataclasses import replace

from cyclescope.studies.estimate.calls.groups.memory import SHORT, copy, equal
from cyclescope.studies.estimate.calls.recorded import WORD, Charge, RecordedCall, Rule

MANY_LETTERS = 16
PADDED_BYTES = 256
"""The target of the law of strncpy()."""
TOKEN = 16
"""Letters of the token in the law of delimiters."""
NEEDLES = {2: "strstr.two_letters", 3: "strstr.three_letters", 4: "strstr.four_letters"}
NEEDLE, NEEDLE_STEPS, NEEDLE_MOST = 8, 28, 64
"""Letters in the law of steps, its last x, and that of the law of whole texts."""
BESIDE_WORDS, AT_WORDS = 1, 2
"""Where a needle was found, and begins itself (`cyclescope_placed`)."""


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
    """Letters, then zeroes: the law of padding is of 256 bytes."""
    letters, case = call["s1<n2"], "strncpy.exact"
    zeroes = (call["n2"] - letters) / PADDED_BYTES
    copied = Charge(case if call.is_aligned(0, 1) else f"{case}_beside", letters)
    if zeroes <= 0:
        return [copied]
    return [copied, Charge("strncpy.pads", 0, zeroes), Charge(case, 0, -zeroes)]


def _copied_to_end(call: RecordedCall) -> Sequence[Charge]:
    """stpcpy()"""
    case = "stpcpy.aligned" if call.is_aligned(0, 1) else "stpcpy.unaligned"
    return [Charge(case, call["s1"])]


def _joined(call: RecordedCall) -> Sequence[Charge]:
    """One that ends where the string ends is as long as it is after the call."""
    added = call["s1"] if call.callee == "strcat" else call["s1<n2"]
    before = max(call["s0"] - added, 0)
    if call.callee == "strcat" and 1 in call.literal and call.level != "Os":
        aligned = (before + call["a0"]) % 4 == 0
        return [Charge("strlen.aligned", before), *copy(added + 1, aligned)]
    case = f"{call.callee}.{'beside' if call.beside(0) else 'one_letter'}"
    if call.callee == "strncat":
        return [
            Charge(case, before),
            Charge("strncat.letters", added),
            Charge("strncat.letters", 1, -1.0),
        ]
    # The law's own letter is copied from a word, to a word behind each fourth letter.
    one = _string_copy((before + call.beside(0)) % WORD == 0)
    copied = _string_copy((before + call.beside(0)) % WORD == 0 and not call.beside(1))
    return [Charge(case, before), Charge(copied, added), Charge(one, 1, -1.0)]


def _string_copy(aligned: bool) -> str:
    return "strcpy.aligned" if aligned else "strcpy.unaligned"


def _compared(call: RecordedCall) -> Sequence[Charge]:
    """By words where both begin alike; else byte by byte up to a word of the first one."""
    common, first, second = call["common"], call.beside(0), call.beside(1)
    if first == second:
        return [Charge("strcmp.equal_aligned", common + first)]
    return _from_byte_one("strcmp.equal_unaligned", common, first)


def _from_byte_one(case: str, letters: int, beside: int) -> Sequence[Charge]:
    """The law is of a string that begins one byte behind a word; another one has fewer single
    letters in front."""
    fewer = (beside or WORD) - 1
    steps = [Charge(case, 0, fewer), Charge(case, 1, -fewer)] if fewer else []
    return [Charge(case, letters + fewer), *steps]


def _begins(call: RecordedCall) -> Sequence[Charge]:
    common = call["prefix<n2"]
    if not common:
        return [Charge("strncmp.differ_at_once")]
    aligned = call.is_aligned(0, 1)
    return [Charge("strncmp.equal" if aligned else "strncmp.equal_unaligned", common)]


def _without_case(call: RecordedCall) -> Sequence[Charge]:
    """Letter by letter, wherever the strings begin."""
    name = call.callee
    letters = call["folded" if name == "strcasecmp" else "folded<n2"]
    return [Charge(f"{name}.equal", letters) if letters else Charge(f"{name}.differ_at_once")]


def _collated(call: RecordedCall) -> Sequence[Charge]:
    """strcmp() and what goes around it."""
    around = [Charge("strcoll.equal", 0), Charge("strcmp.equal_aligned", 0, -1.0)]
    return [*_compared(call), *around]


def _token(call: RecordedCall) -> Sequence[Charge]:
    """A token by its length; more for delimiters before it and for those of a set."""
    length, skipped, looked = call["token"], call["skipped"], call["looked"]
    if length < 0:
        return [Charge(f"{call.callee}.none_left")]
    found = [Charge(f"{call.callee}.first", max(length, 1))]
    if skipped:
        found += [Charge("strtok.skips", skipped + 1), Charge("strtok.skips", 1, -1.0)]
    if looked:
        share = looked / (TOKEN * (TOKEN + 1))
        found += [Charge("strtok.set", TOKEN + 1, share), Charge("strtok.set", 1, -share)]
    return found


def _sought(call: RecordedCall) -> Sequence[Charge]:
    """One letter: up to the next word byte by byte, then by words."""
    if not call.beside(0):
        return [Charge("strchr.last", max(call["found"], 1))]
    return _sought_beside(call["found"], call.beside(0))


def _sought_beside(letters: int, beside: int) -> Sequence[Charge]:
    return _from_byte_one("strchr.unaligned", letters, beside)


def _last(call: RecordedCall) -> Sequence[Charge]:
    """A search for each letter that is alike, and one more. The law of one letter has two, of
    which the second finds nothing left."""
    times, beside = call["occurrences"], call.beside(0)
    apart = call["s0"] // (times + 1)
    first = _sought_beside(apart, beside) if beside else [Charge("strchr.last", max(apart, 1))]
    others = [replace(one, weight=one.weight * times) for one in _sought_beside(apart, WORD // 2)]
    return [
        Charge("strrchr.last", 1),
        Charge("strchr.last", 1, -1.0),
        *(replace(one, weight=-one.weight) for one in _sought_beside(0, WORD // 2)),
        *first,
        *(others if times else ()),
    ]


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


def _set_found(call: RecordedCall) -> Sequence[Charge]:
    """Each letter of the set that is looked at besides the first costs what it costs strspn()."""
    looked = _each("strspn.last_of_set", call["chosen"], NEEDLE_MOST)
    return [Charge("strpbrk.one_letter", call["found"]), *looked]


def _in_string(call: RecordedCall) -> Sequence[Charge]:
    """Needles of up to four letters letter by letter of the text; others by steps of a table."""
    letters, at = call["s1"], call["found"]
    if letters <= 1:
        return [Charge("strstr.short_needle", at)]
    if letters in NEEDLES:
        behind = 0 if call["placed"] else letters - 1
        return [Charge(NEEDLES[letters], max(at - behind, 0))]
    steps, read = call["steps"], call["read"]
    if steps < 0:
        return [
            Charge("strstr.too_short", 0),
            *_each("strnlen.whole", read),
            *_each("strlen.aligned", letters - NEEDLE),
        ]
    whole = min(letters, NEEDLE_MOST)
    found = [Charge("strstr.whole", whole)]
    if call["placed"] != AT_WORDS:
        found.append(equal(whole, True, -1.0))
    if call["placed"] == BESIDE_WORDS:
        found.append(equal(whole, False))
    return [
        *found,
        *_each("strstr.steps", steps, NEEDLE_STEPS),
        *_each("strnlen.whole", read - letters - steps * (NEEDLE + 1)),
        *_each("memcmp.equal_unaligned", call["alike"]),
    ]


def _each(case: str, times: int, most: int = PADDED_BYTES) -> Sequence[Charge]:
    """Letters or steps alone: the mean slope of a law from `SHORT` to `most`."""
    share = times / (most - SHORT)
    return [Charge(case, most, share), Charge(case, SHORT, -share)] if times else []


RULES: dict[str, Rule] = {
    "strlen": _length,
    "strnlen": _spanned("strnlen.whole"),
    "strcpy": _copied,
    "stpcpy": _copied_to_end,
    "strncpy": _padded,
    "strcat": _joined,
    "strncat": _joined,
    "strcmp": _compared,
    "strncmp": _begins,
    "strcasecmp": _without_case,
    "strncasecmp": _without_case,
    "strcoll": _collated,
    "strchr": _sought,
    "index": _sought,
    "strrchr": _last,
    "rindex": _last,
    "strspn": _set_spanned("strspn.one_letter"),
    "strcspn": _set_spanned("strcspn.one_letter"),
    "strpbrk": _set_found,
    "strstr": _in_string,
    "strtok": _token,
    "strtok_r": _token,
}
