"""The same image on the board and on QEMU's STM32VLDISCOVERY, which has its core and USARTs."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from cyclescope.targets.virtual.board import make_board, read_image

CYCLES = 200_000
SECONDS = 20


def on_board(image: Path) -> str:
    """The text that USART1 sends until the program is done."""
    board = make_board("stm32f100rb")
    loaded = read_image(image)
    board.load(loaded)
    board.reset()
    stop = board.run(pcs=[loaded.address_of("done")], cycles=CYCLES)
    assert stop["reason"] == "pc", stop["sentence"]
    assert board.unmodelled() == []
    board.run(cycles=board.cycle + 1000)
    return bytes(value for _, value in board.receive("usart1.txd")).decode()


def on_qemu(image: Path) -> str:
    """The line that QEMU writes for the same serial line."""
    command = [
        "timeout",
        str(SECONDS),
        "qemu-system-arm",
        "-M",
        "stm32vldiscovery",
        "-kernel",
        str(image),
    ]
    with subprocess.Popen(
        [*command, "-display", "none", "-monitor", "none", "-serial", "stdio"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as qemu:
        assert qemu.stdout
        try:
            return qemu.stdout.readline()
        finally:
            # Unlike a kill, timeout passes this on to QEMU.
            qemu.terminate()


def test_board_and_qemu_print_the_same(build: Callable[[str], Path]) -> None:
    image = build("ticks.c")
    text = on_board(image)
    assert text.startswith("core 3107 call 42 tick 1 142857 ") and text.endswith(" tick 5 714287\n")
    assert on_qemu(image).partition(" call")[2] == text.partition(" call")[2]
