"""Shared by tests: a browser, and programs for a board of only a core and a memory."""

import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from plain_board import PLAIN_BOARD
from playwright.sync_api import Browser, sync_playwright

# A shell may start the tests so that they ignore Ctrl-C; their children must not.
signal.signal(signal.SIGINT, signal.default_int_handler)

TRUTH_ONLY = Path(__file__).with_name("truth_only.txt")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what tests/truth_only.txt lists; a line that no test begins with is an error."""
    listed = [line.partition("#")[0].strip() for line in TRUTH_ONLY.read_text().splitlines()]
    files = {item.path.name for item in items}
    unused = {line for line in listed if line.partition("::")[0] in files}
    for item in items:
        name = item.nodeid.removeprefix("tests/")
        for line in (line for line in listed if line and name.startswith(line)):
            item.add_marker(pytest.mark.matrix)
            unused.discard(line)
    whole = not any("::" in argument for argument in items[0].config.args) if items else False
    if unused and whole:
        raise pytest.UsageError(f"{TRUTH_ONLY.name} lists tests that there are not: {unused}")


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
