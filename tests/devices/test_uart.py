"""The UART's frames, FIFOs, time-out and errors, to the cycle (docs/timing/uart_16550.md)."""

import pytest
from part import Part

PROGRAM = "uart.c"
THR = RBR = 0xE000_C000
INTERRUPT, TXD, RXD = "uart0.interrupt", "uart0.txd", "uart0.rxd"
PINS = 5
EIGHT_BITS = 3
FIFOS = 1
LEVELS = (1, 4, 8, 14)
RECEIVE, TRANSMIT, LINE = 1, 2, 4
# LSR: empty and idle transmitter; what the receiver adds.
IDLE = 0x60
RECEIVED, OVERRUN, PARITY, FRAMING, BREAK, ERROR_IN_FIFO = 1, 2, 4, 8, 16, 0x80
# Values on rxd that carry an error.
BAD_PARITY, BAD_STOP, BREAK_SEEN = 1 << 8, 1 << 9, 1 << 10
DIVIDERS = ((1, 1), (2, 2), (0, 4))
DIVISOR = 5
# Start, eight data and stop bits of sixteen RCLK, each of them DIVISOR PCLK.
FRAME = 10 * 16 * DIVISOR

divided = pytest.mark.parametrize(("vpbdiv", "divider"), DIVIDERS)


def start(
    part: Part,
    scenario: str,
    *,
    vpbdiv: int = 1,
    divisor: int = DIVISOR,
    fdr: int = 0x10,
    lcr: int = EIGHT_BITS,
    level: int = 0,
    ier: int = 0,
    pinsel: int = PINS,
    count: int = 0,
) -> None:
    """Starts a scenario; `level` is that of the receive FIFO, as FCR codes it."""
    fcr = FIFOS | level << 6
    part.start(
        scenario, vpbdiv, divisor, fdr, lcr, fcr, ier, pinsel, count,
        accessed=[THR], signals=[INTERRUPT],
    )  # fmt: skip


def listening(part: Part, **setting: int) -> int:
    """Starts `listen` and lets it set up; the cycle from which a peer may send."""
    start(part, "listen", **setting)
    part.run_to(2000)
    return part.board.cycle


def heard(part: Part, count: int) -> list[int]:
    """Lets the program read what has come: IIR, then LSR and bytes in turn."""
    part.put("arguments", *7 * [0], 1)
    part.finish()
    return part.values(count)


@divided
@pytest.mark.parametrize("count", (1, 2, 16))
def test_bytes_leave_back_to_back_one_frame_each_from_the_first_write_on(
    part: Part, vpbdiv: int, divider: int, count: int
) -> None:
    start(part, "transmit", vpbdiv=vpbdiv, count=count)
    part.finish()
    begun = part.writes(THR)[-count]
    assert begun % divider == 0, "an access completes at a PCLK edge, where the frame begins"
    frame = FRAME * divider
    expected = [(begun + (n + 1) * frame, ord("A") + n) for n in range(count)]
    assert part.board.receive(TXD) == expected
    # LSR: idle; one byte is on the line, the others wait; idle again.
    waiting = 0x20 if count == 1 else 0
    assert part.values(3) == [IDLE, waiting, IDLE]


@pytest.mark.parametrize(
    ("lcr", "half_bits"),
    [
        (0x00, 14),  # 5 bits: 1 + 5 + 1
        (0x03, 20),  # 8 bits: 1 + 8 + 1
        (0x07, 22),  # 8 bits, two stop bits
        (0x0B, 22),  # 8 bits, parity
        (0x1A, 20),  # 7 bits, parity
        (0x04, 15),  # 5 bits, one and a half stop bits
    ],
)
def test_a_frame_is_as_long_as_its_format_says(part: Part, lcr: int, half_bits: int) -> None:
    start(part, "transmit", lcr=lcr, count=1)
    part.finish()
    (end, _), begun = part.board.receive(TXD)[0], part.writes(THR)[-1]
    assert end - begun == half_bits * 8 * DIVISOR


def test_the_fractional_divider_keeps_the_exact_rate_over_a_long_transfer(part: Part) -> None:
    # 1 + 1/3 PCLK for each of 5: an RCLK of 6 2/3, a frame of 1066 2/3 PCLK.
    start(part, "transmit", fdr=0x31, count=6)
    part.finish()
    begun = part.writes(THR)[-6]
    ends = [end - begun for end, _ in part.board.receive(TXD)]
    assert ends == [1066, 2133, 3200, 4266, 5333, 6400]


def test_sixteen_bytes_wait_behind_the_one_on_the_line_and_one_more_is_lost(part: Part) -> None:
    start(part, "transmit", count=17)
    part.finish()
    assert [value for _, value in part.board.receive(TXD)] == [ord("A") + n for n in range(17)]
    start(part, "transmit", count=18)
    assert len(part.finish_with_reports()) == 1
    assert [value for _, value in part.board.receive(TXD)] == [ord("A") + n for n in range(17)]


