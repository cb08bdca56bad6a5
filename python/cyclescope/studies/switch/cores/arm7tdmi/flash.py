"""Flash behind the LPC2000's accelerator, as the analytic way times it: the rules of its manual.

Written from docs/timing/mam_lpc2000.md and from nothing else; moments instead of countdowns, so
that the two models share neither code nor shape.
"""

from dataclasses import dataclass

LINE_BYTES = 16


@dataclass
class Flash:
    """Lines by their numbers: those held, that of the last fetch, and the one read ahead, with the
    cycle at which it is or was complete."""

    mode: int
    read_cycles: int
    prefetch: int | None = None
    trail: int | None = None
    data: int | None = None
    last: int | None = None
    ahead: int | None = None
    ahead_ready: int = 0
    lines_read: int = 0
    """Of the array, so far: on demand and ahead."""

    def fetch(self, at: int, address: int, *, sequential: bool, after_break: bool) -> int:
        """Cycles of a fetch of code that begins at cycle `at`."""
        line = address // LINE_BYTES
        if self.mode == 0:
            self.lines_read += line != self.ahead
            self.ahead = line
            return self.read_cycles
        waits_anyway = self.mode == 1 and not sequential
        if line in (self.prefetch, self.trail):
            cycles = self.read_cycles if waits_anyway else 1
        else:
            cycles = self.read_cycles
            if line != self.ahead:
                self.lines_read += 1
            elif not waits_anyway:
                cycles = max(1, self.ahead_ready - at)
            self._file(line, after_break)
        if line != self.last:
            self._read_ahead(line + 1, at + cycles)
        self.last = line
        return cycles

    def read(self, at: int, address: int) -> int:
        """Cycles of a data access that begins at cycle `at`."""
        line = address // LINE_BYTES
        if line == self.data:
            return 1 if self.mode == 2 else self.read_cycles
        self.data = line
        self.lines_read += 1
        if self.mode != 0:
            self.ahead = None
        return self.read_cycles

    def set_mode(self, mode: int) -> None:
        """A write of MAMCR that changes it: from then on nothing is held."""
        if mode != self.mode:
            self.forget()
        self.mode = mode

    def forget(self) -> None:
        """Forgets all that is held."""
        self.prefetch = self.trail = self.data = self.last = self.ahead = None

    def _file(self, line: int, after_break: bool) -> None:
        if after_break:
            self.trail = line
        else:
            self.prefetch = line
        self.ahead = None

    def _read_ahead(self, line: int, at: int) -> None:
        if line not in (self.prefetch, self.trail, self.ahead):
            self.ahead, self.ahead_ready = line, at + self.read_cycles
            self.lines_read += 1
