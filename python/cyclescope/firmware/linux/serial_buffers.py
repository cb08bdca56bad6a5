"""Buffers of the serial lines in a running Linux: of the driver, of the tty layer and of n_tty."""

from collections.abc import Iterator

from cyclescope.firmware.linux.built import RAM, RAM_END
from cyclescope.firmware.linux.layout import KernelLayout
from cyclescope.firmware.linux.ram_copy import GuestObject, RamCopy

PAGE = 4096
RING_BYTES = 4096
"""1,024 characters with their status (ATMEL_SERIAL_RINGSIZE)."""


def serial_buffers(ram: RamCopy, kernel: KernelLayout) -> Iterator[GuestObject]:
    """Every buffer of every line, from the driver's table of ports."""
    table = kernel.symbols.named("atmel_ports")
    size = kernel.size("atmel_uart_port")
    for number in range((table.end - table.start) // size):
        port = table.start + number * size
        state = ram.word(port + kernel.offset("uart_port.state"))
        if ram.there(state):
            yield from _of_line(ram, kernel, port, state, f"ttyS{number}")


def _of_line(
    ram: RamCopy, kernel: KernelLayout, port: int, state: int, name: str
) -> Iterator[GuestObject]:
    at = kernel.offset
    for number in (0, 1):
        buffer = port + at("atmel_uart_port.pdc_rx")
        buffer += number * kernel.size("atmel_dma_buffer")
        length = ram.word(buffer + at("atmel_dma_buffer.dma_size"))
        start = ram.word(buffer + at("atmel_dma_buffer.buf"))
        yield from _piece(ram, f"{name}: receive buffer of the PDC", start, length)
    ring = ram.word(port + at("atmel_uart_port.rx_ring") + at("circ_buf.buf"))
    yield from _piece(ram, f"{name}: receive ring of the driver", ring, RING_BYTES)
    sent = ram.word(state + at("uart_state.xmit") + at("circ_buf.buf"))
    yield from _piece(ram, f"{name}: transmit ring of the driver", sent, PAGE)
    tty_port = state + at("uart_state.port")
    buffers = tty_port + at("tty_port.buf")
    first = (ram.word(buffers + at(f"tty_bufhead.{one}")) for one in ("head", "free"))
    for head in first:
        for buffer in ram.chain(head):
            length = ram.word(buffer + at("tty_buffer.size"))
            start = buffer + at("tty_buffer.data")
            yield from _piece(ram, f"{name}: flip buffer", start, 2 * length)
    tty = ram.word(tty_port + at("tty_port.tty"))
    if ram.there(tty):
        data = ram.word(tty + at("tty_struct.disc_data"))
        size = kernel.size("n_tty_data")
        yield from _piece(ram, f"{name}: buffer of n_tty", data, size)
        write = ram.word(tty + at("tty_struct.write_buf"))
        length = ram.word(tty + at("tty_struct.write_cnt"))
        yield from _piece(ram, f"{name}: write buffer of the tty", write, length)


def _piece(ram: RamCopy, name: str, start: int, length: int) -> Iterator[GuestObject]:
    if ram.there(start) and 0 < length < RAM_END - RAM:
        yield GuestObject(name, start, start + length)
