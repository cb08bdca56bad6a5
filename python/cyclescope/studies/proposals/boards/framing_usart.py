"""A declared device, which no part has: a USART that knows frames.

It stuffs and checks octets and moves them to and from memory by itself. The processor sees whole
frames alone, without their check. A frame with a wrong check leaves nothing behind but a flag.
"""

from collections.abc import Mapping
from typing import ClassVar

from cyclescope.device import Device, Port, Width
from cyclescope.wire.infrared.line import BOF, EOF, ESCAPE, FCS_BYTES, FLIP, fcs, wrapped

SAMPLES, CHARACTER_BITS = 16, 10
ENABLE, HALF_DUPLEX = 1, 2
WHOLE, BROKEN, SENT, HEARD = 1, 2, 4, 8
LONGEST = 0xFFFF
CHARACTER = "character"
RECEIVE, FETCH = "receive", "fetch"


class FramingUsart(Device):
    """Its registers are those of usart/framing_registers.h. Half duplex, it hears nothing while it
    sends. A character with an error of its frame breaks off what is received."""

    outputs = ("txd", "frame_cycles", "interrupt")
    inputs = ("rxd", "halted")
    announces = ("txd",)
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
        0x28: "FR_XFR",
        0x2C: "FR_RMR",
    }

    def reset(self, port: Port) -> None:
        self.control = 0
        self.escaped = False
        self.mask = self.status = self.divisor = self.pointer = self.length = self.extra_flags = 0
        self.most = LONGEST
        self.frame: bytearray | None = None
        self.sending_from = self.to_fetch = 0
        self.fetched = bytearray()
        self.line: list[int] = []
        port.drive("frame_cycles", 0)
        self._request(port)

    def read(self, offset: int, width: Width, port: Port) -> int:
        if offset == 0x10:
            status = self.status
            self.status &= WHOLE
            self._request(port)
            return status
        if offset == 0x1C:
            self.status &= ~WHOLE
            self._request(port)
            return self.length
        return super().read(offset, width, port)

    def write(self, offset: int, width: Width, value: int, port: Port) -> None:
        match offset:
            case 0x00:
                self.control = value
            case 0x04:
                self.mask |= value
            case 0x08:
                self.mask &= ~value
            case 0x14:
                self.divisor = value
                port.frame(SAMPLES * value)
                port.drive("frame_cycles", self._character_cycles())
            case 0x18:
                self.pointer = value
            case 0x20:
                self.sending_from = value
            case 0x24:
                self._begin_frame(value, port)
            case 0x28:
                self.extra_flags = value
            case 0x2C:
                self.most = value
            case _:
                super().write(offset, width, value, port)
        self._request(port)

    def changed(self, input: str, level: int, port: Port) -> None:
        if input == "rxd" and self.control & ENABLE:
            if self.control & HALF_DUPLEX and self._is_sending():
                return
            self.status |= HEARD
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
        if not self.line:
            self.status |= SENT
            self._request(port)

    def _receive(self, character: int, port: Port) -> None:
        if character == BOF:
            self.frame, self.escaped = bytearray(), False
        elif self.frame is None:
            pass
        elif character > 0xFF or (self.escaped and character == EOF):
            self.frame = None
        elif character == EOF:
            self._end(bytes(self.frame), port)
            self.frame = None
        elif character == ESCAPE:
            self.escaped = True
        else:
            self._take(self.frame, character ^ FLIP if self.escaped else character, port)
            self.escaped = False

    def _take(self, frame: bytearray, octet: int, port: Port) -> None:
        """Keeps an octet. The last two may be the check, so the one before them is known now."""
        frame.append(octet)
        place = len(frame) - FCS_BYTES - 1
        if place >= self.most:
            self.frame = None
            self.status |= BROKEN
            self._request(port)
        elif place >= 0:
            port.transfer(RECEIVE, self.pointer + place, width=8, write=frame[place])

    def _end(self, frame: bytes, port: Port) -> None:
        body, sent = frame[:-FCS_BYTES], int.from_bytes(frame[-FCS_BYTES:], "little")
        sound = len(frame) > FCS_BYTES and fcs(body) == sent
        if sound:
            self.length = len(body)
        self.status |= WHOLE if sound else BROKEN
        self._request(port)

    def _begin_frame(self, length: int, port: Port) -> None:
        self.to_fetch = length
        self.fetched = bytearray()
        if self.control & HALF_DUPLEX:
            self.frame = None
        self._fetch(port)

    def _fetch(self, port: Port) -> None:
        if self.to_fetch:
            port.transfer(FETCH, self.sending_from + len(self.fetched), width=8)
        elif self.fetched:
            is_idle = not self.line
            self.line += wrapped(bytes(self.fetched), self.extra_flags)
            self.fetched = bytearray()
            if is_idle:
                self._next(port)

    def _next(self, port: Port) -> None:
        if self.line:
            port.begin("txd", self.line[0])
            port.schedule(CHARACTER, port.now + self._character_cycles())

    def _is_sending(self) -> bool:
        return bool(self.line or self.to_fetch)

    def _character_cycles(self) -> int:
        return SAMPLES * CHARACTER_BITS * self.divisor

    def _request(self, port: Port) -> None:
        port.drive("interrupt", int(bool(self.status & self.mask)))
