"""An iteration of the transmission task's loops by the rules, and what an interrupt in it adds.

The timer says when in an iteration the interrupt was requested. The ELF file and the rules say
where it was taken, and how long the flash's buffers take to fill again behind the return. That time
is part of the longer iteration, and not of the switch.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cyclescope.studies.switch.analytic import Evaluation
from cyclescope.studies.switch.core import Rules
from cyclescope.studies.switch.path import Window

RARE = 20
"""Iterations of a length that fewer than one in so many have: the first ones, say."""


@dataclass(frozen=True)
class Boundary:
    """Cycles behind the iteration's first reading of the timer, and what refilling adds there."""

    at: int
    refill: int


@dataclass(frozen=True)
class Iteration:
    """From one reading of the timer to the next in the same loop, undisturbed.

    `length` is its cycles; `began` are the cycles, behind the window's first reading, at which
    those like it began; `boundaries` are in order. `spread`: by how much the iterations of the loop
    differ in length, those aside that are fewer than one in twenty.
    """

    length: int
    spread: int
    began: Sequence[int]
    boundaries: Sequence[Boundary]
    synchroniser_cycles: int

    def taken(self, requested: int) -> Boundary:
        """Where an interrupt is taken, requested so many cycles behind the first reading."""
        seen = requested + self.synchroniser_cycles
        return next((one for one in self.boundaries if one.at >= seen), self.boundaries[-1])


def like(iterations: Sequence[Iteration], length: int, began: int) -> Iteration:
    """The iteration of about this length; of several loops, the one that ran at about that time."""

    def far(one: Iteration) -> tuple[int, int]:
        return abs(one.length - length), min(abs(at - began) for at in one.began)

    return min(iterations, key=far)


def iterations_of(window: Window, found: Evaluation, rules: Rules) -> list[Iteration]:
    """The iterations of a window, one of each loop and length: the last."""
    switch = window.switch
    assert switch is not None, "the window was preempted"
    disturbed = [(switch.entered, switch.resumed), *switch.foreign]
    own = [
        moment
        for moment in sorted(found.readings)
        if not any(begin <= moment < end for begin, end in disturbed)
    ]
    alike: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for first, second in pairwise(own):
        whole = not any(first < begin <= second for begin, _ in disturbed)
        address = window.path[first].address
        if whole and first > found.known and window.path[second].address == address:
            length = found.readings[second] - found.readings[first]
            alike.setdefault((address, length), []).append((first, second))
    spreads = _spreads(alike)
    start = found.readings[own[0]]
    walked = _walked(window, found, rules, [ones[-1] for ones in alike.values()])
    return [
        Iteration(
            length,
            spreads[address],
            [found.readings[first] - start for first, _ in ones],
            boundaries,
            rules.core.SYNCHRONISER_CYCLES,
        )
        for ((address, length), ones), boundaries in zip(alike.items(), walked, strict=True)
    ]


def _spreads(alike: Mapping[tuple[int, int], Sequence[tuple[int, int]]]) -> dict[int, int]:
    """By the address of the loop's reading."""
    lengths: dict[int, list[int]] = {}
    for (address, length), ones in alike.items():
        lengths.setdefault(address, []).extend([length] * len(ones))
    spreads = {}
    for address, every in lengths.items():
        usual = [one for one in every if every.count(one) * RARE >= len(every)]
        spreads[address] = max(usual, default=0) - min(usual, default=0)
    return spreads


def _walked(
    window: Window, found: Evaluation, rules: Rules, wanted: Sequence[tuple[int, int]]
) -> list[list[Boundary]]:
    """Walks the path once; at each boundary of a wanted iteration an interrupted copy goes on."""
    path, walk = window.path, rules.walk(found.watched)
    made: list[list[Boundary]] = [[] for _ in wanted]
    for index in range(max((end for _, end in wanted), default=0) + 1):
        for (first, second), boundaries in zip(wanted, made, strict=True):
            if first < index <= second:
                at = found.cycles[index] - found.readings[first]
                copy = walk.interrupted(path[index].address)
                began = copy.counts.cycles
                for step in range(index, second + 1):
                    copy.step(path[step], path[step + 1])
                assert copy.read is not None, "an iteration ends with a reading"
                undisturbed = found.readings[second] - found.cycles[index]
                boundaries.append(Boundary(at, copy.read - began - undisturbed))
        walk.step(path[index], path[index + 1])
    return made
