"""Devices of the kind `python`: what the engine's own do, errors in one sentence, same bytes."""

import os
import re
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from plain_board import PLAIN_BOARD
from refusals import refused

from cyclescope.cli import execute
from cyclescope.errors import CyclescopeError
from cyclescope.targets.virtual.board import Bench as SeveralBoards
from cyclescope.targets.virtual.board import Board, make_board, read_image
from cyclescope.targets.virtual.infrared import Infrared

BUS = """
[[bus]]
name = "local"
cycles = 3
"""
DEVICE = """
[[device]]
name = "{name}"
{made}
maps = [{{ base = {base:#x}, size = 0x100, bus = "local" }}]
"""
OWN = 'kind = "python"\nparameters = {{ file = "own.py", class = "{name}"{more} }}'
AT, RESULTS = 0x9000_0000, 0x4000
IMPORTS = "from cyclescope.device import Device, Port, Width\n"
TWIN = """
class Twin(Device):
    def reset(self, port):
        self.high = 0

    def read(self, offset, width, port):
        if offset == 0:
            self.high = port.now >> 32
            return port.now & 0xFFFF_FFFF
        return self.high
"""
# Reads a register sixteen times as a word and as a byte, with other instructions between.
READS = """
    mov r0, #0x90000000
    mov r1, #0x4000
    mov r2, #16
again:
    ldr r3, [r0]
    str r3, [r1], #4
    ldrb r3, [r0]
    mul r4, r3, r2
    str r3, [r1], #4
    subs r2, r2, #1
    bne again
end: b end
"""


class Bench:
    """Boards of one folder, with the user's classes in own.py."""

    def __init__(self, folder: Path, assemble: Callable[..., Path]) -> None:
        self.folder, self._assemble = folder, assemble

    def board(self, classes: str, *devices: str, connect: str = "") -> Board:
        """A board with these tables of devices."""
        (self.folder / "own.py").write_text(IMPORTS + classes)
        file = self.folder / "own.toml"
        file.write_text(PLAIN_BOARD + BUS + "".join(devices) + connect)
        return make_board(str(file))

    def one(self, classes: str, name: str, more: str = "", connect: str = "") -> Board:
        """A board with one object of a class at AT."""
        made = OWN.format(name=name, more=more)
        return self.board(classes, DEVICE.format(name="own", made=made, base=AT), connect=connect)

    def load(self, board: Board, source: str) -> None:
        """Puts a program into a board, at reset."""
        board.load(read_image(self._assemble(source)))
        board.reset()

    def run(self, board: Board, source: str, cycles: int = 3_000) -> Any:
        """Runs a program; how it stopped."""
        self.load(board, source)
        return board.run(cycles=cycles)


@pytest.fixture
def bench(tmp_path: Path, assemble: Callable[..., Path]) -> Bench:
    return Bench(tmp_path, assemble)


def words(board: Board, count: int, at: int = RESULTS) -> list[int]:
    return list(struct.unpack(f"<{count}I", board.read_memory(at, 4 * count)))


@pytest.mark.parametrize("tier", ["plain", "blocks"])
def test_a_twin_of_an_engines_device_gives_its_values_at_its_cycles(
    bench: Bench, tier: Any
) -> None:
    """The measurement timer of the engine, and the same in Python."""
    ruler = 'kind = "measurement_timer"'
    boards = [
        bench.board("", DEVICE.format(name="own", made=ruler, base=AT)),
        bench.one(TWIN, "Twin"),
    ]
    seen = []
    for board in boards:
        board.set_tier(tier)
        stop = bench.run(board, READS)
        seen.append((stop["instructions"], words(board, 32), board.registers()))
    assert seen[0] == seen[1]
    assert seen[0][1][0] > 0 and seen[0][1][1] == (seen[0][1][1] & 0xFF)


TICKER = """
class Ticker(Device):
    outputs = ("interrupt", "ticks")

    def __init__(self, period: int = 100) -> None:
        self.period = period

    def reset(self, port):
        self.count = 0
        port.drive("interrupt", 0)
        port.schedule("tick", self.period)

    def read(self, offset, width, port):
        return self.count

    def write(self, offset, width, value, port):
        port.drive("interrupt", 0)
        if value == 99:
            port.cancel("tick")

    def event(self, event, port):
        self.count += 1
        port.send("ticks", 0x100 + self.count)
        port.drive("interrupt", 1)
        port.schedule(event, port.now + self.period)
"""


