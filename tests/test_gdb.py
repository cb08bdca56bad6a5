"""A board under the real gdb: gdb sees and changes what is there, and costs no cycle."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from gdb_session import SOURCES, TIERS, Debugged, Tier, shown_registers

DATA_BYTES = 0x1000


@pytest.fixture(params=SOURCES)
def debugged(request: pytest.FixtureRequest, assemble: Callable[..., Path]) -> Debugged:
    source, base, data = SOURCES[request.param]
    return Debugged(request.param, assemble(source, base), data, DATA_BYTES)


@pytest.mark.parametrize("tier", TIERS)
def test_ten_thousand_steps_end_at_the_cycle_of_the_free_run(debugged: Debugged, tier: Tier):
    stepped, free = debugged.fresh(tier), debugged.fresh(tier)
    output, stop = debugged.control(stepped, ["stepi 10000", "info registers", "detach"])
    free.run(instructions=10_000)
    assert stop is None and stepped.instructions == 10_000
    assert debugged.state(stepped) == debugged.state(free)
    shown, true = shown_registers(output), free.registers()
    assert {name: true[name] for name in shown if name in true} == {
        name: value for name, value in shown.items() if name in true
    }
    count = free.read_memory(debugged.data + 16, 4)
    assert int.from_bytes(count, "little") > 10, "interrupts were taken"


@pytest.mark.parametrize("tier", TIERS)
def test_breakpoints_and_watchpoints_that_are_hit_cost_no_cycle(debugged: Debugged, tier: Tier):
    stopped, free = debugged.fresh(tier), debugged.fresh(tier)
    commands = [
        "break irq", "hbreak leaf", f"awatch *(int*){debugged.data + 4}",
        f"rwatch *(char*){debugged.data + 1}", *["continue", "stepi"] * 150, "delete", "continue",
    ]  # fmt: skip
    output, stop = debugged.control(stopped, commands, instructions=20_000)
    assert stop == free.run(instructions=20_000)
    assert debugged.state(stopped) == debugged.state(free)
    for hit in (
        "Breakpoint 1, ",
        "Breakpoint 2, ",
        "access (read/write) watchpoint 3",
        "read watchpoint 4",
        "exited normally",
    ):
        assert output.count(hit) >= 1, hit


def test_registers_after_each_of_a_thousand_steps_are_those_of_a_plain_run(debugged: Debugged):
    names = [*(f"r{n}" for n in range(13)), "sp", "lr", "cpsr", "r13_irq", "r14_irq", "spsr_irq"]
    banked = ["r13_svc", "r14_svc", "spsr_svc", "r8_fiq", "r13_usr"]
    template, values = " ".join("%08x" for _ in ["pc", *names, *banked]), [*names, *banked]
    listed = ", ".join(f"${name}" for name in ["pc", *values])
    steps = ["set $n = 0", f'while $n < 1000\nstepi\nprintf "{template}\\n", {listed}\n'
             "set $n = $n + 1\nend"]  # fmt: skip
    script = debugged.image.parent / "steps.gdb"
    script.write_text("\n".join(steps) + "\n")
    board, free = debugged.fresh(), debugged.fresh("plain")
    output, _ = debugged.control(board, [f"source {script}", "detach"])
    lines = re.findall(rf"^(?:[0-9a-f]{{8}} ?){{{1 + len(values)}}}$", output, re.M)
    assert len(lines) == 1000
    core = {"sp": "r13", "lr": "r14"}
    interrupted = 0
    for n, line in enumerate(lines):
        stop, true = free.run(instructions=n + 1), free.registers()
        expected = [stop["pc"], *(true[core.get(name, name)] for name in values)]
        assert [int(word, 16) for word in line.split()] == expected, n
        interrupted += true["cpsr"] & 0x1F == 0x12
    assert interrupted > 10


def test_a_breakpoint_changes_no_memory(debugged: Debugged):
    board = debugged.fresh()
    code = board.read_memory(debugged.at("leaf") & ~0xFF, 0x200)
    seen: list[bytes] = []

    def monitor(command: str) -> str:
        seen.append(board.read_memory(debugged.at("leaf") & ~0xFF, 0x200))
        return f"heard {command}\n"

    commands = ["set breakpoint always-inserted on", "break leaf", "break irq", "monitor look",
                "continue", "monitor look"]  # fmt: skip
    output, _ = debugged.control(board, commands, monitor=monitor)
    assert seen == [code, code]
    assert output.count("heard look") == 2
    assert "Breakpoint 1" in output


def test_memory_and_registers_are_written(debugged: Debugged):
    board = debugged.fresh()
    data, leaf = debugged.data, debugged.at("leaf")
    commands = [
        "stepi 200", f"set *(short*){data + 0x101} = 0x1234", f"x/xh {data + 0x101}",
        *(f"set ${name} = {value}" for name, value in {
            "r3": 33, "r9": 99, "r13_irq": data + 0x300, "spsr_irq": 0x600000D1,
            "r8_fiq": 8, "r12_fiq": 12, "r14_und": 14, "spsr_abt": 0x10}.items()),
        "set $cpsr = 0x2000009f", f"set $pc = {leaf}", f"set $sp = {data + 0x700}",
        "frame 0", "info registers", "detach",
    ]  # fmt: skip
    output, _ = debugged.control(board, commands)
    assert board.read_memory(data + 0x100, 4)[1:3] == b"\x34\x12"
    true = board.registers()
    wanted = {"r3": 33, "r9": 99, "r13_irq": data + 0x300, "spsr_irq": 0x6000_00D1, "r8_fiq": 8,
              "r12_fiq": 12, "r14_und": 14, "spsr_abt": 0x10, "r13_usr": data + 0x700,
              "r13": data + 0x700, "cpsr": 0x2000_009F}  # fmt: skip
    assert {name: true[name] for name in wanted} == wanted
    assert shown_registers(output)["pc"] == leaf
    before = board.cycle
    assert board.run(instructions=board.instructions + 3)["pc"] != leaf
    assert board.registers()["r7"] == true["r4"] << 3 & 0xFFFF_FFFF
    assert board.cycle > before


def test_the_core_executes_an_instruction_that_gdb_has_just_written(debugged: Debugged):
    board = debugged.fresh()
    commands = ["stepi 100", "set *(int*)$pc = 0xe3a0304d", "stepi", "print $r3", "detach"]
    output, _ = debugged.control(board, commands)
    assert "$1 = 77" in output and board.registers()["r3"] == 77


DEVICES = {"lpc2148": (0xE000_4000, 0xE000_C000, 0xFFFF_F000), "at91x40": (
    0xFFFE_0000, 0xFFFD_0000, 0xFFFF_F100)}  # fmt: skip


def test_reading_device_registers_disturbs_nothing(debugged: Debugged):
    read, free = debugged.fresh(), debugged.fresh()
    looks = [f"x/16wx {base}" for base in DEVICES[debugged.name]]
    commands = ["stepi 300", *["stepi 2", *looks, f"x/3xb {DEVICES[debugged.name][0]}"] * 350]
    output, _ = debugged.control(read, [*commands, "detach"])
    free.run(instructions=1000)
    assert debugged.state(read) == debugged.state(free)
    interrupted = {"lpc2148": r"^0xe0004000:\s0x00000001", "at91x40": r"^0xfffe0020:\s0x0*10014"}
    assert re.search(interrupted[debugged.name], output, re.M), "a request that waits is shown"


def test_writing_a_device_register_acts_without_a_cycle(debugged: Debugged):
    board = debugged.fresh()
    clear, index = {"lpc2148": (0xFFFF_F014, 0x10), "at91x40": (0xFFFF_F124, 0x10)}[debugged.name]
    commands = [
        "stepi 300",
        "monitor now",
        f"set *(int*){clear} = {index}",
        "monitor now",
        "detach",
    ]
    cycles: list[int] = []

    def monitor(command: str) -> str:
        cycles.append(board.cycle)
        return ""

    debugged.control(board, commands, monitor=monitor)
    assert cycles[0] == cycles[1]
    count = board.read_memory(debugged.data + 16, 4)
    board.run(instructions=10_000)
    assert board.read_memory(debugged.data + 16, 4) == count, "the interrupt is disabled"


def test_an_address_where_nothing_is_cannot_be_read(debugged: Debugged):
    board = debugged.fresh()
    output, _ = debugged.control(board, ["x/x 0x90000000", "detach"])
    assert "Cannot access memory at address 0x90000000" in output


def test_hits_of_a_watchpoint_are_the_accesses_that_the_truth_records(debugged: Debugged):
    watched, free = debugged.fresh(), debugged.fresh()
    stops: list[int] = []

    def monitor(command: str) -> str:
        stops.append(watched.cycle)
        return ""

    look = ["continue", "monitor look"] * 80
    debugged.control(watched, [f"awatch *(int*){debugged.data}", *look, "detach"], monitor=monitor)
    free.watch(accessed=[debugged.data + n for n in range(4)])
    free.run(cycles=watched.cycle)
    accesses = [cycle for cycle, _, _, _ in free.take_accessed()]
    assert len(accesses) == len(stops) == 80
    following = [*accesses[1:], free.cycle + 1]
    assert [
        access <= stop < after
        for access, stop, after in zip(accesses, stops, following, strict=True)
    ] == [True] * 80
