"""Parameters of calls and magnitudes of operands, beside the same computed in Python."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from counted_programs import SOURCES

from cyclescope.sources.host_run import CountedRun, count
from cyclescope.sources.instrumented import SourceUnit

Values = tuple[int, ...]
ALIGNMENT = re.compile(r"a\d")
ALPHABET = "abcdefghijklmnopqrstuvwxyz"


@cache
def counted() -> CountedRun:
    return count([SourceUnit(SOURCES / "parameters.c")])


def recorded(callee: str) -> Counter[Values]:
    """How often the calls of a function had each parameters, in all contexts."""
    counts, found = counted().counts, Counter[Values]()
    (site,) = (call for call in counts.calls if call.callee == callee)
    for _, call, values, times in counts.parameters:
        if call == site.id:
            named = zip(site.parameters, values, strict=True)
            found[tuple(one for name, one in named if not ALIGNMENT.match(name))] += times
    return found


def alignments(callee: str) -> set[tuple[str, int]]:
    """How the arguments of a function's calls were aligned."""
    counts = counted().counts
    (site,) = (call for call in counts.calls if call.callee == callee)
    return {
        (name, one)
        for _, call, values, _ in counts.parameters
        if call == site.id
        for name, one in zip(site.parameters, values, strict=True)
        if ALIGNMENT.match(name)
    }


def test_calls_have_their_parameters() -> None:
    copied = [ALPHABET[:n] for n in range(20)]
    compared = [one for one in copied if len(one) > 3]
    joined = [one for one in compared if one < "abcdefgz"]
    assert recorded("malloc") == {(100, 0): 1}, "the first ever"
    assert recorded("memcpy") == Counter((n,) for n in range(20))
    assert recorded("strlen") == Counter((n,) for n in range(20))
    assert recorded("strcmp") == Counter((min(len(one), 7),) for one in compared)
    assert recorded("strcpy") == Counter((len(one),) for one in joined)
    assert recorded("strcat") == Counter((len(one) + 3, 3) for one in joined)
    assert recorded("strchr") == Counter((n,) for n in range(20))
    assert recorded("memset") == Counter((n & 3,) for n in range(20))
    assert recorded("atoi") == {(3,): 1}


def test_calls_have_the_alignment_of_their_arguments() -> None:
    assert ("a0", 0) in alignments("memcpy"), "of malloc"
    assert alignments("strcpy") == {("a0", 0), ("a1", 0)}, "20 bytes on"
    site = next(call for call in counted().counts.calls if call.callee == "strcat")
    assert (site.literal, site.arrays) == ((1,), (1,))
    site = next(call for call in counted().counts.calls if call.callee == "malloc")
    assert (site.literal, site.arrays) == ((0,), ())


def drawn() -> Iterator[int]:
    state = 1
    while True:
        state = (state * 1103515245 + 12345) % 2**32
        yield state >> (state >> 27)


def significant(value: int) -> int:
    """Bytes of a 32-bit factor that the multiplier looks at, less one."""
    signed = (value + 2**31) % 2**32 - 2**31
    return next(m for m in range(4) if m == 3 or -(2 ** (8 * m + 8)) <= signed < 2 ** (8 * m + 8))


def magnitudes(line: str, operation: str) -> list[Counter[int]]:
    """The magnitudes at each operator of this kind on a line that holds a text."""
    counts = counted().counts
    text = (SOURCES / "parameters.c").read_text().splitlines()
    (number,) = (at for at, one in enumerate(text, 1) if line in one)
    sites = [one for one in counts.operands if (one.line, one.operation) == (number, operation)]
    found = {site.id: Counter[int]() for site in sites}
    for _, site, magnitude, times in counts.magnitudes:
        if site in found:
            found[site][magnitude] += times
    return list(found.values())


def division(dividend: int, divisor: int) -> int:
    """Bits of the quotient; 65 and 66 for divisors that are powers of two, and 1."""
    if dividend >= divisor and divisor & (divisor - 1) == 0:
        return 66 if divisor == 1 else 65
    return (dividend // divisor).bit_length()


def test_operands_have_their_magnitudes() -> None:
    source = drawn()
    pairs = [(next(source), next(source)) for _ in range(200)]
    expected = Counter(4 * significant(a) + significant(b) for a, b in pairs)
    assert len(expected) > 8
    assert magnitudes("sum += a * b;", "multiply") == [expected]
    quotients = Counter(division(a, b) for a, b in pairs if b)
    signed = [(a, b) for a, b in pairs if a & 1]
    remainders = Counter(
        division(abs((a + 2**31) % 2**32 - 2**31), abs((b + 2**31) % 2**32 - 2**31 | 1))
        for a, b in signed
    )
    assert magnitudes("a / b", "divide") == [quotients, remainders]
    # By three: the dividend is whatever it is. By eight: a shift, nothing to count.
    (thirds,) = magnitudes("sum /= 2 + 1", "divide")
    assert thirds.total() == 200
    assert magnitudes("a / 8", "divide") == []
    constants = {one.constant for one in counted().counts.operands if one.operation == "multiply"}
    assert 1103515245 in constants


def test_the_program_does_what_it_does_without_counters() -> None:
    state, small, wide, total = drawn(), 3, 1, 0
    array = [0, 0, 0, 0, 7, 3]
    for i in range(200):
        a, b = next(state), next(state)
        total = (total + a * b) % 2**32
        signed_a, signed_b = (((one + 2**31) % 2**32 - 2**31) for one in (a, b))
        divisor = signed_b | 1
        rest = abs(signed_a) % abs(divisor) * (1 if signed_a >= 0 else -1)
        total ^= ((a // b if b else 0) + (rest if a & 1 else 0)) % 2**32
        small = small * a % 32
        array[i % 6] = (array[i % 6] * signed_b + 2**31) % 2**32 - 2**31
        wide = (wide * signed_a + 2**63) % 2**64 - 2**63
        total //= 3
        total = (total + a // 8 + a * 24) % 2**32
    assert counted().run.output == f"{total} {small} {array[5]} {wide} -123\n".encode()
