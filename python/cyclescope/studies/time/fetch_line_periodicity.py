"""Fetch-line periodicity: T(N) of unrolled executions where code is fetched in lines.

One copy of an execution is one call instruction. Where the memory is read in lines of several
instructions (docs/timing/mam_lpc2000.md) a copy that begins a line waits and the others do not,
so T(N) rises in steps. So many copies as fill a line always take the same time: in multiples of
this period T(N) is a straight line again.
"""

import tomllib
from collections.abc import Sequence

from cyclescope.firmware import boards
from cyclescope.target.conditions import Conditions

COPY_BYTES = 4
"""A copy is one `bl`: 4 bytes in ARM, and 4 in Thumb (ARM7TDMI, two halfwords)."""

LINE_BYTES = {"mam_lpc2000": 16}
"""Bits that each memory timing reads at a time: 128 bits (docs/timing/mam_lpc2000.md)."""


def line_bytes(board: str, memory: str) -> int | None:
    """Bytes that a fetch from the board's memory, or from that of the board which it extends, reads
    at a time; None where there are no lines.

    >>> line_bytes("lpc2148", "flash"), line_bytes("lpc2148", "sram")
    (16, None)
    >>> line_bytes("lpc2148-lab", "flash"), line_bytes("lpc2148-lab", "lab")
    (16, None)
    """
    own = tomllib.loads(boards.path_of(board).read_text())
    for one in own.get("memory", []):
        if one["name"] == memory:
            return LINE_BYTES.get(one.get("timing", {}).get("kind", ""))
    return line_bytes(own["extends"], memory) if "extends" in own else None


def expected_period(line: int | None) -> int:
    """The copies that fill a line; 1 where there are no lines."""
    return 1 if line is None else max(line // COPY_BYTES, 1)


def fetch_doubt(conditions: Conditions) -> int:
    """Cycles by which the fetch of one instruction may differ with the fetches before it. It is a
    whole read of a line, where lines are read and kept; 0 where every fetch takes the same."""
    read = conditions.memory.get("mamtim", 1)
    keeps_lines = conditions.memory.get("mam", 0) > 0 and read > 1
    in_lines = keeps_lines and line_bytes(conditions.board, conditions.code) is not None
    return read if in_lines else 0


def measured_period(times: Sequence[float], tolerance: float) -> int | None:
    """The least period p with T(N + p) - T(N) the same at every N, from T(1), T(2), T(3), …

    None if no p up to a third of the times does: then T(N) has no even periodicity.

    >>> measured_period([10, 13, 16, 19, 22, 25], 0), measured_period([10, 13, 17, 20, 24, 27], 0)
    (1, 2)
    """
    for period in range(1, len(times) // 3 + 1):
        rises = [after - before for before, after in zip(times, times[period:], strict=False)]
        if max(rises) - min(rises) <= tolerance:
            return period
    return None
