"""Layouts: the offsets at which the same code is linked again, drawn from a seed.

On a deterministic machine one layout has no spread, and where code lies alone moves its times.
"""

import random

OFFSETS_BYTES = range(4, 4096 + 4, 4)
"""Those the firmware's build takes, 0 apart."""

MOST = 1 + len(OFFSETS_BYTES)


def offsets_bytes(count: int, seed: int) -> list[int]:
    """Offset 0, then others at random, each at most once; more of the same seed begin the same.

    >>> offsets_bytes(3, seed=1) == offsets_bytes(5, seed=1)[:3]
    True
    """
    others = list(OFFSETS_BYTES)
    random.Random(seed).shuffle(others)
    return [0, *others][:count]
