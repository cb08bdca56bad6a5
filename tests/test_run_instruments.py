"""`cyclescope run` with instruments: what they count on programs whose counts are known."""

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.architecture import of_board
from cyclescope.firmware.program import Program
from cyclescope.studies.run.gdb.monitor import Monitor
from cyclescope.studies.run.instruments import symbols, tables
from cyclescope.studies.run.instruments.follow import Follow
from cyclescope.studies.run.instruments.interrupts import Interrupts, summary
from cyclescope.studies.run.instruments.options import InstrumentOptions
from cyclescope.studies.run.instruments.profile import Profile
from cyclescope.targets.virtual.board import make_board, read_image

CALLS = """
    mov sp, #0x8000
    mov r4, #5
again:
    bl work
    subs r4, r4, #1
    bne again
done:
    b done
    .type work, %function
work:
    push {lr}
    ldr r0, =0x4001
    mov r2, #3
    bl memset
    ldrb r1, [r0]
    pop {pc}
    .size work, . - work
    .ltorg
    .type memset, %function
memset:
    strb r1, [r0, r2]
    subs r2, r2, #1
    bne memset
    bx lr
    .size memset, . - memset
"""
"""`work` runs 5 times: push 2, ldr 3, mov 1, bl 3, ldrb 3, pop 5 cycles. `memset`: 3 rounds of strb
2 and subs 1, bne 3, 3 and 1, then bx 3. A fetch behind a store is N, which costs no more here."""
WORK, MEMSET = (17, 6), (19, 10)


