"""The timer that an image's probes read, and when a virtual board read which of its counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cyclescope.firmware.program import Program
from cyclescope.quantity import COUNTER_BITS

COUNTS = 1 << COUNTER_BITS
SYMBOL = "probe.timer"


@dataclass(frozen=True)
class ProbedTimer:
    """The register that all probes of an image read (firmware/include/probe.h).

    Probes read the `bits` low bits of the count; samples have all of it. A count takes
    `cycles_per_count` cycles of the core, which matters for fewer than 32 bits alone.
    """

    address: int
    bits: int = COUNTER_BITS
    cycles_per_count: int = 1

    @classmethod
    def of(cls, program: Program) -> ProbedTimer:
        """Returns the timer that an image names; raises KeyError if it names none."""
        symbols = program.symbols
        address = symbols[SYMBOL]
        if "timer.bits" not in symbols:
            return cls(address)
        return cls(address, symbols["timer.bits"], symbols["timer.cycles_per_count"])

    def cycles_of(
        self, accesses: Iterable[tuple[int, int, int, bool]], counts: Sequence[int]
    ) -> dict[int, int]:
        """Returns the cycle in which each whole count was read; some of `counts` may be missing.

        `accesses` are those of the register, as a board recorded them: cycle, address, value,
        whether it is a write. `counts` are those of samples: they decide what the upper bits are.
        """
        reads = [(cycle, value) for cycle, _, value, is_write in accesses if not is_write]
        if self.bits == COUNTER_BITS:
            return {value: cycle for cycle, value in reads}
        relative = self._unwrapped(reads)
        found: dict[int, int] = {}
        for upper in sorted({counts[0] - one for one in relative} if counts else ()):
            if upper % (1 << self.bits):
                continue
            found = {(one + upper) % COUNTS: cycle for one, cycle in relative.items()}
            if all(count in found for count in counts):
                break
        return found

    def _unwrapped(self, reads: Sequence[tuple[int, int]]) -> dict[int, int]:
        """The cycle of each count, from that of the first reading on without end."""
        revolution = 1 << self.bits
        unwrapped: dict[int, int] = {}
        earlier, count = reads[0] if reads else (0, 0)
        for cycle, value in reads:
            passed = (cycle - earlier) / self.cycles_per_count
            ahead = (value - count) % revolution
            count += ahead + revolution * round((passed - ahead) / revolution)
            unwrapped[count] = earlier = cycle
        return unwrapped