def test_events_come_at_their_cycles_and_can_be_withdrawn(bench: Bench) -> None:
    board = bench.one(TICKER, "Ticker", ", period = 250")
    bench.load(board, "loop: b loop")
    board.run(cycles=1_100)
    assert board.receive("own.ticks") == [(250 * n, 0x100 + n) for n in (1, 2, 3, 4)]
    assert board.level("own.interrupt") == 1
    stops = "mov r0, #0x90000000\nmov r1, #99\nstr r1, [r0]\nend: b end"
    bench.run(board, stops, cycles=10_000)
    assert board.receive("own.ticks") == [] and board.level("own.interrupt") == 0


def test_a_reset_gives_the_same_run(bench: Bench) -> None:
    board = bench.one(TICKER, "Ticker")
    runs = []
    for _ in range(2):
        bench.run(board, READS)
        runs.append((words(board, 32), board.receive("own.ticks"), board.instructions))
    assert runs[0] == runs[1] and runs[0][0][-1] > 0


def test_its_interrupt_reaches_the_core(bench: Bench) -> None:
    """The handler, at the vector of the IRQ, counts in memory and clears the request."""
    connect = '[[connect]]\nfrom = "own.interrupt"\nto = "core.irq"\n'
    board = bench.one(TICKER, "Ticker", connect=connect)
    handler = (0xE5910000, 0xE2800001, 0xE5810000, 0xE5820000, 0xE25EF004)  # r1 counts, r2 clears
    bench.load(board, "mov r1, #0x4000\nmov r2, #0x90000000\nmsr cpsr_c, #0x13\nloop: b loop")
    board.load_bytes(0x18, struct.pack("<5I", *handler))
    board.reset()
    board.run(cycles=1_050)
    assert words(board, 1) == [10]


WIRES = """
class Inverter(Device):
    inputs = ("into",)
    outputs = ("out",)

    def reset(self, port):
        port.drive("out", 1)

    def changed(self, input, level, port):
        port.drive("out", int(not level))


class Copier(Device):
    outputs = ("done",)

    def reset(self, port):
        port.drive("done", 0)

    def write(self, offset, width, value, port):
        self.left, self.source = value, 0x4000
        port.transfer("read", self.source)

    def transferred(self, event, value, port):
        if value is None:
            return port.drive("done", 2)
        if event == "read":
            return port.transfer("write", self.source + 0x100, write=value ^ 0xFF, burst=True)
        self.source, self.left = self.source + 4, self.left - 1
        if self.left:
            port.transfer("read", self.source)
        else:
            port.drive("done", 1)
"""


def test_inputs_hear_of_levels(bench: Bench) -> None:
    board = bench.one(WIRES, "Inverter")
    bench.load(board, "loop: b loop")
    board.watch(signals=["own.out"])
    board.drive("own.into", 1, 100)
    board.drive("own.into", 0, 205)
    board.run(cycles=300)
    assert board.take_changes() == [(100, "own.out", 0), (205, "own.out", 1)]


def test_transfers_move_data_and_take_the_bus(bench: Bench) -> None:
    source = "mov r0, #0x90000000\nmov r1, #{}\nstr r1, [r0]\nend: b end"
    board = bench.one(WIRES, "Copier")
    board.load_bytes(RESULTS, struct.pack("<3I", 1, 2, 3))
    bench.load(board, source.format(3))
    board.run(cycles=500)
    assert board.level("own.done") == 1
    assert words(board, 4, RESULTS + 0x100) == [0xFE, 0xFD, 0xFC, 0]
    taken = board.instructions
    bench.load(board, source.format(0x10000))  # runs beyond the memory, where nothing answers
    board.run(cycles=500)
    assert board.instructions < taken - 50


POLLED = """
class Polled(Device):
    steady = (0,)

    def reset(self, port):
        self.ready = 0
        port.schedule("ready", 1_000_000)

    def read(self, offset, width, port):
        return self.ready

    def event(self, event, port):
        self.ready = 1
"""
POLL = """
    mov r0, #0x90000000
poll: ldr r1, [r0]
    cmp r1, #0
    beq poll
end: b end
"""


