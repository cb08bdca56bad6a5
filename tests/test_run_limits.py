"""A guest cannot hurt its host: memory, disk, and the time of who started it stay bounded."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Assemble = Callable[..., Path]

WRITER = """
    ldr r7, =calls
loop:
    mov r0, #5
    adr r1, block
    swi 0x123456
    subs r7, r7, #1
    bne loop
    mov r0, #0x18
    ldr r1, =0x20026
    swi 0x123456
block:
    .word {handle}, 0, {length}
    .ltorg
"""
"""Opens nothing: handle 1 is what the program before it opened."""

OPEN = """
    mov r0, #1
    adr r1, name_block
    swi 0x123456
    b opened
name:
    .asciz "{name}"
    .align
name_block:
    .word name, {mode}, {name_length}
opened:
"""

PRINTER = """
    ldr r0, =0xE000C000
    ldr r1, =0xE01FC100
    mov r2, #1
    str r2, [r1]        @ VPBDIV: the peripherals have the core's clock
    ldr r1, =0xE002C000
    str r2, [r1]        @ TXD0
    mov r2, #0x83
    str r2, [r0, #12]
    mov r2, #1
    str r2, [r0]
    mov r2, #3
    str r2, [r0, #12]
    mov r2, #'x'
send:
    ldr r3, [r0, #20]
    tst r3, #0x20
    beq send
    str r2, [r0]
    b send
    .ltorg
"""


def writer(calls: int, length: int, name: str = ":tt", mode: int = 4) -> str:
    """A guest that opens a file and writes `length` bytes to it `calls` times."""
    opening = OPEN.format(name=name, mode=mode, name_length=len(name))
    return f".equ calls, {calls}\n{opening}{WRITER.format(handle=1, length=length)}"


def run(*arguments: object, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """The command as a program of its own."""
    return subprocess.run(
        [sys.executable, "-m", "cyclescope", "run", *map(str, arguments)],
        capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def outcome(*arguments: object) -> dict[str, Any]:
    """The JSON of a run that succeeds."""
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


PEAK = """
import resource, subprocess, sys
subprocess.run([sys.executable, "-m", "cyclescope", "run", *sys.argv[1:]], check=True, timeout=60)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
"""


def peak_kib(*arguments: object, stdin: Any = subprocess.DEVNULL) -> int:
    """The most memory that a run has at a time; its output goes nowhere."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK, *map(str, arguments)],
        stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return int(done.stderr.split()[-1])


def test_an_endless_printer_takes_no_more_memory_the_longer_it_runs(
    plain_board: Path, assemble: Assemble
) -> None:
    arguments = ("--board", plain_board, "--semihosting", "--image")
    short, long = (
        peak_kib(*arguments, assemble(writer(calls, 50_000), name=f"w{calls}"))
        for calls in (100, 4000)  # 5 and 200 MB
    )
    assert long - short < 8 * 1024


def test_endless_input_is_read_as_the_line_takes_it(assemble: Assemble) -> None:
    slow = PRINTER.replace("mov r2, #1\n    str r2, [r0]\n", "mov r2, #255\n    str r2, [r0]\n")
    assert slow != PRINTER
    idle = slow.replace("send:", "b .\nsend:")
    arguments = ("--image", assemble(idle), "--uart", "0=stdio", "--until")
    with open("/dev/zero", "rb") as endless:
        short, long = (
            peak_kib(*arguments, f"cycles={n}", stdin=endless) for n in (10_000_000, 3_000_000_000)
        )
    assert long - short < 4 * 1024


@pytest.mark.parametrize("line", [(), ("--uart", "0=/dev/null"), ("--uart", "0=stdio")])
def test_a_serial_line_takes_no_more_memory_the_longer_it_sends(
    assemble: Assemble, line: tuple[str, ...]
) -> None:
    """6 and 625 thousand characters; one that waits in the engine has 16 bytes."""
    arguments = ("--image", assemble(PRINTER), *line, "--until")
    short, long = (peak_kib(*arguments, f"cycles={n}") for n in (1_000_000, 100_000_000))
    assert long - short < 4 * 1024


def test_output_is_kept_up_to_a_limit_and_that_is_told(
    plain_board: Path, assemble: Assemble
) -> None:
    image = assemble(writer(60, 50_000))
    arguments = ("--board", plain_board, "--semihosting", "--image", image)
    found = outcome(*arguments, "--keep", "1")
    assert len(found["semihosting"].encode()) >= 1 << 20
    assert found["remarks"] == [
        "semihosting: the first 1,048,576 bytes are kept, 1,951,424 more are not (--keep)"
    ]
    found = outcome(*arguments)
    assert found["remarks"] == []
    help_text = run("--help").stdout
    assert "[default: 16]" in help_text and "[default: 64]" in help_text
    assert "[default: 1000]" in help_text


def test_files_have_a_limit_and_that_is_told(
    plain_board: Path, assemble: Assemble, tmp_path: Path
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    image = assemble(writer(60, 50_000, "file"))
    arguments = ("--board", plain_board, "--semihosting-root", root, "--image", image)
    done = run(*arguments, "--file-limit", "1")
    assert (root / "file").stat().st_size == 20 * 50_000
    assert "files have grown by 1000000 bytes and may by 1048576: writes fail" in done.stdout
    (root / "file").unlink()
    done = run(*arguments, "--most-files", "0")
    assert "the guest has made 0 files, the most it may" in done.stdout
    run(*arguments)
    assert (root / "file").stat().st_size == 60 * 50_000


def test_a_file_of_a_serial_line_has_a_limit(assemble: Assemble, tmp_path: Path) -> None:
    line = tmp_path / "line"
    arguments = ("--image", assemble(PRINTER), "--uart", f"0={line}", "--until", "cycles=30000000")
    done = run(*arguments, "--file-limit", "0")
    assert line.stat().st_size == 0
    assert f"bytes are not in {line}, which has as many as it may (--file-limit)" in done.stdout


def test_a_fifo_is_no_file(plain_board: Path, assemble: Assemble, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for mode in (0, 4):
        image = assemble(writer(1, 1, "fifo", mode), name=f"mode{mode}")
        run("--board", plain_board, "--semihosting-root", tmp_path, "--image", image, timeout=20)
    done = run("--image", image, "--uart", f"0={tmp_path / 'fifo'}", timeout=20)
    assert done.returncode == 1 and "is a FIFO" in done.stderr


def test_what_nobody_asked_for_is_told(assemble: Assemble, tmp_path: Path) -> None:
    arguments = ("--image", assemble(PRINTER), "--until", "cycles=10000")
    heard = run(*arguments, "--uart", f"0={tmp_path / 'line'}")
    assert "nobody asked" not in heard.stdout
    count = (tmp_path / "line").stat().st_size
    told = f"uart0 sent {count} bytes that nobody asked for: --uart 0=stdio prints them"
    assert count > 10
    assert told in run(*arguments).stdout.splitlines()
    found = outcome(*arguments)
    assert (found["uart"], found["remarks"]) == ({}, [told])


def test_a_terminal_that_nobody_reads_holds_up_nothing(assemble: Assemble) -> None:
    begun = time.monotonic()
    done = run("--image", assemble(PRINTER), "--uart", "0=pty", "--until", "cycles=100000000")
    assert done.returncode == 0, done.stderr
    assert "bytes are lost that nobody read: open the terminal that was named" in done.stdout
    assert time.monotonic() - begun < 30


def test_ctrl_c_ends_a_guest_that_waits_for_standard_input(
    plain_board: Path, assemble: Assemble
) -> None:
    reader = """
    mov r0, #6
    adr r1, block
    swi 0x123456
    b .
block:
    .word 1, 0x1000, 1
    """
    source = OPEN.format(name=":tt", mode=0, name_length=3) + reader
    ours, theirs = os.pipe()
    program = subprocess.Popen(
        [sys.executable, "-m", "cyclescope", "run", "--board", str(plain_board), "--semihosting",
         "--image", str(assemble(source)), "--until", "cycles=1_000_000_000_000"],
        stdin=ours, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(2)
    program.send_signal(signal.SIGINT)
    _, told = program.communicate(timeout=20)
    os.close(ours)
    os.close(theirs)
    assert (program.returncode, told) == (130, "cyclescope: interrupted\n")