@divided
@pytest.mark.parametrize(
    ("count", "frames", "start_up_bits"),
    [
        (1, 0, 9),  # leaves THR at once; one character less its stop bit later
        (2, 1, 9),  # the second follows the first: THR never held two
        (3, 2, 0),  # THR held two: at once
    ],
)
def test_the_transmit_interrupt_rises_when_thr_is_empty_or_after_its_start_up_delay(
    part: Part, vpbdiv: int, divider: int, count: int, frames: int, start_up_bits: int
) -> None:
    start(part, "transmit_interrupt", vpbdiv=vpbdiv, ier=TRANSMIT, count=count)
    part.run_to(30_000)
    begun = part.writes(THR)[-count]
    rise = begun + (frames * FRAME + start_up_bits * 16 * DIVISOR) * divider
    assert part.edges(INTERRUPT, 1) == [rise]
    # Reading IIR, which names it, clears it.
    assert heard(part, 2) == [0xC2, 0xC1]


@pytest.mark.parametrize("level", range(4))
def test_the_receive_interrupt_rises_with_the_byte_that_fills_the_fifo_to_its_level(
    part: Part, level: int
) -> None:
    count = LEVELS[level]
    began = listening(part, level=level, ier=RECEIVE)
    data = bytes(range(100, 100 + count))
    part.board.send(RXD, data)
    part.run_to(began + count * FRAME + 10)
    assert part.edges(INTERRUPT, 1) == [began + count * FRAME]
    found = heard(part, 2 + 2 * count)
    assert found[0] == 0xC4
    assert found[1:-1:2] == count * [IDLE | RECEIVED]
    assert bytes(found[2::2]) == data
    assert found[-1] == IDLE
    # It falls with the read that takes the FIFO below its level: the first.
    assert part.edges(INTERRUPT, 0) == [part.reads(RBR)[0][0]]


@pytest.mark.parametrize("level", (1, 2, 3))
@pytest.mark.parametrize("missing", (1, 2, 3))
def test_bytes_left_below_the_level_time_out(part: Part, level: int, missing: int) -> None:
    count = LEVELS[level] - missing
    began = listening(part, level=level, ier=RECEIVE)
    part.board.send(RXD, bytes(range(count)))
    last = began + count * FRAME
    # (7 x 8 - 2) x 8 + (level - bytes) x 8 + 1 RCLK without a byte coming or going.
    time_out = ((7 * 8 - 2) * 8 + missing * 8 + 1) * DIVISOR
    part.run_to(last + time_out + 10)
    assert part.edges(INTERRUPT, 1) == [last + time_out]
    found = heard(part, 2 + 2 * count)
    assert found[0] == 0xCC
    assert bytes(found[2::2]) == bytes(range(count))
    assert part.edges(INTERRUPT, 0) == [part.reads(RBR)[0][0]]


def test_a_seventeenth_byte_overruns_and_sixteen_are_kept(part: Part) -> None:
    began = listening(part, ier=LINE)
    part.board.send(RXD, bytes(range(17)))
    part.run_to(began + 17 * FRAME + 10)
    assert part.edges(INTERRUPT, 1) == [began + 17 * FRAME]
    found = heard(part, 2 + 2 * 16)
    assert found[0] == 0xC6
    # OE shows once: the read of LSR clears it.
    assert found[1] == IDLE | RECEIVED | OVERRUN
    assert found[3:-1:2] == 15 * [IDLE | RECEIVED]
    assert bytes(found[2::2]) == bytes(range(16))
    assert found[-1] == IDLE


@pytest.mark.parametrize(
    ("error", "shown"), [(BAD_STOP, FRAMING), (BAD_PARITY, PARITY), (BREAK_SEEN, BREAK)]
)
def test_a_line_error_shows_and_interrupts_when_its_byte_is_the_first(
    part: Part, error: int, shown: int
) -> None:
    began = listening(part, ier=LINE)
    sent = [ord("a"), ord("b") | error, ord("c")]
    for n, value in enumerate(sent):
        part.board.drive(RXD, value, began + (n + 1) * FRAME)
    part.run_to(began + 4 * FRAME)
    assert part.edges(INTERRUPT) == [], "a good byte stands before it"
    found = heard(part, 8)
    none, first = 0xC1, IDLE | RECEIVED
    assert found == [
        none,
        first | ERROR_IN_FIFO, ord("a"),
        first | ERROR_IN_FIFO | shown, ord("b"),
        first, ord("c"),
        IDLE,
    ]  # fmt: skip
    # From the read that makes the bad byte the first, to the read of LSR that shows the error.
    assert part.edges(INTERRUPT, 1) == [part.reads(RBR)[0][0]]
    assert len(part.edges(INTERRUPT, 0)) == 1


def test_an_error_in_the_first_byte_interrupts_when_the_byte_comes(part: Part) -> None:
    began = listening(part, ier=LINE)
    part.board.drive(RXD, ord("a") | BAD_STOP, began + FRAME)
    part.run_to(began + FRAME + 10)
    assert part.edges(INTERRUPT, 1) == [began + FRAME]
    assert heard(part, 2) == [0xC6, IDLE | RECEIVED | ERROR_IN_FIFO | FRAMING]


def test_bytes_are_lost_while_pinsel_does_not_give_the_pins_to_the_uart(part: Part) -> None:
    start(part, "transmit", pinsel=0, count=1)
    assert part.finish_with_reports() == [
        "a byte sent while PINSEL does not select TXD: it was lost"
    ]
    assert part.board.receive(TXD) == []
    began = listening(part, pinsel=1)
    part.board.send(RXD, b"x")
    part.run_to(began + 2 * FRAME)
    assert [report["text"] for report in part.board.unmodelled()] == [
        "a byte received while PINSEL does not select RXD: it was lost"
    ]
