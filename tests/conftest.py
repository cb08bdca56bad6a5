"""What test files share: small programs for a board that is nothing but a core and a memory."""

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

# Who starts the tests in the background may have them ignore Ctrl-C; what they start must not.
signal.signal(signal.SIGINT, signal.default_int_handler)

PLAIN_BOARD = """
name = "plain"
description = "a core and a memory"
real = false

[core]
kind = "arm7tdmi"

[[memory]]
name = "ram"
base = 0x0
size = 0x10000
kind = "ram"
width = 32
n_wait = 0
s_wait = 0
"""


@pytest.fixture
def plain_board(tmp_path: Path) -> Path:
    """A board file: an ARM7TDMI and 64 KiB of zero-wait memory at 0."""
    path = tmp_path / "plain.toml"
    path.write_text(PLAIN_BOARD)
    return path


@pytest.fixture
def assemble(tmp_path: Path) -> Callable[..., Path]:
    """Assembles ARM source into an ELF file linked at `base`."""

    def build(source: str, base: int = 0x100, name: str = "program") -> Path:
        text, image = tmp_path / f"{name}.s", tmp_path / f"{name}.elf"
        text.write_text(f".global _start\n.arm\n_start:\n{source}\n")
        subprocess.run(
            ["arm-none-eabi-gcc", "-mcpu=arm7tdmi", "-nostdlib", "-Wl,--build-id=none", "-Wl,-n",
             f"-Wl,-Ttext=0x{base:x}", "-o", image, text],
            check=True,
        )  # fmt: skip
        return image

    return build
