"""The order of blocks: which way of each falls through, and which blocks a condition guards."""

from cyclescope.studies.estimate.source.gimple import GimpleBlock, GimpleFunction
from cyclescope.studies.estimate.source.loops import Loops

ALIKE = 0.1
"""The difference of shares that does not count."""
SHORT_WAY = 0.3
"""The share from which a block that a condition skips stays in front of what it skips to."""


def in_order(function: GimpleFunction) -> dict[int, int]:
    """The block behind each one as the tree has them, if there is an edge to it."""
    following_blocks = zip(function.blocks, function.blocks[1:], strict=False)
    return {one.number: two.number for one, two in following_blocks if two.number in one.ways}


def following(function: GimpleFunction, loops: Loops) -> dict[int, int]:
    """The block behind each one, if there is an edge to it.

    A trace begins at the function's entry and goes the likelier way as long as it is free. Blocks
    that are left begin further traces, in the order of the tree.
    """
    blocks = {block.number: block for block in function.blocks}
    behind: dict[int, int] = {}
    placed: set[int] = set()
    for first in function.blocks:
        at = first
        while at.number not in placed:
            placed.add(at.number)
            way = _next(blocks, loops, at, placed)
            if way is None:
                break
            behind[at.number] = way
            at = blocks[way]
    return behind


def _next(
    blocks: dict[int, GimpleBlock], loops: Loops, block: GimpleBlock, placed: set[int]
) -> int | None:
    free = [way for way in block.ways if way in blocks and way not in placed]
    if not free or len(block.ways) > 2:
        return None
    best = free[0]
    for way in free[1:]:
        more = block.likely[way] - block.likely[best]
        near = abs(more) <= ALIKE * block.likely[best]
        # Of two ways that are alike, the rarer block has no better place.
        if blocks[way].count < blocks[best].count if near else more > 0:
            best = way
    for way in free:
        joins = _is_inner(blocks, loops, block, way) and best in blocks[way].ways
        if joins and block.likely[way] >= SHORT_WAY:
            return way
    return best


def guarded(
    function: GimpleFunction, loops: Loops, sizes: dict[int, float], most: int
) -> dict[int, int]:
    """Blocks of few instructions that a condition guards, and the block of the condition.

    `sizes` are their instructions; blocks that cannot be guarded have none.
    """
    blocks = {block.number: block for block in function.blocks}
    found: dict[int, int] = {}
    if not most:
        return found
    for block in function.blocks:
        if len(block.ways) != 2:
            continue
        one, other = block.ways
        inner = [way for way in (one, other) if _is_inner(blocks, loops, block, way)]
        for way in inner:
            beside = other if way == one else one
            joins = next(iter(blocks[way].ways))
            if joins == beside and sizes.get(way, most + 1) <= most:
                found[way] = block.number
        if len(inner) == 2:
            same = next(iter(blocks[one].ways)) == next(iter(blocks[other].ways))
            if same and all(sizes.get(way, most + 1) <= most for way in inner):
                found[one] = found[other] = block.number
    return found


def _is_inner(blocks: dict[int, GimpleBlock], loops: Loops, block: GimpleBlock, way: int) -> bool:
    inner = blocks.get(way)
    return (
        inner is not None
        and loops.origins[way] == [block.number]
        and len(inner.ways) == 1
        and next(iter(inner.ways)) != block.number
    )
