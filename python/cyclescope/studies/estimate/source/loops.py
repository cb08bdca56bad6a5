"""Loops of a function, and values that step through them."""

from collections import defaultdict
from dataclasses import dataclass

from cyclescope.studies.estimate.source.gimple import GimpleFunction


@dataclass(frozen=True)
class Loop:
    """A loop: its header, its blocks, and how often it was entered."""

    header: int
    blocks: frozenset[int]
    entered: int


class Loops:
    """All loops of a function; those of one header are one."""

    def __init__(self, function: GimpleFunction) -> None:
        self.origins: dict[int, list[int]] = defaultdict(list)
        blocks = {block.number: block for block in function.blocks}
        for block in function.blocks:
            for way in block.ways:
                self.origins[way].append(block.number)
        dominators = _dominators(function, self.origins)
        inside: dict[int, set[int]] = {}
        for block in function.blocks:
            for way in block.ways:
                if way in blocks and dominators.get(block.number, 0) >> way & 1:
                    inside.setdefault(way, {way}).update(self._back_to(way, block.number))
        self.all = sorted(
            (
                Loop(
                    header,
                    frozenset(loop),
                    sum(
                        blocks[one].ways[header]
                        for one in self.origins[header]
                        if one not in loop and one in blocks
                    ),
                )
                for header, loop in inside.items()
            ),
            key=lambda one: len(one.blocks),
        )
        self.innermost: dict[int, Loop] = {}
        self.outermost: dict[int, Loop] = {}
        for loop in self.all:
            for number in loop.blocks:
                self.innermost.setdefault(number, loop)
                self.outermost[number] = loop

    def _back_to(self, header: int, latch: int) -> set[int]:
        loop, waiting = {header}, [latch]
        while waiting:
            number = waiting.pop()
            if number not in loop:
                loop.add(number)
                waiting.extend(self.origins[number])
        return loop

    def parent(self, loop: Loop) -> Loop | None:
        """The next loop around a loop."""
        return next(
            (
                one
                for one in self.all
                if loop.header in one.blocks and one is not loop and one.blocks > loop.blocks
            ),
            None,
        )


def _dominators(function: GimpleFunction, origins: dict[int, list[int]]) -> dict[int, int]:
    """The blocks that each block is only reached through, as bits."""
    if not function.blocks:
        return {}
    every = 0
    for block in function.blocks:
        every |= 1 << block.number
    first = function.blocks[0].number
    found = {block.number: every for block in function.blocks}
    found[first] = 1 << first
    changed = True
    while changed:
        changed = False
        for block in function.blocks:
            if block.number == first:
                continue
            common = every
            for origin in origins[block.number]:
                common &= found.get(origin, every)
            common |= 1 << block.number
            if common != found[block.number]:
                found[block.number], changed = common, True
    return found
