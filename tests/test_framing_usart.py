"""The declared USART that knows frames, by itself: the frames that it hands over or drops."""

from typing import Any

import pytest

from cyclescope.studies.proposals.boards.framing_usart import (
    BROKEN,
    ENABLE,
    HALF_DUPLEX,
    HEARD,
    SENT,
    WHOLE,
    FramingUsart,
)
from cyclescope.wire.infrared import wrapped

CR, SR, BRGR, RPR, RLR, TPR, TCR, RMR = 0x00, 0x10, 0x14, 0x18, 0x1C, 0x20, 0x24, 0x2C
PLACE, MOST = 0x1000, 20


class Surroundings:
    """Memory at once, and a line whose characters go when the device is asked for its event."""

    def __init__(self) -> None:
        self.now = 0
        self.memory: dict[int, int] = {}
        self.sent: list[int] = []
        self.planned: list[tuple[str, int]] = []
        self.fetches: list[tuple[str, int]] = []

    def drive(self, output: str, level: int) -> None: ...
    def frame(self, cycles: int) -> None: ...
    def begin(self, output: str, value: int) -> None: ...

    def send(self, output: str, value: int) -> None:
        self.sent.append(value)

    def schedule(self, event: str, cycle: int) -> None:
        self.planned.append((event, cycle))

    def transfer(self, event: str, address: int, *, width: int, write: int | None = None) -> None:
        assert width == 8
        if write is None:
            self.fetches.append((event, self.memory[address]))
        else:
            self.memory[address] = write


@pytest.fixture
def port() -> Any:
    return Surroundings()


@pytest.fixture
def usart(port: Any) -> FramingUsart:
    device = FramingUsart()
    device.reset(port)
    for offset, value in ((RPR, PLACE), (RMR, MOST), (BRGR, 18), (CR, ENABLE)):
        device.write(offset, 32, value, port)
    return device


def hear(usart: FramingUsart, port: Any, line: bytes) -> int:
    """The status after these characters."""
    for character in line:
        usart.changed("rxd", character, port)
    return usart.read(SR, 32, port)


def kept(port: Any) -> bytes:
    return bytes(port.memory[PLACE + place] for place in range(len(port.memory)))


@pytest.mark.parametrize("content", [b"ab", bytes(range(0x70, 0x70 + MOST)), b"\x7d\xc0\xc1\xff"])
def test_a_sound_frame_stands_in_memory_without_check_and_escapes(
    content: bytes, usart: FramingUsart, port: Any
) -> None:
    assert hear(usart, port, wrapped(content, 3)) == WHOLE | HEARD
    assert usart.read(RLR, 32, port) == len(content)
    assert kept(port) == content
    assert usart.read(SR, 32, port) == 0


@pytest.mark.parametrize(
    "line",
    [
        wrapped(bytes(MOST + 1)),
        wrapped(b"content").replace(b"o", b"O"),
        wrapped(b"")[:1] + b"\x00\x00\xc1",
    ],
    ids=["too long", "a wrong octet", "nothing but a check"],
)
def test_a_broken_frame_leaves_a_flag_alone(line: bytes, usart: FramingUsart, port: Any) -> None:
    assert hear(usart, port, line) == BROKEN | HEARD
    assert len(port.memory) <= MOST


def test_an_aborted_frame_leaves_nothing(usart: FramingUsart, port: Any) -> None:
    assert hear(usart, port, b"\xc0abcd\x7d\xc1") == HEARD
    assert hear(usart, port, wrapped(b"next")) == WHOLE | HEARD


def test_a_frame_is_sent_character_by_character_and_not_heard(
    usart: FramingUsart, port: Any
) -> None:
    """A character takes 160 samples of the divisor; half duplex the receiver is off meanwhile."""
    usart.write(CR, 32, ENABLE | HALF_DUPLEX, port)
    content = b"\xc0is sent"
    port.memory = {PLACE + place: octet for place, octet in enumerate(content)}
    usart.write(TPR, 32, PLACE, port)
    usart.write(TCR, 32, len(content), port)
    while port.fetches:
        event, value = port.fetches.pop(0)
        usart.transferred(event, value, port)
    line = wrapped(content)
    for _ in line:
        (event, cycle) = port.planned.pop(0)
        assert cycle == port.now + 160 * 18
        port.now = cycle
        usart.changed("rxd", 0xC0, port)
        usart.event(event, port)
    assert bytes(port.sent) == line and not port.planned
    assert usart.read(SR, 32, port) == SENT
    assert hear(usart, port, wrapped(b"heard")) == WHOLE | HEARD
