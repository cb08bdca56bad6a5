"""`cyclescope run` as a user meets it: exact counts, conditions, semihosting, clear refusals."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

# Fetch at the entry (N + S) = 2; mov = 1; three rounds of subs = 1 and a taken bne = 3, the last
# not taken = 1. Before `done` these are 2 + 1 + 3 + 3 + 3 - 2 + 3 = 13 cycles and 7 instructions.
COUNTDOWN = """
    mov r0, #3
loop:
    subs r0, r0, #1
    bne loop
done:
    b done
"""

HELLO = """
    mov r0, #4
    adr r1, text
    swi 0x123456
    mov r0, #0x18
    ldr r1, =0x20026
    swi 0x123456
text:
    .asciz "hello\\n"
    .align
    .ltorg
"""


def cyclescope(*arguments: object, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """The command as a program of its own."""
    return subprocess.run(
        [sys.executable, "-m", "cyclescope", "run", *map(str, arguments)],
        capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def outcome(*arguments: object) -> dict[str, Any]:
    """The JSON of a run that succeeds."""
    done = cyclescope(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.mark.parametrize("condition", ["symbol=done", "pc=0x10c"])
def test_cycles_up_to_a_place_are_exact(plain_board, assemble, condition):
    result = outcome("--board", plain_board, "--image", assemble(COUNTDOWN), "--until", condition)
    assert (result["reason"], result["cycle"], result["instructions"]) == ("pc", 13, 7)
    assert result["pc"] == 0x10C


def test_a_raw_file_runs_from_a_given_entry(plain_board, tmp_path):
    words = [0xE3A00007, 0xEAFFFFFE]  # mov r0, #7 ; b .
    raw = tmp_path / "raw.bin"
    raw.write_bytes(b"".join(word.to_bytes(4, "little") for word in words))
    result = outcome(
        "--board", plain_board, "--load", f"{raw}@0x200", "--entry", "0x200",
        "--until", "pc=0x204", "--dump", "registers", "--dump", "0x200:4",
    )  # fmt: skip
    assert result["registers"]["r0"] == 7
    assert result["cycle"] == 3  # N + S to fill the pipeline, 1S for mov
    assert result["memory"]["0x00000200"] == "0700a0e3"


def test_instructions_and_cycles_bound_a_run(plain_board, assemble):
    image = assemble(COUNTDOWN)
    counted = outcome("--board", plain_board, "--image", image, "--until", "instructions=4")
    assert (counted["reason"], counted["instructions"], counted["cycle"]) == ("instructions", 4, 8)
    timed = outcome("--board", plain_board, "--image", image, "--until", "cycles=1000")
    assert timed["reason"] == "cycles"
    assert 1000 <= timed["cycle"] < 1003


def test_semihosting_speaks_and_ends_the_run(plain_board, assemble):
    arguments = ("--board", plain_board, "--image", assemble(HELLO), "--semihosting")
    done = cyclescope(*arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("hello\n")
    assert outcome(*arguments, "--until", "exit")["semihosting"] == "hello\n"


C_PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char name[16];
    if (scanf("%15s", name) == 1) printf("hello %s\\n", name);
    fprintf(stderr, "%d\\n", fopen("/etc/passwd", "r") != 0);
    exit(7);
}
"""