def test_a_loop_that_polls_a_steady_register_is_skipped_to_the_same_cycle(bench: Bench) -> None:
    runs = []
    for classes in (POLLED, POLLED.replace("(0,)", "()")):
        board = bench.one(classes, "Polled")
        bench.load(board, POLL)
        end = board.run(pcs=[0x100 + 16], cycles=2_000_000)
        runs.append((end["cycle"], end["instructions"]))
        assert (board.skipped_cycles > 900_000) == (classes == POLLED)
    assert runs[0] == runs[1] and 1_000_000 <= runs[0][0] < 1_000_020


BAD = """
class Bad(Device):
    outputs = ("out",)

    def reset(self, port):
        pass

    def read(self, offset, width, port):
        if offset == 0x10:
            return self.nothing
        return {0: -1, 4: 1 << 32, 8: "x", 12: None}.get(offset, 0)

    def write(self, offset, width, value, port):
        port.send("out", value)
        ask = {0: lambda: port.drive("into", 1), 4: lambda: port.drive("out", 1 << 32),
               8: lambda: port.schedule("later", -1), 12: lambda: port.transfer("t", 0, width=7),
               16: lambda: port.schedule("later", port.now + 5), 20: lambda: int("a\\nb")}
        ask[offset]()
"""


@pytest.mark.parametrize(
    ("access", "sentence"),
    [
        ("ldr r1, [r0]", "line 9: read(0x0) returned -1, which is no whole number from 0 to"),
        ("ldr r1, [r0, #4]", "line 9: read(0x4) returned 4294967296, which is no whole number"),
        ("ldr r1, [r0, #8]", "line 9: read(0x8) returned 'x', which"),
        ("ldr r1, [r0, #12]", "line 9: read(0xc) returned None, which"),
        ("ldr r1, [r0, #16]", "line 11: AttributeError: 'Bad' object has no attribute 'nothing'"),
        ("str r0, [r0]", 'line 16: ValueError: there is no output "into": outputs has out'),
        ("str r0, [r0, #4]", "line 16: ValueError: level 4294967296 is no whole number"),
        ("str r0, [r0, #8]", "line 17: ValueError: cycle -1 is no whole number"),
        ("str r0, [r0, #12]", "line 17: ValueError: width 7 is not 8, 16 or 32 bits"),
        ("str r0, [r0, #16]", "NotImplementedError: Bad schedules later and has no event()"),
        ("str r0, [r0, #20]", "line 18: ValueError: invalid literal for int() with base 10"),
    ],
)
def test_an_exception_ends_the_run_with_file_and_line_and_loses_nothing(
    bench: Bench, access: str, sentence: str
) -> None:
    """Values sent before are there, and the board can be asked; a reset begins anew."""
    board = bench.one(BAD, "Bad")
    bench.load(board, f"mov r0, #0x90000000\n{access}\nmov r5, #1\nend: b end")
    for _ in range(2):
        stop = board.run(cycles=1_000)
        assert stop["reason"] == "device-failed" and stop["cycle"] < 30
        assert stop["sentence"].startswith('Device "own" failed: own.py')
        assert sentence in stop["sentence"] and "\n" not in stop["sentence"]
        assert stop["sentence"].endswith(".") and not stop["sentence"].endswith("..")
        sent = board.receive("own.out")
        assert [value for _, value in sent] == ([0x90000000] if access.startswith("str") else [])
        board.reset()


