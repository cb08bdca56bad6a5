"""Layouts: links of the same objects in which every function has another place.

On a deterministic machine one layout has no spread, and where code lies alone moves its times. A
layout is named by a seed and a number (firmware/layout.py); 0 is the plain link, whatever the seed.
"""

from typing import TypeVar

T = TypeVar("T")

MOST = 1000
"""Layouts that may be asked for."""

USUAL = 9
"""The plain link and eight others, of which no two are alike to any call: firmware/layout.py
deals the places so. Only the plain link may be like one of them."""

LINE_BYTES = 16
"""Of a flash buffer: places that differ by so many bytes are alike to it."""

VALUES = 3
"""At so many x of a case other layouts than the plain link are measured."""


def ends_and_middle(values: tuple[T, ...]) -> tuple[T, ...]:
    """Values that are measured in every layout: the first, the middle one and the last.

    >>> ends_and_middle((1, 2, 4, 8, 16)), ends_and_middle((None,))
    ((1, 4, 16), (None,))
    """
    if len(values) <= VALUES:
        return values
    return values[0], values[len(values) // 2], values[-1]
