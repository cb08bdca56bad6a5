"""Bench files: boards with their programs, wires and peers (docs/reference/bench.md)."""

import tomllib
from pathlib import Path
from typing import Any

from pydantic import Field, StrictBool, ValidationError

from cyclescope import input_files
from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.record import Record
from cyclescope.targets.virtual.infrared import Infrared

KEYS = "docs/reference/bench.md"


class BenchBoard(Record):
    """One board, with what runs on it; paths are relative to the file."""

    name: str = Field(pattern="^[A-Za-z_][A-Za-z0-9_-]*$")
    board: str = boards.USUAL
    image: str | None = None
    load: tuple[str, ...] = ()
    entry: str | None = None
    until: tuple[str, ...] = ()


class BenchWire(Record):
    """A wire from an output to an input, or, between two serial lines, one for each way."""

    from_: str | None = Field(default=None, alias="from")
    to: str | None = None
    between: tuple[str, str] | None = None
    delay_cycles: int = Field(default=0, ge=0, lt=2**63)

    def ways(self) -> list[tuple[str, str, int]]:
        """Output, input and delay of each wire; none if the entry is not understood."""
        if self.between is not None and self.from_ is None and self.to is None:
            one, other = self.between
            return [
                (f"{one}.txd", f"{other}.rxd", self.delay_cycles),
                (f"{other}.txd", f"{one}.rxd", self.delay_cycles),
            ]
        if self.between is None and self.from_ is not None and self.to is not None:
            return [(self.from_, self.to, self.delay_cycles)]
        return []


class BenchInfrared(Record):
    """A half-duplex infrared channel between serial lines, each `board.device`."""

    lines: tuple[str, ...]
    delay_cycles: int = Field(default=0, ge=0, lt=2**63)
    echo: StrictBool = True
    bit_error_rate: float = Field(default=0.0, ge=0, le=1)
    seed: int = Field(default=1, ge=0, lt=2**64)

    def channel(self) -> Infrared:
        """The channel as the engine takes it."""
        return Infrared(
            lines=self.lines,
            delay_cycles=self.delay_cycles,
            echo=self.echo,
            bit_error_rate=self.bit_error_rate,
            seed=self.seed,
            directions=(),
        )


class BenchPeer(Record):
    """A program or a file of the host on a serial line, named `board.device`."""

    line: str
    where: str


class BenchFile(Record):
    """A whole file. No serial wire is faster than `baud`, in bits a second."""

    baud: int | None = Field(default=None, ge=1, lt=2**32)

    board: tuple[BenchBoard, ...] = Field(min_length=1)
    wire: tuple[BenchWire, ...] = ()
    infrared: tuple[BenchInfrared, ...] = ()
    peer: tuple[BenchPeer, ...] = ()

    @property
    def wires(self) -> list[tuple[str, str, int]]:
        """Output, input and delay of each wire."""
        return [way for wire in self.wire for way in wire.ways()]

    @property
    def channels(self) -> list[Infrared]:
        """The infrared channels as the engine takes them."""
        return [channel.channel() for channel in self.infrared]

    @property
    def wired(self) -> set[str]:
        """Signals that lead to another board, or come from one."""
        lights = [line for channel in self.infrared for line in channel.lines]
        light = {f"{line}.{end}" for line in lights for end in ("txd", "rxd")}
        return light | {signal for way in self.wires for signal in way[:2]}


def read(path: Path) -> BenchFile:
    """The bench that a file describes; refuses one with unknown keys, by name."""
    try:
        found: dict[str, Any] = tomllib.loads(input_files.read_there(path).decode())
        bench = BenchFile.model_validate(found)
    except UnicodeDecodeError:
        raise _wrong(path, "it is not text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise _wrong(path, str(error)) from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise _wrong(path, f"{place}: {first['msg']}") from None
    for n, wire in enumerate(bench.wire):
        if not wire.ways():
            raise _wrong(path, f"wire {n + 1} needs from and to, or between alone")
    for n, channel in enumerate(bench.infrared):
        if len(channel.lines) < 2:
            raise _wrong(path, f"infrared {n + 1} needs two lines or more")
    return bench


def _wrong(path: Path, why: str) -> CyclescopeError:
    return CyclescopeError(
        f"{path} is not a bench file: {why}; {KEYS} lists its keys", code="not-a-bench-file"
    )
