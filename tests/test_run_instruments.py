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

from cyclescope.firmware.program import Program
from cyclescope.studies.run.instruments import tables
from cyclescope.studies.run.instruments.interrupts import summary
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
    own = outcome(*run, "--profile", "--charge-callers", "--library", "work")["profile"]
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
        (["--library", "x"], "--charge-callers"),
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
    with pytest.raises(Exception, match="attach it first"):
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
static unsigned char room[256];
int main(void)
{
    sink = fibonacci(12);
    sink = shuffle(room, 300);
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
    symbols = Program(image.read_bytes()).symbols
    counted = {one["address"]: one["instructions"] for one in found["profile"]["functions"]}
    executed: Counter[int] = Counter()
    for line in re.finditer(r"^Trace \d+: \S+ \[[^/]+/([^/]+)/", log.read_text(), re.MULTILINE):
        where = int(line[1], 16)
        if where == symbols["finished"]:
            break
        executed[max(start for start in counted if start <= where)] += 1
    assert executed == Counter(counted)
    assert counted[symbols["fibonacci"]] > 1000 < counted[symbols["memcpy"]]
    assert found["profile"]["unattributed"]["instructions"] == 0
