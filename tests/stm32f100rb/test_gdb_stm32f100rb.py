"""The STM32F100RB under the real gdb: gdb sees and changes what is there, and costs no cycle."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from gdb_session import TIERS, Debugged, Tier, shown_registers

from cyclescope.targets.virtual.board import Board

RAM, RAM_BYTES = 0x2000_0000, 0x2000
FLASH, CODE_BYTES = 0x0800_0000, 0x200
FPB_CONTROL, FPB_COMPARATOR = 0xE000_2000, 0xE000_2008
CODE_COMPARATORS = 6
SYSTEM = ("msp", "psp", "primask", "basepri", "faultmask", "control")


@pytest.fixture
def debugged(build: Callable[[str], Path]) -> Debugged:
    return Debugged("stm32f100rb", build("debugged.c"), RAM, RAM_BYTES)


def word(board: Board, address: int) -> int:
    return int.from_bytes(board.read_memory(address, 4), "little")


@pytest.mark.parametrize("tier", TIERS)
def test_steps_end_at_the_cycle_of_the_free_run(debugged: Debugged, tier: Tier) -> None:
    stepped, free = debugged.fresh(tier), debugged.fresh(tier)
    output, stop = debugged.control(stepped, ["stepi 10000", "info registers", "detach"])
    free.run(instructions=10_000)
    assert stop is None and stepped.instructions == 10_000
    assert debugged.state(stepped) == debugged.state(free)
    shown, true = shown_registers(output), free.registers()
    known = {name: value for name, value in shown.items() if name in true}
    assert {"xpsr", "sp", "lr", *SYSTEM} <= {*known, *SYSTEM}
    assert {name: true[name] for name in known} == known
    assert word(free, debugged.at("ticks")) > 10, "ticks were taken"


@pytest.mark.parametrize("tier", TIERS)
def test_breakpoints_and_watchpoints_that_are_hit_cost_no_cycle(
    debugged: Debugged, tier: Tier
) -> None:
    stopped, free = debugged.fresh(tier), debugged.fresh(tier)
    commands = [
        "break systick", "hbreak leaf", "awatch rounds", "rwatch bytes[1]",
        *["continue", "stepi"] * 150, "delete", "continue",
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


def test_registers_after_each_step_are_those_of_a_plain_run(debugged: Debugged) -> None:
    names = [*(f"r{n}" for n in range(13)), "sp", "lr", "xpsr", *SYSTEM]
    template = " ".join("%08x" for _ in ["pc", *names])
    listed = ", ".join(f"${name}" for name in ["pc", *names])
    script = debugged.image.parent / "steps.gdb"
    script.write_text(
        f'set $n = 0\nwhile $n < 1000\nstepi\nprintf "{template}\\n", {listed}\n'
        "set $n = $n + 1\nend\n"
    )
    board, free = debugged.fresh(), debugged.fresh("plain")
    output, _ = debugged.control(board, [f"source {script}", "detach"])
    lines = re.findall(rf"^(?:[0-9a-f]{{8}} ?){{{1 + len(names)}}}$", output, re.M)
    assert len(lines) == 1000
    handled = 0
    for n, line in enumerate(lines):
        stop, true = free.run(instructions=n + 1), free.registers()
        expected = [stop["pc"], *(true[name] for name in names)]
        assert [int(one, 16) for one in line.split()] == expected, n
        handled += true["xpsr"] & 0x1FF == 15
    assert handled > 10


def test_more_breakpoints_than_the_part_has_change_no_code(debugged: Debugged) -> None:
    """The debugger of a board needs none of the part's comparators, which keep what is written."""
    board, free = debugged.fresh(), debugged.fresh()
    code = board.read_memory(FLASH, CODE_BYTES)
    seen: list[bytes] = []

    def monitor(command: str) -> str:
        seen.append(board.read_memory(FLASH, CODE_BYTES))
        return f"heard {command}\n"

    breaks = [f"hbreak *{debugged.at('leaf') + 2 * n}" for n in range(CODE_COMPARATORS + 2)]
    output, _ = debugged.control(
        board,
        [
            "set breakpoint always-inserted on",
            *breaks,
            "monitor look",
            "continue",
            f"x/xw {FPB_CONTROL}",
            f"x/xw {FPB_COMPARATOR}",
            "monitor look",
            "detach",
        ],
        monitor=monitor,
    )
    assert seen == [code, code] and "Breakpoint 1, " in output
    (control_, comparator) = re.findall(r"^0xe000200[08]:\s+0x([0-9a-f]+)", output, re.M)
    assert int(control_, 16) >> 4 & 0xF == CODE_COMPARATORS and int(comparator, 16) == 0
    free.run(pcs=[debugged.at("leaf") & ~1], cycles=10_000)
    assert board.cycle == free.cycle


def test_a_handler_is_traced_back_to_what_it_interrupted(debugged: Debugged) -> None:
    board = debugged.fresh()
    output, _ = debugged.control(
        board, ["break systick", "continue", "continue", "backtrace", "finish", "detach"]
    )
    frames = re.findall(r"^#\d +(.*)$", output, re.M)
    assert any("systick" in one for one in frames)
    assert any("signal handler called" in one for one in frames)
    assert any(" start " in one or " leaf " in one for one in frames[1:])


def test_memory_and_registers_are_written(debugged: Debugged) -> None:
    board = debugged.fresh()
    written = {"r3": 33, "r9": 99, "psp": RAM + 0x300, "primask": 1, "basepri": 0x40}
    commands = [
        "stepi 200", f"set *(short*){RAM + 0x401} = 0x1234", f"x/xh {RAM + 0x401}",
        *(f"set ${name} = {value}" for name, value in written.items()),
        f"set $pc = {debugged.at('leaf') & ~1}", "frame 0", "info registers", "detach",
    ]  # fmt: skip
    output, _ = debugged.control(board, commands)
    assert board.read_memory(RAM + 0x400, 4)[1:3] == b"\x34\x12"
    true = board.registers()
    assert {name: true[name] for name in written} == written
    assert shown_registers(output)["pc"] == debugged.at("leaf") & ~1
    ticks = word(board, debugged.at("ticks"))
    before = board.cycle
    board.run(cycles=before + 2_000)
    assert board.cycle > before and word(board, debugged.at("ticks")) == ticks, "they are masked"
