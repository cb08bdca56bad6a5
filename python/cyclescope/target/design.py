"""At which x a case is measured: chosen so that a law cannot be wrong between them unseen."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from cyclescope.target.case import Domain

WHOLE = 32
"""Domains with so few x are measured whole."""

FEW, MANY = 4, 15
WINDOW = 17
"""Neighbouring x: every residue of 2, 4, 8 and 16, and one of them twice."""

GRID = 32
HELD_OUT_EVERY = 5


def few(domain: Domain) -> tuple[int, ...]:
    """The ends and powers of two between them, for whole series."""
    return _spread(domain, FEW)


def many(domain: Domain) -> tuple[int, ...]:
    """The same, more of them: where times scatter, no others are measured."""
    return _spread(domain, MANY)


def held_out(values: Sequence[int]) -> tuple[int, ...]:
    """Those of the measured x that no law is fitted to, none of them an end."""
    return tuple(sorted(values)[HELD_OUT_EVERY // 2 : -1 : HELD_OUT_EVERY])


def starting(domain: Domain) -> set[int]:
    """Ends, both sides of powers of two, every residue at three magnitudes, and a grid."""
    if domain.size <= WHOLE:
        return set(domain.all)
    first, last, step = domain.first, domain.last, domain.step
    size = domain.size
    places: set[int] = {place for power in _powers(domain) for place in _around(domain, power)}
    places |= {(size - 1) * one // GRID for one in range(GRID + 1)}
    spread = {first + step * place for place in places if first <= first + step * place <= last}
    return spread.union(*windows(domain))


def windows(domain: Domain) -> list[range]:
    """Neighbouring x at three magnitudes."""
    begins = {0, max((domain.size - WINDOW) // 2, 0), max(domain.size - WINDOW, 0)}
    return [domain.all[begin : begin + WINDOW] for begin in sorted(begins)]


def _powers(domain: Domain) -> Iterable[int]:
    power = 1
    while power <= domain.last:
        yield power
        power *= 2


def _around(domain: Domain, x: int) -> Iterable[int]:
    """Places in the domain on both sides of x."""
    below = (x - domain.first) // domain.step
    return range(max(below - 1, 0), below + 3) if x >= domain.first else ()


def _spread(domain: Domain, count: int) -> tuple[int, ...]:
    """`count` of the x, the ends among them, at powers of two as far as these go."""
    if domain.size <= count:
        return tuple(domain.all)
    powers = [x for x in _powers(domain) if domain.first < x < domain.last and domain.takes(x)]
    inner = count - 2
    if len(powers) >= inner:
        # Evenly over the powers, the greatest of them always.
        chosen = [powers[len(powers) - 1 - i * len(powers) // inner] for i in range(inner)]
    else:
        chosen = list(powers)
    found = {domain.first, domain.last, *chosen}
    while len(found) < count:
        ordered = sorted(found)
        gap, low = max((b - a, a) for a, b in pairwise(ordered))
        middle = low + gap // 2 // domain.step * domain.step
        if middle == low:
            break
        found.add(middle)
    return tuple(sorted(found))