def test_the_command_prints_what_it_has_and_exits_with_125(
    bench: Bench, assemble: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    bench.one(BAD, "Bad")
    image = assemble("mov r0, #0x90000000\nldr r1, [r0]\nend: b end")
    board = str(bench.folder / "own.toml")
    assert execute(["run", "--board", board, "--image", str(image), "--dump", "registers"]) == 125
    out = capsys.readouterr().out
    assert out.startswith('Device "own" failed: own.py, line 9: read(0x0) returned -1')
    assert "cycles, " in out and "90000000" in out


@pytest.mark.parametrize(
    ("classes", "name", "more", "naming"),
    [
        (BAD, "Good", "", ["own.py has no class Good", "it has Bad"]),
        ("Good = 7", "Good", "", ["Good in own.py is no Device", "no class there extends it"]),
        (BAD, "Bad", ", speed = 1", ["Bad(…) cannot be made", "speed"]),
        ("class Bad(Device): pass", "Bad", "", ["Bad(…) cannot be made", "reset"]),
        ("import nothing_there", "Bad", "", ["own.py, line 2", "nothing_there"]),
        ("class Bad(Device) pass", "Bad", "", ["own.py, line 2: SyntaxError"]),
        (BAD.replace('("out",)', '"out"'), "Bad", "", ["outputs of Bad", "tuple of names"]),
        (BAD.replace('("out",)', '("a", "a")'), "Bad", "", ["has a name twice"]),
        (BAD.replace("outputs", "steady"), "Bad", "", ["'out' in registers or steady"]),
    ],
)
def test_a_wrong_class_is_one_sentence(
    bench: Bench, classes: str, name: str, more: str, naming: list[str]
) -> None:
    with refused("cyclescope-error", naming=['Device "own"', *naming]) as caught:
        bench.one(classes, name, more)
    assert "\n" not in caught.value.sentence


def test_a_missing_file_or_key_is_one_sentence(bench: Bench) -> None:
    for made, naming in [
        ('kind = "python"\nparameters = { file = "no.py", class = "A" }', "there is no file"),
        ('kind = "python"\nparameters = { file = "own.py" }', "class is missing"),
        ('kind = "python"', "file is missing"),
        ('kind = "python"\nparameters = { file = 7, class = "A" }', "file is missing"),
    ]:
        with refused("cyclescope-error", naming=['Device "own"', naming]):
            bench.board(BAD, DEVICE.format(name="own", made=made, base=AT))


def test_objects_share_nothing(bench: Bench) -> None:
    """Each has its own module, so a global variable counts for one device of one board."""
    classes = """
count = 0

class Counts(Device):
    def reset(self, port):
        pass

    def read(self, offset, width, port):
        global count
        count += 1
        return count
"""
    made = OWN.format(name="Counts", more="")
    tables = [DEVICE.format(name=f"d{n}", made=made, base=AT + 0x1000 * n) for n in (0, 1)]
    source = "mov r0, #0x90000000\nadd r1, r0, #0x1000\n" + "ldr r2, [r0]\n" * 3 + "ldr r3, [r1]\n"
    for _ in range(2):
        board = bench.board(classes, *tables)
        bench.run(board, f"{source}end: b end")
        assert (board.registers()["r2"], board.registers()["r3"]) == (3, 1)


def test_a_board_runs_on_another_thread(bench: Bench) -> None:
    board = bench.one(TWIN, "Twin")
    bench.load(board, READS)
    thread = threading.Thread(target=lambda: board.run(cycles=3_000))
    thread.start()
    thread.join(30)
    assert words(board, 1)[0] > 0


def test_ctrl_c_in_a_device_interrupts_the_run(bench: Bench, assemble: Callable[..., Path]) -> None:
    endless = """
class Endless(Device):
    def reset(self, port):
        pass

    def read(self, offset, width, port):
        print("reading", flush=True)
        while True:
            pass
"""
    bench.one(endless, "Endless")
    image = assemble("mov r0, #0x90000000\nldr r1, [r0]\nend: b end")
    command = [sys.executable, "-m", "cyclescope", "run", "--board"]
    command += [str(bench.folder / "own.toml"), "--image", str(image)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout and program.stderr
        assert program.stdout.readline() == "reading\n"
        os.kill(program.pid, signal.SIGINT)
        error = program.stderr.read()
    assert (program.returncode, error) == (130, "cyclescope: interrupted\n")


def test_the_example_of_the_page_counts(tmp_path: Path, assemble: Callable[..., Path]) -> None:
    """Its class and its tables, as written, on an LPC2148."""
    page = (Path(__file__).parent.parent / "docs" / "reference" / "devices.md").read_text()
    (table,) = re.findall(r"^```toml\n(.*?)^```$", page, re.M | re.S)
    (code,) = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    (tmp_path / "board.toml").write_text(table)
    (tmp_path / "counter.py").write_text(code)
    board = make_board(str(tmp_path / "board.toml"))
    source = "ldr r0, =0xE0070000\nldr r1, [r0]\nmov r2, #200\nstr r2, [r0]\nend: b end"
    board.load(read_image(assemble(source)))
    board.reset()
    board.watch(accessed=[0xE007_0000], signals=["counter.interrupt"])
    board.run(cycles=1_000)
    (read, written) = board.take_accessed()
    assert (read[2], written[2]) == (7, 200)
    assert board.take_changes() == [(written[0] + 200, "counter.interrupt", 1)]


ENDS = """
class Sender(Device):
    inputs = ("heard",)
    outputs = ("said", "noted")

    def reset(self, port):
        port.schedule("say", 250)

    def event(self, event, port):
        port.send("said", port.now & 0xFF)
        port.schedule(event, port.now + 250)

    def changed(self, input, level, port):
        port.send("noted", level)


class Echo(Device):
    inputs = ("heard",)
    outputs = ("said",)

    def reset(self, port):
        pass

    def changed(self, input, level, port):
        port.send("said", level ^ 0xFF)
"""


@pytest.mark.parametrize("delay_cycles", [1, 40])
def test_devices_of_two_boards_answer_each_other_over_wires(
    bench: Bench, delay_cycles: int
) -> None:
    """An answer in the cycle of its cause is back after twice the delay."""
    boards = [("a", bench.one(ENDS, "Sender")), ("b", bench.one(ENDS, "Echo"))]
    for _, board in boards:
        bench.load(board, "loop: b loop")
    wires = [
        ("a.own.said", "b.own.heard", delay_cycles),
        ("b.own.said", "a.own.heard", delay_cycles),
    ]
    several = SeveralBoards(boards, wires)
    several.reset()
    several.run(cycles={"a": 1_200})
    expected = [(n + 2 * delay_cycles, n & 0xFF ^ 0xFF) for n in range(250, 1_001, 250)]
    assert boards[0][1].receive("own.noted") == expected


LIGHT = """
class Light(Device):
    outputs = ("txd", "frame_cycles")
    inputs = ("rxd",)
    announces = ({announced})

    def reset(self, port):
        self.heard = 0
        port.frame(20)

    def read(self, offset, width, port):
        return self.heard

    def write(self, offset, width, value, port):
        port.begin("txd", value)
        port.schedule(str(value), port.now + {lasts})

    def event(self, event, port):
        port.send("txd", int(event))

    def changed(self, input, level, port):
        self.heard = level
"""
SENDS = """
    mov r0, #0x90000000
    mov r1, #0x55
    str r1, [r0]
end: b end
"""
WAITS = "end: b end\n"


def dark_board(folder: Path, assemble: Callable[..., Path], source: str, light: str) -> Board:
    """A board with a device of this class on its line `own`, and a program."""
    folder.mkdir(parents=True)
    bench = Bench(folder, assemble)
    board = bench.one(light, "Light")
    bench.load(board, source)
    return board


def joined(tmp_path: Path, assemble: Callable[..., Path], light: str) -> SeveralBoards:
    """Two boards on an infrared channel, of which the first sends."""
    sources = {"first": SENDS, "second": WAITS}
    boards = [
        (name, dark_board(tmp_path / name, assemble, source, light))
        for name, source in sources.items()
    ]
    channel = Infrared(
        lines=["first.own", "second.own"],
        delay_cycles=0, echo=True, bit_error_rate=0.0, seed=1, directions=[],
    )  # fmt: skip
    return SeveralBoards(boards, [], None, [channel])


def test_a_device_that_announces_its_characters_sends_light(
    tmp_path: Path, assemble: Callable[..., Path]
) -> None:
    bench = joined(tmp_path, assemble, LIGHT.format(announced='"txd",', lasts=200))
    bench.run(until_as=10**16)
    ((_, line, began, ended, value, damaged),) = bench.take_carried()
    assert (line, ended - began, value, damaged) == ("first.own", 200, 0x55, False)


def test_light_that_is_not_announced_or_late_is_refused(
    tmp_path: Path, assemble: Callable[..., Path]
) -> None:
    with pytest.raises(CyclescopeError) as dark:
        joined(tmp_path / "dark", assemble, LIGHT.format(announced="", lasts=200))
    assert "cannot send light" in str(dark.value)
    bench = joined(tmp_path / "late", assemble, LIGHT.format(announced='"txd",', lasts=210))
    with pytest.raises(CyclescopeError) as late:
        bench.run(until_as=10**16)
    assert "light cannot be late" in str(late.value)