@pytest.mark.parametrize("isa", ["-marm", "-mthumb"])
def test_a_c_library_prints_reads_and_ends(plain_board, tmp_path, isa):
    source, image = tmp_path / "program.c", tmp_path / "program.elf"
    source.write_text(C_PROGRAM)
    subprocess.run(
        ["arm-none-eabi-gcc", "-mcpu=arm7tdmi", isa, "-Os", "--specs=nano.specs",
         "--specs=rdimon.specs", "-o", image, source],
        check=True,
    )  # fmt: skip
    plain_board.write_text(plain_board.read_text().replace("0x10000", "0x100000"))
    done = subprocess.run(
        [sys.executable, "-m", "cyclescope", "run", "--board", plain_board, "--image", image,
         "--semihosting", "--json"],
        capture_output=True, text=True, input="board", timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 7, done.stderr
    assert json.loads(done.stdout)["semihosting"] == "hello board\n0\n"


def test_input_that_never_ends_is_no_reason_to_wait(plain_board, assemble):
    program = subprocess.Popen(
        [sys.executable, "-m", "cyclescope", "run", "--board", plain_board,
         "--image", assemble(HELLO), "--semihosting"],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    assert program.wait(timeout=120) == 0  # while our end of its input is still open
    program.communicate(timeout=60)


def test_a_bound_that_comes_before_the_condition_says_so(plain_board, assemble):
    done = cyclescope(
        "--board", plain_board, "--image", assemble("    b ."), "--until", "symbol=_start",
        "--until", "exit", "--until", "cycles=100",
    )  # fmt: skip
    assert done.returncode == 0  # stopped at once: _start is where it stands
    done = cyclescope(
        "--board", plain_board, "--image", assemble("    b ."), "--until", "exit", timeout=300
    )
    assert done.returncode == 124
    assert "bound of 1000000000 cycles" in done.stdout


def test_an_unmapped_access_names_address_and_place(plain_board, assemble):
    done = cyclescope(
        "--board", plain_board, "--image", assemble("    mov r0, #0x40000000\n    ldr r0, [r0]")
    )
    assert done.returncode == 125
    assert "0x40000000" in done.stdout and "by the instruction at 0x104" in done.stdout


def test_an_undefined_instruction_without_handler_stops_with_a_sentence(plain_board, assemble):
    done = cyclescope("--board", plain_board, "--image", assemble("    .word 0xe7f000f0"))
    assert done.returncode == 125
    assert "undefined" in done.stdout.lower() and "at 0x100" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--image", "nowhere.elf"], "nowhere.elf cannot be read"),
        (["--board", "nosuch", "--image", "x"], "no board named nosuch"),
        ([], "nothing to run"),
        (["--load", "x.bin"], "no address"),
        (["--image", "IMAGE", "--until", "whenever"], "not a condition"),
        (["--image", "IMAGE", "--until", "symbol=nothing"], "no symbol nothing"),
        (["--image", "IMAGE", "--until", "cycles=-5"], "not a count"),
        (["--image", "IMAGE", "--until", f"instructions={2**64}"], "not a count"),
        (["--image", "IMAGE", "--dump", "0xfff8:16"], "no memory at 0x10000"),
        (["--image", "IMAGE", "--uart", "0=stdio"], "plain has no uart0"),
        (["--image", "IMAGE", "--dump", "everything"], "--dump everything"),
        (["--image", "IMAGE", "--uart", "zero"], "--uart zero"),
        (["--image", "IMAGE", "--entry", "0x1_0000_0000_0"], "not an address"),
    ],
)
def test_bad_arguments_get_one_clear_sentence(plain_board, assemble, arguments, complaint):
    image = str(assemble(COUNTDOWN))
    arguments = [image if item == "IMAGE" else item for item in arguments]
    if "--board" not in arguments:
        arguments = ["--board", str(plain_board), *arguments]
    done = cyclescope(*arguments)
    assert done.returncode == 1
    assert complaint in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_truncated_image_is_refused(plain_board, assemble, tmp_path):
    cut = tmp_path / "cut.elf"
    cut.write_bytes(assemble(COUNTDOWN).read_bytes()[:60])
    done = cyclescope("--board", plain_board, "--image", cut)
    assert done.returncode == 1 and "cut.elf" in done.stderr


def test_a_foreign_image_is_refused(plain_board):
    done = cyclescope("--board", plain_board, "--image", Path(sys.executable).resolve())
    assert done.returncode == 1 and "ARM" in done.stderr


def test_a_segment_outside_memory_names_itself(plain_board, assemble):
    done = cyclescope("--board", plain_board, "--image", assemble(COUNTDOWN, base=0x40000000))
    assert done.returncode == 1 and "0x40000000" in done.stderr


def test_an_unknown_key_in_a_board_file_is_named(plain_board, assemble):
    plain_board.write_text(plain_board.read_text() + "colour = 3\n")
    done = cyclescope("--board", plain_board, "--image", assemble(COUNTDOWN))
    assert done.returncode == 1 and "colour" in done.stderr


def test_overlapping_memories_are_named(plain_board, assemble):
    again = '[[memory]]\nname = "other"\nbase = 0x8000\nsize = 0x100\nkind = "ram"\n'
    plain_board.write_text(plain_board.read_text() + again)
    done = cyclescope("--board", plain_board, "--image", assemble(COUNTDOWN))
    assert done.returncode == 1 and "other" in done.stderr and "ram" in done.stderr


SENDER = """
    ldr r0, =0xE000C000
    ldr r1, =0xE002C000
    mov r2, #1
    str r2, [r1]        @ TXD0
    mov r2, #0x83
    str r2, [r0, #12]
    mov r2, #1
    str r2, [r0]
    mov r2, #3
    str r2, [r0, #12]
    mov r2, #'x'
    str r2, [r0]
    b .
    .ltorg
"""


def test_a_serial_line_goes_to_a_file_and_a_full_disk_is_told(assemble, tmp_path):
    arguments = ("--board", "lpc2148", "--image", assemble(SENDER), "--until", "cycles=100000")
    done = cyclescope(*arguments, "--uart", f"0={tmp_path / 'line'}")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "line").read_bytes() == b"x"
    done = cyclescope(*arguments, "--uart", "0=/dev/full")
    assert done.returncode == 1
    assert done.stderr == (
        "cyclescope: --uart 0: /dev/full cannot be written: No space left on device; free space or "
        "name another file\n"
    )


def test_ctrl_c_ends_a_run(plain_board, assemble):
    program = subprocess.Popen(
        [sys.executable, "-m", "cyclescope", "run", "--board", plain_board,
         "--image", assemble(HELLO.replace("mov r0, #0x18", "b .")), "--semihosting",
         "--until", "cycles=1_000_000_000_000"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert program.stdout is not None
    assert program.stdout.readline() == "hello\n"
    program.send_signal(signal.SIGINT)
    _, told = program.communicate(timeout=120)
    assert (program.returncode, told) == (130, "cyclescope: interrupted\n")
