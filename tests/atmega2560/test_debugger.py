"""An ATmega2560 under the real avr-gdb, and under packets of its protocol made by hand."""

import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from chip import Chip
from gdb_session import Program, control, shown_registers

from cyclescope.targets.virtual.board import GdbServer

GDB = "avr-gdb"
DATA = 0x80_0000
REGISTERS = 32
RUN_OFFSET = 29
needs_gdb = pytest.mark.skipif(not shutil.which(GDB), reason="avr-gdb is not installed")


@pytest.fixture
def image(build: Callable[..., Path]) -> Path:
    return build("traffic.c", level="-Og", CLOCK=2, TOP=99)


def debugged(image: Path, *commands: str, **bounds: int) -> tuple[Chip, str]:
    """A chip behind a session with gdb, and what gdb printed."""
    chip = Chip(image)
    output, _ = control(chip.board, commands, image, gdb=GDB, **bounds)
    assert "warning" not in output
    return chip, output


def run_freely(image: Path, instructions: int) -> Chip:
    chip = Chip(image)
    chip.board.run(instructions=instructions)
    return chip


def state(chip: Chip) -> tuple[object, ...]:
    """All that a run leaves."""
    board = chip.board
    ram = board.read_memory(DATA + 0x200, 0x2000)
    return board.cycle, board.instructions, board.registers(), ram


