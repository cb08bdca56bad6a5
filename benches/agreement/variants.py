"""The flash accelerator's rules in variants, to show what the recordings choose between.

Moments instead of countdowns, and none of the engine's code: the variant that the engine has must
give the engine's cycles.
"""

from collections.abc import Callable
from dataclasses import dataclass

from agreement.loops import Flash

LINE_BYTES = 16

DATA_READS = {
    "anew": "is read again at once",
    "drops": "is dropped",
    "drops_incomplete": "is dropped if incomplete",
    "takes": "is dropped, but a data read of that line takes it",
}
HITS = {"always": "always", "enters": "on entering another line", "never": "never"}

VARIANTS = (
    ("anew", "always"),
    ("drops", "always"),
    ("drops_incomplete", "enters"),
    ("drops", "never"),
    ("drops", "enters"),
    ("takes", "enters"),
)
ADOPTED = ("drops", "enters")


@dataclass
class Variant:
    """A flash in mode 2: lines by number, and when the one read ahead is complete."""

    read_cycles: int
    data_read: str
    hit: str
    now: int = 0
    prefetch: int | None = None
    trail: int | None = None
    data: int | None = None
    current: int | None = None
    ahead: int | None = None
    ready: int = 0

    def fetch(self, address: int, *, sequential: bool, after_break: bool) -> int:
        line = address // LINE_BYTES
        hit = line in (self.prefetch, self.trail)
        cycles = 1 if hit else self._left(line)
        if not hit:
            if after_break:
                self.trail = line
            else:
                self.prefetch = line
            self.ahead = None
        begins = not hit or self.hit == "always" or (self.hit == "enters" and line != self.current)
        self.now += cycles
        if begins and line + 1 not in (self.prefetch, self.trail, self.ahead):
            self.ahead, self.ready = line + 1, self.now + self.read_cycles
        self.current = line
        return cycles

    def read(self, address: int) -> int:
        line = address // LINE_BYTES
        if line == self.data:
            self.now += 1
            return 1
        self.data = line
        takes = self.data_read == "takes" and line == self.ahead
        cycles = self._left(line) if takes else self.read_cycles
        incomplete = self.ready > self.now
        self.now += cycles
        if self.data_read == "anew":
            self.ready = self.now + self.read_cycles
        elif incomplete or self.data_read != "drops_incomplete":
            self.ahead = None
        return cycles

    def wait(self, cycles: int) -> None:
        self.now += cycles

    def state(self) -> int:
        left = max(0, self.ready - self.now) if self.ahead is not None else 0
        lines = (self.prefetch, self.trail, self.data, self.current, self.ahead)
        return hash((lines, left))

    def _left(self, line: int) -> int:
        """Cycles of a line that no buffer holds."""
        return max(1, self.ready - self.now) if line == self.ahead else self.read_cycles


def maker(data_read: str, hit: str) -> Callable[[int, int], Flash]:
    """Makes a variant of MAMCR 2 and a MAMTIM."""

    def make(mamcr: int, mamtim: int) -> Flash:
        if mamcr != 2:
            raise ValueError(f"the variants are of MAMCR 2, the loop was recorded with {mamcr}")
        return Variant(mamtim, data_read, hit)

    return make
