"""Value change dumps: the signals of boards over time, for GTKWave and its like (IEEE 1364).

Levels are variables of the width that they needed. A line that carries characters has two: its last
value, and an event for each, as the same value may come twice.
"""

import heapq
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from cyclescope.errors import CyclescopeError, unwritable
from cyclescope.targets.virtual.board import Board

USUAL = (
    "*.interrupt*",
    "*.irq",
    "*.fiq",
    "*.txd",
    "*.rxd",
    "*.p[0-9]*",
    "*.p[a-l][0-7]",
    "*.tio[ab]*",
    "*.match*",
)
"""Interrupt lines, serial lines and pins."""
SERIAL = (".txd", ".rxd")
CHARACTER_BITS = 12
"""Data, parity error, framing error, break, ninth bit."""
FIRST_CODE, LAST_CODE = 33, 126
PICOSECONDS = 10**12

Change = tuple[int, int, int]
"""Picoseconds, index of the signal, level."""


def _code(index: int) -> str:
    """A short identifier of printable characters."""
    base = LAST_CODE - FIRST_CODE + 1
    code = chr(FIRST_CODE + index % base)
    return code if index < base else _code(index // base - 1) + code


class _Clock:
    """Converts cycles of a board to picoseconds, rounded down, over changes of its clock."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._epochs = [(0, board.clock_epochs()[0][1], 0)]

    def refresh(self) -> None:
        """Takes note of changes since."""
        for cycle, hz in self._board.clock_epochs()[len(self._epochs) :]:
            self._epochs.append((cycle, hz, self.at(cycle)))

    def at(self, cycle: int) -> int:
        """The time of a cycle."""
        since, hz, at = next(one for one in reversed(self._epochs) if one[0] <= cycle)
        return at + (cycle - since) * PICOSECONDS // hz


class _Scope:
    """The recorded signals of one board."""

    def __init__(self, name: str, board: Board, patterns: Sequence[str]) -> None:
        self.name, self._board = name, board
        outputs, inputs = board.signals()
        there = sorted([*outputs, *inputs], key=lambda signal: signal.partition(".")[0])
        self.signals = [one for one in there if any(fnmatchcase(one, p) for p in patterns)]
        for pattern in patterns:
            if patterns is not USUAL and not any(fnmatchcase(one, pattern) for one in there):
                raise CyclescopeError(
                    f"--vcd-signals {pattern}: {board.name} has no such signal: write "
                    "device.signal as in its file, * for any",
                    code="no-such-signal",
                )
        self._index = {name: index for index, name in enumerate(self.signals)}
        self.first = [board.level(one) if one in outputs else 0 for one in self.signals]
        self.widest = list(self.first)
        self._clock = _Clock(board)
        self._changes: BinaryIO = TemporaryFile()  # noqa: SIM115 (closed by close)
        board.record(self.signals)

    def is_serial(self, index: int) -> bool:
        return self.signals[index].endswith(SERIAL)

    def take(self) -> None:
        """Keeps what changed since."""
        self._clock.refresh()
        for cycle, name, level in self._board.take_recorded():
            index = self._index[name]
            self.widest[index] |= level
            self._changes.write(b"%d %d %d\n" % (self._clock.at(cycle), index, level))

    def changes(self, first_index: int) -> Iterator[Change]:
        """All changes in order; signals count from `first_index`."""
        self._changes.seek(0)
        for line in self._changes:
            at, index, level = map(int, line.split())
            yield at, first_index + index, level

    def close(self) -> None:
        self._changes.close()


class Waves:
    """A dump of several boards, written when it is closed."""

    def __init__(
        self, path: Path, boards: Sequence[tuple[str, Board]], patterns: Sequence[str]
    ) -> None:
        self._path = path
        try:
            self._file = path.open("w", encoding="ascii")
        except OSError as error:
            raise self._unwritable(error) from None
        self._scopes = [_Scope(name, board, patterns or USUAL) for name, board in boards]

    def take(self) -> None:
        """Keeps what changed since."""
        for scope in self._scopes:
            scope.take()

    def close(self) -> None:
        """Writes the file."""
        self.take()
        try:
            with self._file:
                self._file.writelines(self._lines())
        except OSError as error:
            raise self._unwritable(error) from None
        finally:
            for scope in self._scopes:
                scope.close()

    def _lines(self) -> Iterator[str]:
        yield "$comment Cyclescope $end\n$timescale 1 ps $end\n"
        variables: list[tuple[str, int, bool]] = []
        firsts: list[int] = []
        starts: list[int] = []
        for scope in self._scopes:
            starts.append(len(variables))
            yield f"$scope module {scope.name} $end\n"
            last_device = ""
            for index, name in enumerate(scope.signals):
                device, _, signal = name.partition(".")
                if device != last_device:
                    yield "$upscope $end\n" * bool(last_device)
                    yield f"$scope module {device} $end\n"
                last_device = device
                code = _code(2 * len(variables))
                serial = scope.is_serial(index)
                bits = CHARACTER_BITS if serial else max(1, scope.widest[index].bit_length())
                variables.append((code, bits, serial))
                firsts.append(scope.first[index])
                yield f"$var wire {bits} {code} {signal} $end\n"
                if serial:
                    yield f"$var event 1 {_code(2 * len(variables) - 1)} {signal}_sent $end\n"
            yield "$upscope $end\n" * (2 if scope.signals else 1)
        yield "$enddefinitions $end\n#0\n$dumpvars\n"
        for (code, bits, serial), level in zip(variables, firsts, strict=True):
            yield f"b{'x' * bits} {code}\n" if serial else _value(bits, code, level)
        yield "$end\n"
        last = 0
        parts = [scope.changes(start) for scope, start in zip(self._scopes, starts, strict=True)]
        for at, index, level in heapq.merge(*parts, key=lambda change: change[0]):
            code, bits, serial = variables[index]
            if at != last:
                yield f"#{at}\n"
                last = at
            yield _value(bits, code, level)
            if serial:
                yield f"1{_code(2 * index + 1)}\n"

    def _unwritable(self, error: OSError) -> CyclescopeError:
        return CyclescopeError(
            f"--vcd can write nothing: {unwritable(self._path, error, 'name another file')}",
            code="vcd-cannot-be-written",
        )


def _value(bits: int, code: str, level: int) -> str:
    return f"{level}{code}\n" if bits == 1 else f"b{level:b} {code}\n"