@needs_gdb
def test_ten_thousand_steps_end_at_the_cycle_of_the_free_run(image: Path) -> None:
    stepped, output = debugged(image, "stepi 10000", "info registers", "detach")
    free = run_freely(image, 10_000)
    assert state(stepped) == state(free)
    assert free.bytes("taken", 12)[10] > 10, "interrupts were taken"
    shown, true = shown_registers(output), free.board.registers()
    expected = {f"r{n}": true[f"r{n}"] for n in range(REGISTERS)}
    expected |= {"SREG": true["sreg"], "SP": true["sp"], "PC2": true["pc"], "pc": true["pc"] // 2}
    assert shown == expected


@needs_gdb
def test_breakpoints_and_watchpoints_that_are_hit_cost_no_cycle(image: Path) -> None:
    commands = ["break __vector_21", "hbreak by_value", "watch sum", "watch taken[5]"]
    stopped, output = debugged(
        image, *commands, *["continue", "stepi"] * 40, "delete", "continue", instructions=30_000
    )
    assert state(stopped) == state(run_freely(image, 30_000))
    for hit in (
        "Breakpoint 1, ",
        "Breakpoint 2, ",
        "Hardware watchpoint 3: sum",
        "Hardware watchpoint 4: taken[5]\n\nOld value = 0\nNew value = 1\n",
        "exited normally",
    ):
        assert hit in output, hit


@needs_gdb
def test_functions_are_stepped_and_finished_by_their_lines(image: Path) -> None:
    commands = ["tbreak by_value", "continue", "backtrace", "finish", "tbreak ask_oneself"]
    _, output = debugged(image, *commands, "continue", "next", "print $pc", "finish", "kill")
    assert "Value returned is" in output
    frames = re.findall(r"^#\d+ .*? in (\w+) ", output, re.M)
    assert frames[-1] == "main" and "work" in frames
    assert re.search(r"\$\d+ = \(void \(\*\)\(\)\) 0x\w+ <ask_oneself\+\d+>", output)


def repeated(run: re.Match[str]) -> str:
    """The characters that the protocol has encoded as one and their number."""
    return run[1] * (1 + ord(run[2]) - RUN_OFFSET)


class Client:
    """A client of the protocol, without gdb."""

    def __init__(self, port: int) -> None:
        self._line = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._bytes = self._line.makefile("rb")

    def ask(self, packet: str) -> str:
        """Sends a packet; returns the answer."""
        self.send(packet)
        while self._bytes.read(1) != b"$":
            pass
        answer = b"".join(iter(lambda: self._bytes.read(1), b"#"))
        self._bytes.read(2)
        self._line.sendall(b"+")
        return re.sub(r"(.)\*(.)", repeated, answer.decode())

    def send(self, packet: str) -> None:
        checksum = sum(packet.encode()) & 0xFF
        self._line.sendall(f"${packet}#{checksum:02x}".encode())

    def read(self, address: int, count: int) -> bytes:
        return bytes.fromhex(self.ask(f"m{address:x},{count:x}"))

    def write(self, address: int, data: bytes) -> str:
        return self.ask(f"M{address:x},{len(data):x}:{data.hex()}")

    def close(self) -> None:
        self._bytes.close()
        self._line.close()


@contextmanager
def client_of(chip: Chip) -> Iterator[Client]:
    """A client of the chip's server; the run ends with it."""
    server = GdbServer("127.0.0.1", 0)
    serving = threading.Thread(target=server.serve, args=(chip.board, Program(None, None)))
    serving.start()
    client = Client(server.port)
    try:
        yield client
    finally:
        client.send("k")
        client.close()
        serving.join(30)
        assert not serving.is_alive()


def test_registers_have_the_widths_that_gdb_has_built_in(image: Path) -> None:
    chip = run_freely(image, 5000)
    true = chip.board.registers()
    with client_of(chip) as client:
        layout = bytes(true[f"r{n}"] for n in range(REGISTERS)) + bytes([true["sreg"]])
        layout += true["sp"].to_bytes(2, "little") + true["pc"].to_bytes(4, "little")
        assert bytes.fromhex(client.ask("g")) == layout
        assert client.ask("p21") == layout[33:35].hex() and client.ask("p22") == layout[35:].hex()
        assert client.ask("P5=77") == client.ask("P21=f021") == "OK"
        assert client.ask("P21=f0").startswith("E"), "a byte is no stack pointer"
        described = client.ask("qXfer:features:read:target.xml:0,800")
        assert "<architecture>avr:6</architecture></target>" in described
        changed = bytes.fromhex(client.ask("g"))
        assert changed == layout[:5] + b"\x77" + layout[6:33] + b"\xf0\x21" + layout[35:]
        assert client.ask("G" + layout.hex()) == "OK"
        assert bytes.fromhex(client.ask("g")) == layout


def test_all_spaces_and_the_registers_in_them_are_read_and_written(image: Path) -> None:
    chip = run_freely(image, 5000)
    true = chip.board.registers()
    code = chip.board.read_memory(0, 8)
    with client_of(chip) as client:
        assert client.read(0, 8) == code
        assert client.read(0x81_0FFE, 8) == b"\xff\xff", "the EEPROM ends there"
        assert client.write(0x81_0003, b"\x5a\xa5") == "OK"
        assert client.read(0x81_0003, 2) == b"\x5a\xa5"
        assert client.read(DATA, REGISTERS) == bytes(true[f"r{n}"] for n in range(REGISTERS))
        stack = true["sp"].to_bytes(2, "little")
        assert client.read(DATA + 0x5B, 5) == b"\0\0" + stack + bytes([true["sreg"]])
        assert client.write(DATA + 5, b"\x77") == "OK" and client.ask("p5") == "77"
        # GPIOR1 and GPIOR2, which hold what is written, and OCR0A in the middle of its word.
        assert client.write(DATA + 0x4A, b"\x12\x34") == "OK"
        assert client.read(DATA + 0x47, 5) == b"\x63\0\0\x12\x34"
        # A timer of 16 bits: the high byte goes first, and is read with the low one.
        assert client.write(DATA + 0x85, b"\xab") == client.write(DATA + 0x84, b"\xcd") == "OK"
        assert client.read(DATA + 0x84, 2) == b"\xcd\xab" and client.read(DATA + 0x85, 1) == b"\xab"
        assert client.write(0xF00_0000, b"\0").startswith("E")


def test_a_breakpoint_by_packets_stops_before_its_instruction(image: Path) -> None:
    chip = Chip(image)
    at = chip.address("by_value")
    with client_of(chip) as client:
        assert client.ask(f"Z0,{at:x},2") == "OK"
        assert "swbreak" in client.ask("c") or client.ask("?").startswith("T05")
        assert int.from_bytes(bytes.fromhex(client.ask("p22")), "little") == at
        assert client.ask("s").startswith(("S05", "T05"))
        assert int.from_bytes(bytes.fromhex(client.ask("p22")), "little") == at + 2
    free = Chip(image)
    free.board.run(pcs=[at], instructions=10_000)
    assert chip.board.instructions == free.board.instructions + 1


def test_the_line_to_type_names_the_debugger_that_knows_the_core(image: Path) -> None:
    command = [sys.executable, "-m", "cyclescope", "run", "--board", "atmega2560"]
    running = subprocess.Popen(
        [*command, "--image", image, "--gdb", "0"], stderr=subprocess.PIPE, text=True
    )
    try:
        assert running.stderr is not None
        line = running.stderr.readline()
        assert line.startswith(f"{GDB} {image} -ex 'target remote :")
    finally:
        running.kill()
        running.wait()
