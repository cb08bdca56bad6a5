"""The board `console` as a user runs it: an image that times itself with timer 0."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cyclescope.targets.virtual.board import make_board, read_image

PROGRAM = """\
.syntax unified
.arm
.global _start
_start:
    ldr r0, =0x04000204     @ WAITCNT
    ldr r1, ={waitcnt:#x}
    strh r1, [r0]
    ldr r0, =0x04000100     @ timer 0
    mov r1, #0x800000
    str r1, [r0]
    nop
    ldrh r2, [r0]
    ldr sp, =0x03007F00
    ldr r0, =0x20026
    push {{r0, r2}}
    mov r1, sp
    mov r0, #0x20
    svc 0x123456            @ the host's EXIT_EXTENDED: the reading is the exit code
    .ltorg
"""


def image(folder: Path, waitcnt: int) -> Path:
    """An ELF file in the cartridge."""
    (folder / "t.s").write_text(PROGRAM.format(waitcnt=waitcnt))
    for command in (
        ("as", "-mcpu=arm7tdmi", "-o", "t.o", "t.s"),
        ("ld", "-Ttext=0x08000000", "-o", "t.elf", "t.o"),
    ):
        tool, *arguments = command
        subprocess.run([f"arm-none-eabi-{tool}", *arguments], cwd=folder, check=True)
    return folder / "t.elf"


@pytest.mark.parametrize(
    ("waitcnt", "reading"),
    # Recorded: the count of `nop` and that of `Calibration`, in ARM state in the ROM.
    [(0x0000, 6 + 7), (0x0014, 4 + 5), (0x4000, 6 + 4), (0x4014, 4 + 2)],
)
def test_an_image_reads_the_recorded_cycles_from_its_timer(tmp_path, waitcnt, reading):
    done = subprocess.run(
        [sys.executable, "-m", "cyclescope", "run", "--board", "console", "--image",
         image(tmp_path, waitcnt), "--semihosting", "--json"],
        capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    result = json.loads(done.stdout)
    assert (result["reason"], result["exit_code"]) == ("semihosting-exit", reading)


def test_what_a_run_rests_on_is_named(tmp_path):
    charged = {}
    for waitcnt in (0, 0x4000):
        board = make_board("console")
        board.load(read_image(image(tmp_path, waitcnt)))
        board.reset()
        board.run(cycles=200)
        charged[waitcnt] = {rule["rule"] for rule in board.unverified()}
    assert charged[0x4000] - charged[0] == {"console-prefetch"}
    assert "console-timers" in charged[0]
