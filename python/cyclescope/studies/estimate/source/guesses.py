"""Which ways a compiler without counts takes for the likelier: it lays out blocks by that.

The tree with counts has their shares instead. Blocks are found again in the tree that was made
without counts.
"""

import re
from collections.abc import Iterable

from cyclescope.studies.estimate.source.gimple import GimpleBlock, GimpleFunction

VERSION = re.compile(r"(?:\.\d+)?_\d+(?:\(D\))?|\.\d+\b")


def guess_ways(counted: Iterable[GimpleFunction], plain: Iterable[GimpleFunction]) -> None:
    """Sets the likely ways of blocks with counts to those of the same blocks without."""
    by_name = {function.name: function for function in plain}
    for function in counted:
        other = by_name.get(function.name)
        if other is not None and function.blocks and other.blocks:
            _guess(function, other)


def _guess(function: GimpleFunction, other: GimpleFunction) -> None:
    ours = {block.number: block for block in function.blocks}
    theirs = {block.number: block for block in other.blocks}
    keys: dict[tuple[str, ...], list[GimpleBlock]] = {}
    for block in other.blocks:
        keys.setdefault(_key(block), []).append(block)
    pairs = [(function.blocks[0], other.blocks[0])]
    for block in function.blocks:
        alike = keys.get(_key(block), [])
        if len(alike) == 1:
            pairs.append((block, alike[0]))
    seen: set[int] = set()
    while pairs:
        one, two = pairs.pop(0)
        if one.number in seen or _key(one) != _key(two) or len(one.ways) != len(two.ways):
            continue
        seen.add(one.number)
        one.likely = dict(zip(one.ways, two.likely.values(), strict=True))
        pairs += [
            (ours[a], theirs[b])
            for a, b in zip(one.ways, two.ways, strict=True)
            if a in ours and b in theirs
        ]


def _key(block: GimpleBlock) -> tuple[str, ...]:
    return tuple(VERSION.sub("_", one.text) for one in block.statements)
