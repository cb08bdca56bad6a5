"""The cost of instructions, accesses and taken branches in a memory: the rules of its timing.

An ARM7TDMI fetches once for each instruction and twice more behind a taken branch. A load takes
its access and a cycle inside the core, a store its access (docs/timing/arm7tdmi.md). An external
bus of 16 bits takes two accesses for a word (docs/timing/bus_at91x40.md).
"""

import json
from dataclasses import dataclass
from pathlib import Path

Made = tuple[float, float, float, float, float, float]
"""Instructions, loads, stores, taken branches, further cycles, and loads of words among code."""
Units = tuple[float, ...]
"""Cycles of each of these; then of a load and of a store of less than a word."""
NARROW = (
    *("load byte", "load half", "store narrow"),
    *("variable load narrow", "variable store narrow"),
)
"""Kinds of work whose access is of less than a word."""


@dataclass(frozen=True)
class MemoryTiming:
    """Cycles of a fetch in ARM and in Thumb code, of a word there, of a word and less of data."""

    arm: int
    thumb: int
    literal: int
    word: int
    narrow: int


TIMINGS = {
    name: MemoryTiming(**cycles)
    for name, cycles in json.loads(Path(__file__).with_name("memories.json").read_text()).items()
}
"""Memories as their boards set them: MAMTIM 3; 1 and 3 wait states of the external bus. A flash
accelerator has buffers: what it costs depends on where code lies."""
NEAREST = next(name for name, one in TIMINGS.items() if one == MemoryTiming(1, 1, 1, 1, 1))
"""A memory without wait states: the prices of one with buffers are drawn to its prices."""


def units_of(memory: str, isa: str) -> Units | None:
    """Cycles of an instruction, of accesses and so on; None where no rule gives them."""
    one = TIMINGS.get(memory)
    if one is None:
        return None
    fetch = one.thumb if isa == "thumb" else one.arm
    return (
        *(float(fetch), one.word + 1.0, float(one.word), 2.0 * fetch, 1.0, one.literal + 1.0),
        *(one.narrow + 1.0, float(one.narrow)),
    )


def split(kind: str, made: Made) -> Units:
    """The units of a kind of work, with narrow accesses in columns of their own."""
    instructions, loads, stores, taken, waiting, literals = made
    if kind in NARROW:
        return (instructions, 0.0, 0.0, taken, waiting, literals, loads, stores)
    return (*made, 0.0, 0.0)
