"""A player of samples: a FIFO of 16 bytes, from which it sends one in each period.

Registers are words.

| offset | register | |
|---|---|---|
| 0x00 | CONTROL | bit 0 PLAY; bit 1 interrupt while there is space; bit 2 interrupt when DONE |
| 0x04 | STATUS | bits 7:0 samples in the FIFO; bit 8 DONE; bits 31:16 underruns |
| 0x08 | DATA | a write puts a sample into the FIFO |
| 0x0C | PERIOD | cycles of the peripheral clock for each sample |
| 0x10 | TRIGGER | there is space while the FIFO has at most so many samples |
| 0x14 | LENGTH | it plays so many samples, then it is DONE |
| 0x18 | CRC | CRC-16/CCITT-FALSE of the samples that it has played |
"""

from cyclescope.device import Device, Port, Width

CONTROL, STATUS, DATA, PERIOD, TRIGGER, LENGTH, CRC = range(0x00, 0x1C, 4)
PLAY, INTERRUPT_ON_SPACE, INTERRUPT_WHEN_DONE = 1, 2, 4
DONE = 1 << 8
DEPTH = 16


def crc16(crc: int, byte: int) -> int:
    """One byte more under a CRC-16/CCITT-FALSE."""
    crc ^= byte << 8
    for _ in range(8):
        crc = crc << 1 ^ (0x1021 if crc & 0x8000 else 0)
    return crc & 0xFFFF


class Player(Device):
    """The device; the head of this file has its registers."""

    inputs = ("pclk_divider",)
    outputs = ("interrupt", "sample")
    registers = {  # noqa: RUF012 (nobody changes it)
        CONTROL: "CONTROL", STATUS: "STATUS", DATA: "DATA", PERIOD: "PERIOD",
        TRIGGER: "TRIGGER", LENGTH: "LENGTH", CRC: "CRC",
    }  # fmt: skip

    def reset(self, port: Port) -> None:
        self.control, self.period, self.trigger, self.length = 0, 1, 0, 0
        self.fifo: list[int] = []
        self.played, self.underruns, self.crc = 0, 0, 0xFFFF
        self.divider = 1
        port.drive("interrupt", 0)

    def changed(self, input: str, level: int, port: Port) -> None:
        self.divider = max(level, 1)

    def read(self, offset: int, width: Width, port: Port) -> int:
        if offset == STATUS:
            return len(self.fifo) | self.done * DONE | self.underruns << 16
        if offset == CRC:
            return self.crc
        return super().read(offset, width, port)

    def write(self, offset: int, width: Width, value: int, port: Port) -> None:
        if offset == CONTROL:
            if value & PLAY and not self.control & PLAY:
                port.schedule("period", port.now + self.period * self.divider)
            self.control = value
        elif offset == DATA and len(self.fifo) < DEPTH:
            self.fifo.append(value & 0xFF)
        elif offset == DATA:
            port.unmodelled("a sample written to the full FIFO of the player: it was lost")
        elif offset == PERIOD:
            self.period = max(value, 1)
        elif offset == TRIGGER:
            self.trigger = value
        elif offset == LENGTH:
            self.length = value
        else:
            super().write(offset, width, value, port)
        self.request(port)

    def event(self, event: str, port: Port) -> None:
        """A period is over: the next sample, or an underrun."""
        if self.fifo:
            sample = self.fifo.pop(0)
            self.crc = crc16(self.crc, sample)
            self.played += 1
            port.send("sample", sample)
        else:
            self.underruns = min(self.underruns + 1, 0xFFFF)
        if not self.done and self.control & PLAY:
            port.schedule(event, port.now + self.period * self.divider)
        self.request(port)

    @property
    def done(self) -> bool:
        return self.length > 0 and self.played >= self.length

    def request(self, port: Port) -> None:
        """Drives the interrupt by what is enabled and what holds."""
        space = self.control & INTERRUPT_ON_SPACE and len(self.fifo) <= self.trigger
        ended = self.control & INTERRUPT_WHEN_DONE and self.done
        port.drive("interrupt", int(bool(space or ended)))
