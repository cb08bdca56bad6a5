"""Shared by tests: a browser, and programs for a board of only a core and a memory."""

import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

# A shell may start the tests so that they ignore Ctrl-C; their children must not.
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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Headless Chromium."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.fail("chromium is missing: run scripts/setup.sh test, or apt-get install chromium")
    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=options)
        yield opened
        opened.close()


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
