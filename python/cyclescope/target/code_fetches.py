"""How code is fetched where it lies: the fact behind periods of T(N) and doubts about blocks."""

from collections.abc import Mapping

from pydantic import Field

from cyclescope.record import Record

OLDER_CODE, OLDER_LINE_BYTES, OLDER_CALL_BYTES = "flash", 16, 4
"""Of the one chip, and the one instruction set, that older results with lines are of."""


class CodeFetches(Record):
    """`line_bytes` are read at a time (None: a fetch costs by its kind alone). A call has
    `call_bytes` (None: not known). A fetch may differ by `doubt_cycles` with the fetches before, an
    instruction by `overlap_cycles` with those beside it."""

    line_bytes: int | None = Field(default=None, gt=0)
    call_bytes: int | None = Field(default=None, gt=0)
    doubt_cycles: int = Field(default=0, ge=0)
    overlap_cycles: int = Field(default=0, ge=0)

    @property
    def calls_of_line(self) -> int:
        """The calls that fill a line; 1 where there are no lines."""
        if self.line_bytes is None or self.call_bytes is None:
            return 1
        return max(self.line_bytes // self.call_bytes, 1)


def of_older(code: str, memory: Mapping[str, int]) -> CodeFetches:
    """The facts of results that were made before these were recorded.

    >>> of_older("flash", {"mam": 2, "mamtim": 3}).doubt_cycles, of_older("sram", {}).line_bytes
    (3, None)
    """
    if code != OLDER_CODE or "mam" not in memory:
        return CodeFetches()
    read_cycles = memory.get("mamtim", 1)
    differs = memory["mam"] > 0 and read_cycles > 1
    return CodeFetches(
        line_bytes=OLDER_LINE_BYTES,
        call_bytes=OLDER_CALL_BYTES,
        doubt_cycles=read_cycles if differs else 0,
    )
