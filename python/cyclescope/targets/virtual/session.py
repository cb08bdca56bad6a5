"""A conversation with the image on a virtual board: its catalogue, and series of samples."""

import math
from collections.abc import Container, Iterator
from contextlib import contextmanager
from functools import cached_property

import numpy as np

from cyclescope import wire
from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware.board_firmware import BoardFirmware
from cyclescope.target.case import Case
from cyclescope.target.series import Kind, RawSamples, Series
from cyclescope.target.target import CaseFailed, DoesNotFit, TurnedDown
from cyclescope.targets.virtual.board import Board, Image
from cyclescope.targets.virtual.uart import UartTransport

GREETING_S = 0.1
"""Longest wait for the zero that the firmware sends when it begins to listen."""

TICKS = 2
"""A silence of so many ticks of the kernel is none: series begin just behind a tick."""

BUFFER = "sample_buffer"
"""The symbol of the harness's samples, which lie there as they would go over the wire."""

SAMPLE = np.dtype([("start", "<u4"), ("stop", "<u4"), ("flags", "u1")])
"""`wire.SAMPLE` as numpy says it."""

Catalogue = tuple[wire.Hello, tuple[wire.CaseDescription, ...]]


class Session:
    """The conversation, which begins anew with each reset; `plans` names a fragment's cases.

    Requests and their answers go over the board's own serial line. Samples are read from the
    harness's buffer, as a debug adapter would: the line would take longer than the calls."""

    def __init__(
        self,
        board: Board,
        image: Image,
        firmware: BoardFirmware,
        plans: Container[str],
        patience_s: float,
        catalogue: Catalogue | None = None,
        greeting_s: float = GREETING_S,
    ) -> None:
        self._board, self._image = board, image
        self._wire = boards.require(firmware.wire, board.name, "wire")
        self._where = firmware.roomier.place if firmware.roomier else "in shorter series"
        self._plans, self._patience_s = plans, patience_s
        self._greeting_s = greeting_s
        self._silence_s = wire.TIMEOUT_S
        self.reset()
        self.catalogue = catalogue or (self._link.hello(), tuple(self._link.cases()))
        self.hello, described = self.catalogue
        if self.hello.tick_hz:
            self._silence_s = max(self._silence_s, TICKS / self.hello.tick_hz)
            self._link.timeout_s = self._silence_s
        self._described = {one.name: one for one in described}
        self.cases = [one.case for one in described]

    def reset(self) -> None:
        """Power-on state, image loaded, the firmware listening."""
        self._board.reset()
        line = UartTransport(self._board, self._wire)
        line.read(self._greeting_s)
        self._link = wire.Link(line, timeout_s=self._silence_s)

    def execute(
        self,
        case: Case,
        parameter: int | None,
        length: int,
        kind: Kind,
        at_most_s: float = math.inf,
    ) -> int:
        """Runs a series, and says how many samples the target holds then."""
        index = self._described[case.name].index
        patience_s = min(self._patience_s, at_most_s)
        with self._in_sentences(case, patience_s):
            return self._link.execute(
                index, length, parameter or 0, options=wire.OPTIONS[kind], patience_s=patience_s
            )

    @cached_property
    def _buffer(self) -> int:
        """Address of the samples; an image whose program is a workload has none."""
        return self._image.address_of(BUFFER)

    def fetch(self, count: int) -> RawSamples:
        """The first `count` samples of the series executed last."""
        data = self._board.read_memory(self._buffer, count * wire.SAMPLE_BYTES)
        found = np.frombuffer(data, SAMPLE)
        return RawSamples(
            found["start"].astype(np.uint32),
            found["stop"].astype(np.uint32),
            found["flags"] & wire.TICK != 0,
        )

    def run(
        self,
        case: Case,
        parameter: int | None,
        length: int,
        kind: Kind,
        at_most_s: float = math.inf,
    ) -> Series:
        """Runs a series and fetches its samples."""
        count = self.execute(case, parameter, length, kind, at_most_s)
        return Series(length, kind, self.fetch(count))

    @contextmanager
    def _in_sentences(self, case: Case, patience_s: float) -> Iterator[None]:
        """Converts errors of the wire into sentences about the case, which ends in `patience_s`."""
        try:
            yield
        except wire.SeriesDoesNotFit as error:
            needed_bytes, available_bytes = error.needed_bytes, error.available_bytes
            raise DoesNotFit(case.name, needed_bytes, available_bytes, self._where) from error
        except wire.NoAnswer as error:
            if case.name in self._plans:
                raise CyclescopeError(
                    f"{case.name} has not come to an end in {patience_s:g} s of the board's time: "
                    "does the fragment return? If it does, ask for fewer rounds or executions",
                    code="fragment-does-not-end-on-board",
                ) from error
            waited = f"a series has not come to an end in {patience_s:g} s of the board's time"
            known = math.isfinite(patience_s)
            raise CaseFailed(case.name, waited if known else error.sentence) from error
        except wire.RequestRefused as error:
            if error.reason is not wire.Reason.SYSTEM:
                raise CaseFailed(case.name, error.sentence) from error
            raise TurnedDown(case.name, error.refused_call) from error
        except (wire.WireError, wire.TargetFault) as error:
            raise CaseFailed(case.name, error.sentence) from error
