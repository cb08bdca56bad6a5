"""A declared device, which no part has: a USART that knows frames.

It stuffs and checks octets and moves them to and from memory by itself. The processor sees whole
frames alone, without their check. A frame with a wrong check leaves nothing behind but a flag.
"""

from collections.abc import Mapping
from typing import ClassVar

from cyclescope.device import Device, Port, Width
from cyclescope.studies.proposals.frames import BEGIN, CHECK, END, ESCAPE, FLIP, check, make

SAMPLES, CHARACTER_BITS = 16, 10
WHOLE, BROKEN = 1, 2
SENT = "sent"
RECEIVE, FETCH = "receive", "fetch"


class FramingUsart(Device):
    """Its registers are enable, interrupt mask, status and divisor. Then come the place of the next
    frame, the length of the last one, and place and length of a frame to send."""

    outputs = ("txd", "frame_cycles", "interrupt")
    inputs = ("rxd", "halted")
    registers: ClassVar[Mapping[int, str]] = {
        0x00: "FR_CR",
        0x04: "FR_IER",
        0x08: "FR_IDR",
        0x10: "FR_SR",
        0x14: "FR_BRGR",
        0x18: "FR_RPR",
        0x1C: "FR_RLR",
        0x20: "FR_TPR",
        0x24: "FR_TCR",
    }

    def reset(self, port: Port) -> None:
        self.enabled = self.escaped = False
        self.mask = self.status = self.divisor = self.pointer = self.length = 0
        self.frame: bytearray | None = None
        self.sending_from = self.to_fetch = 0
        self.fetched = bytearray()
        self.line: list[int] = []
        port.drive("frame_cycles", 0)
        self._request(port)

    def read(self, offset: int, width: Width, port: Port) -> int:
        if offset == 0x10:
            status = self.status
            self.status &= ~BROKEN
            self._request(port)
            return status
        if offset == 0x1C:
            self.status &= ~WHOLE
            self._request(port)
            return self.length
        return super().read(offset, width, port)

    def write(self, offset: int, width: Width, value: int, port: Port) -> None:
        if offset == 0x00:
            self.enabled = bool(value)
        elif offset == 0x04:
            self.mask |= value
        elif offset == 0x08:
            self.mask &= ~value
        elif offset == 0x14:
            self.divisor = value
            port.drive("frame_cycles", self._character_cycles())
        elif offset == 0x18:
            self.pointer = value
        elif offset == 0x20:
            self.sending_from = value
        elif offset == 0x24:
            self.to_fetch = value
            self.fetched = bytearray()
            self._fetch(port)
        else:
            super().write(offset, width, value, port)
        self._request(port)

    def changed(self, input: str, level: int, port: Port) -> None:
        if input == "rxd" and self.enabled:
            self._receive(level, port)

    def transferred(self, event: str, value: int | None, port: Port) -> None:
        if value is None:
            port.unmodelled("a transfer of the framing USART where nothing answers")
        if event == FETCH:
            self.fetched.append(value or 0)
            self.to_fetch -= 1
            self._fetch(port)

    def event(self, event: str, port: Port) -> None:
        port.send("txd", self.line.pop(0))
        self._next(port)

    def _receive(self, character: int, port: Port) -> None:
        if character == BEGIN:
            self.frame, self.escaped = bytearray(), False
        elif self.frame is None:
            pass
        elif character == END:
            self._end(bytes(self.frame), port)
            self.frame = None
        elif character == ESCAPE:
            self.escaped = True
        else:
            self.frame.append((character ^ FLIP if self.escaped else character) & 0xFF)
            self.escaped = False
            # The last two octets may be the check: they stay here.
            place = len(self.frame) - CHECK - 1
            if place >= 0:
                octet = self.frame[place]
                port.transfer(RECEIVE, self.pointer + place, width=8, write=octet)

    def _end(self, frame: bytes, port: Port) -> None:
        body, sent = frame[:-CHECK], int.from_bytes(frame[-CHECK:], "little")
        sound = len(frame) > CHECK and check(body) == sent
        if sound:
            self.length = len(body)
        self.status |= WHOLE if sound else BROKEN
        self._request(port)

    def _fetch(self, port: Port) -> None:
        if self.to_fetch:
            port.transfer(FETCH, self.sending_from + len(self.fetched), width=8)
        elif self.fetched:
            frame = bytes(self.fetched)
            self.line += make(frame[:1], frame[1], frame[2:])
            self._next(port)

    def _next(self, port: Port) -> None:
        if self.line:
            port.schedule(SENT, port.now + self._character_cycles())

    def _character_cycles(self) -> int:
        return SAMPLES * CHARACTER_BITS * self.divisor

    def _request(self, port: Port) -> None:
        port.drive("interrupt", int(bool(self.status & self.mask)))