def cyclescope(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cyclescope", "run", *map(str, arguments)],
        capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def outcome(*arguments: object) -> dict[str, Any]:
    done = cyclescope(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def by_function(profile: dict[str, Any]) -> dict[str, tuple[int, int]]:
    return {one["function"]: (one["cycles"], one["instructions"]) for one in profile["functions"]}


def test_cycles_and_instructions_of_functions_are_those_counted_by_hand(plain_board, assemble):
    image = assemble(CALLS)
    found = outcome("--board", plain_board, "--image", image, "--until", "symbol=done", "--profile")
    profile = found["profile"]
    functions = by_function(profile)
    assert functions["work"] == (5 * WORK[0], 5 * WORK[1])
    assert functions["memset"] == (5 * MEMSET[0], 5 * MEMSET[1])
    assert (profile["cycles"], profile["instructions"]) == (found["cycle"], found["instructions"])
    assert (
        sum(one["cycles"] for one in profile["functions"]) + profile["unattributed"]["cycles"]
        == (found["cycle"])
    )
    assert profile["unattributed"]["cycles"] == 2, "the first fill of the pipeline"
    assert sum(profile["kinds"].values()) == found["cycle"]


def test_a_library_is_charged_to_its_caller_on_request(plain_board, assemble):
    run = ("--board", plain_board, "--image", assemble(CALLS), "--until", "symbol=done")
    functions = by_function(outcome(*run, "--profile", "--charge-callers")["profile"])
    both = (5 * (WORK[0] + MEMSET[0]), 5 * (WORK[1] + MEMSET[1]))
    assert functions["work"] == both
    assert "memset" not in functions
    own = outcome(*run, "--profile", "--charge-callers", "--charge-also", "work")["profile"]
    assert sum(by_function(own)[name][0] for name in ("_start", "again")) > both[0]


def test_accesses_by_memory_width_and_function(plain_board, assemble):
    run = ("--board", plain_board, "--image", assemble(CALLS), "--until", "symbol=done")
    accesses = outcome(*run, "--accesses")["accesses"]
    functions = {one["function"]: one for one in accesses["functions"]}
    # push and pop, ldr and ldrb; three strb.
    assert (functions["work"]["reads"], functions["work"]["writes"]) == (5 * 3, 5)
    assert (functions["memset"]["reads"], functions["memset"]["writes"]) == (0, 5 * 3)
    assert accesses["widths"] == {"1": 5 * 4, "2": 0, "4": 5 * 3}
    (memory,) = accesses["targets"]
    assert memory["target"] == "ram"
    assert memory["reads"] + memory["writes"] == 5 * 7


def test_a_program_at_another_address_is_named_by_its_own_symbols(plain_board, assemble, tmp_path):
    program = assemble(CALLS, base=0, name="loaded")
    kernel = assemble("    ldr pc, =0x4000\n    .ltorg", name="kernel")
    raw = tmp_path / "program.bin"
    subprocess.run(["arm-none-eabi-objcopy", "-O", "binary", program, raw], check=True)
    run = (
        "--board", plain_board, "--image", kernel, "--load", f"{raw}@0x4000",
        "--until", "cycles=150", "--profile",
    )  # fmt: skip
    without = outcome(*run)["profile"]["unattributed"]
    assert without["share"] > 0.9
    named = outcome(*run, "--symbols", f"{program}@0x4000")["profile"]
    work = next(one for one in named["functions"] if one["function"] == "work")
    assert (work["image"], work["address"] >= 0x4000) == ("loaded.elf", True)
    assert named["unattributed"]["share"] < 0.02
    text = cyclescope(*run).stdout
    assert "more than 1 % has no symbol" in text


@pytest.mark.parametrize(
    "options, code",
    [
        (["--charge-also", "x"], "--charge-callers"),
        (["--charge-callers"], "--profile"),
        (["--profile", "--symbols", "nothing.elf@zero"], "not an address"),
        (["--profile", "--symbols", "nothing.elf"], "nothing.elf"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_a_sentence(plain_board, assemble, options, code):
    done = cyclescope("--board", plain_board, "--image", assemble(CALLS), *options)
    assert done.returncode == 2 or done.returncode == 1
    assert code in done.stderr
    assert "Traceback" not in done.stderr


def test_instruments_come_and_go_while_a_board_stands(plain_board, assemble):
    board = make_board(str(plain_board))
    image = read_image(assemble(CALLS))
    board.load(image)
    board.reset()
    board.run(cycles=20)
    number = board.attach_histogram()
    board.run(cycles=60)
    counted = board.counted(number)
    assert (counted["since"], counted["until"]) == (20, board.cycle) or counted["since"] >= 20
    assert sum(sum(line[3]) for line in counted["lines"]) == board.cycle - counted["since"]
    board.clear(number)
    assert board.counted(number)["lines"] == []
    board.detach(number)
    with pytest.raises(CyclescopeError):
        board.counted(number)


def test_the_terminal_shows_the_greatest_first_and_sums_the_rest():
    functions = [
        {"function": f"f{n}", "file": None, "cycles": 100 - n, "instructions": n} for n in range(20)
    ]
    document = {
        "cycles": 2000, "since": 0, "instructions": 190, "functions": functions, "files": [],
        "kinds": dict.fromkeys(tables.KIND_TEXT, 0) | {"asleep": 190},
        "unattributed": {"cycles": 0, "instructions": 0, "share": 0.0},
    }  # fmt: skip
    lines = tables.lines("profile", document)
    assert re.match(r" +100 +5\.00% +0 +f0$", lines[2])
    rest = sum(100 - n for n in range(15, 20))
    assert any(re.match(rf" +{rest} .*\(5 more\)$", line) for line in lines)
    assert any(re.match(r" +190 +9\.50% +0 +\(asleep\)$", line) for line in lines)


def test_quantiles_are_durations_that_occurred():
    found = summary([(3, 98), (10, 1), (40, 1)])
    assert (found["min"], found["q50"], found["q95"], found["q99"], found["max"]) == (
        3,
        3,
        3,
        10,
        40,
    )
    assert found["mean"] == pytest.approx((98 * 3 + 50) / 100)
    assert summary([]) == {"count": 0}


QEMU = shutil.which("qemu-arm")

JUDGED = r"""
#include <stddef.h>
#include <string.h>
static volatile unsigned sink;
static unsigned mix(unsigned x) { return x * 2654435761u ^ x >> 13; }
static unsigned divide(unsigned x, unsigned y) { return x / y; }
__attribute__((noinline)) unsigned fibonacci(unsigned n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__attribute__((noinline)) unsigned shuffle(unsigned char *to, unsigned rounds)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        memset(to, (int)i, i % 61);
        memcpy(to + 64, to, i % 53);
        sum += divide(mix(i), i + 1) + to[i % 100];
    }
    return sum;
}
static unsigned char buffer[256];
int main(void)
{
    sink = fibonacci(12);
    sink = shuffle(buffer, 300);
    return 0;
}
"""
START = """
    .global _start
    .arm
_start:
    ldr sp, =stack_end
    bl main
    .global finished
finished:
    mov r0, #0
    mov r7, #1
    swi 0
    .ltorg
    .bss
    .space 4096
stack_end:
"""


@pytest.mark.skipif(QEMU is None, reason="needs qemu-arm, an emulator made by others")
def test_instructions_by_function_are_those_that_qemu_executes(tmp_path, plain_board):
    """qemu-arm lists every instruction that it executes; they are summed by the same symbols."""
    (tmp_path / "judged.c").write_text(JUDGED)
    (tmp_path / "start.s").write_text(START)
    image = tmp_path / "judged.elf"
    subprocess.run(
        ["arm-none-eabi-gcc", "-mcpu=arm7tdmi", "-marm", "-O2", "-g", "-nostartfiles",
         "-Wl,-Ttext=0x10100", "-Wl,-Tdata=0x18000", "-Wl,--build-id=none", "-o", image,
         tmp_path / "start.s", tmp_path / "judged.c", "-lc", "-lgcc"],
        check=True,
    )  # fmt: skip
    board = tmp_path / "judged.toml"
    board.write_text(Path(plain_board).read_text().replace("0x10000", "0x40000"))
    found = outcome(
        "--board", board, "--image", image, "--until", "symbol=finished", "--profile",
    )  # fmt: skip
    log = tmp_path / "qemu.log"
    options = subprocess.run([str(QEMU), "-h"], capture_output=True, text=True, check=False).stdout
    one_by_one = "-one-insn-per-tb" if "-one-insn-per-tb" in options else "-singlestep"
    subprocess.run(
        [str(QEMU), "-cpu", "arm1026", one_by_one, "-d", "exec,nochain", "-D", log, image],
        check=True, timeout=120,
    )  # fmt: skip
    places = Program(image.read_bytes()).symbols
    counted = {one["address"]: one["instructions"] for one in found["profile"]["functions"]}
    executed: Counter[int] = Counter()
    for line in re.finditer(r"^Trace \d+: \S+ \[[^/]+/([^/]+)/", log.read_text(), re.MULTILINE):
        where = int(line[1], 16)
        if where == places["finished"]:
            break
        executed[max(start for start in counted if start <= where)] += 1
    assert executed == Counter(counted)
    assert counted[places["fibonacci"]] > 1000 < counted[places["memcpy"]]
    assert found["profile"]["unattributed"]["instructions"] == 0


THREADS = """
    b reset
    nop
    nop
    nop
    nop
    nop
    b switch
    .type reset, %function
reset:
    msr cpsr_c, #0xD2
    mov sp, #0x9000
    msr cpsr_c, #0x1F
    mov sp, #0xA000
    b first
    .size reset, . - reset
    .type first, %function
first:
    mov r4, #200
1:  ldr r0, =0x4001
    mov r2, #7
    bl memset
    subs r4, r4, #1
    bne 1b
2:  b 2b
    .size first, . - first
    .type second, %function
second:
    mov r4, #300
1:  ldr r0, =0x5001
    mov r2, #5
    bl memset
    subs r4, r4, #1
    bne 1b
2:  b 2b
    .size second, . - second
    .ltorg
    .type switch, %function
switch:
    sub lr, lr, #4
    push {r0}
    stmdb sp, {sp}^
    nop
    sub sp, sp, #4
    pop {r0}
    stmdb r0!, {lr}
    mov lr, r0
    pop {r0}
    stmdb lr, {r0-r14}^
    nop
    sub lr, lr, #60
    mrs r0, spsr
    stmdb lr!, {r0}
    ldr r1, =other
    ldr r8, [r1]
    str lr, [r1]
    ldr r0, =0x6001
    mov r2, #2
    bl memset
    ldmfd r8!, {r0}
    msr spsr_cxsf, r0
    mov lr, r8
    ldmfd lr, {r0-r14}^
    nop
    ldr lr, [lr, #60]
    movs pc, lr
    .size switch, . - switch
    .ltorg
    .type memset, %function
memset:
    push {r3}
1:  strb r1, [r0, r2]
    subs r2, r2, #1
    bne 1b
    pop {r3}
    bx lr
    .size memset, . - memset
frame:
    .word 0x1F
    .space 13 * 4
    .word 0xB000, 0, second
other:
    .word frame
"""
"""Two threads that call a library; each interrupt goes on in the other one, as a kernel does."""
FIRST, SECOND = (1 + 200 * 5, 200 * (1 + 3 * 7 + 2)), (1 + 300 * 5, 300 * (1 + 3 * 5 + 2))
"""Instructions of a thread itself before it spins, and of the library for it."""


@pytest.mark.parametrize("every", [53, 97, 211, 1009])
def test_switches_in_a_library_charge_each_threads_own_caller(plain_board, assemble, every):
    board = make_board(str(plain_board))
    path = assemble(THREADS, base=0)
    board.load(read_image(path))
    named = symbols.read([(path, None)], True, [], of_board(board))
    profile, monitor = Profile(board, lambda: named), Interrupts(board)
    board.reset()
    profile.attach()
    monitor.attach()
    taken = range(100, 120_000, every + 150)
    for at in taken:
        board.drive("core.irq", 1, at)
        board.drive("core.irq", 0, at + 20)
    board.run(cycles=130_000)
    (source,) = monitor.document()["sources"]
    assert source["taken"] == source["returned"] == len(taken)
    lines = board.counted(0)["lines"]
    starts = {one.name: one.start for one in map(named.at, range(0, 0x300, 4)) if one}
    charged = Counter[str]()
    for payer, _, instructions, _ in lines:
        if payer is not None:
            name = next(name for name, start in starts.items() if start == payer)
            charged[name] += instructions
    assert charged == {
        "first": FIRST[1], "second": SECOND[1], "switch": len(taken) * (1 + 3 * 2 + 2),
    }  # fmt: skip
    functions = by_function(profile.document())
    assert "memset" not in functions
    assert functions["first"][1] >= sum(FIRST)
    assert functions["second"][1] >= sum(SECOND)


def test_a_debugger_switches_clears_and_prints_instruments(plain_board, assemble):
    board = make_board(str(plain_board))
    path = assemble(CALLS)
    board.load(read_image(path))
    board.reset()
    instruments = InstrumentOptions().made(board, path, every=True)
    monitor = Monitor(board, board.reset, instruments)
    assert "is off" in monitor.answer("profile print")
    board.run(cycles=20)
    assert monitor.answer("profile on") == "profile is on.\n"
    since = board.cycle
    board.run(cycles=100)
    assert monitor.answer("profile print").startswith(f"{board.cycle - since:,} cycles")
    monitor.answer("profile reset")
    assert monitor.answer("profile print").startswith("0 cycles, 0 instructions")
    monitor.answer("profile off")
    assert "is off" in monitor.answer("profile print")
    # Nothing is followed without a source.
    there = [name for name in tables.TABLES if f"{name} print" in monitor.answer("help")]
    assert there == [name for name in tables.TABLES if name != Follow.key]
    follow = InstrumentOptions(follow=["timer0.TC"]).made(make_board("lpc2148"), None, every=True)
    assert [one.key for one in follow if one.is_attached] == [Follow.key]


FOLLOWED = """
    ldr r1, =0xE0004008
    ldr r2, =0x40000000
    mov r4, #3
again:
    ldr r0, [r1]
    strb r0, [r2], #1
    eor r3, r0, #64
    strb r3, [r2], #1
    bl keep
    subs r4, r4, #1
    bne again
done:
    b done
    .type keep, %function
keep:
    strb r0, [r2, #16]
    bx lr
    .size keep, . - keep
    .ltorg
"""


def test_copies_of_followed_bytes_are_those_counted_by_hand(assemble):
    run = ("--board", "lpc2148", "--image", assemble(FOLLOWED, name="followed"))
    run = (*run, "--until", "symbol=done")
    found = outcome(*run, "--follow", "timer0.TC")["follow"]
    assert (found["bytes"], found["copies"], found["lost"]) == (3, 9, 0)
    assert [found["copies_per_byte"][key] for key in ("count", "min", "max")] == [3, 3, 3]
    by_place = {
        one["function"]: (one["to"], one["copies"], one["changed"]) for one in found["lines"]
    }
    assert by_place == {"again": ("memory", 6, 3), "keep": ("memory", 3, 0)}
    # ldr, strb, eor, strb and strb of each.
    assert found["carrying"]["instructions"] == 3 * 5
    text = cyclescope(*run, "--follow", "timer0.TC").stdout
    assert "3 bytes followed, 9 copies of them:" in text
    assert cyclescope(*run, "--follow", "timer0.NONE").returncode != 0
