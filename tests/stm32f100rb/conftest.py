"""Programs for the STM32F100RB by arm-none-eabi-gcc."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"
FLAGS = (
    *("-mcpu=cortex-m3", "-mthumb", "-g", "-O2", "-std=c99", "-Wall", "-Wextra", "-Werror"),
    *("-ffreestanding", "-nostdlib", "-Wl,--build-id=none", "-T", PROGRAMS / "link.ld"),
)


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Compiles a program of this folder, once."""
    folder = tmp_path_factory.mktemp("programs")

    def compile_program(source: str) -> Path:
        image = folder / f"{source}.elf"
        if not image.exists():
            command = ["arm-none-eabi-gcc", *FLAGS, "-o", image, PROGRAMS / source, "-lgcc"]
            subprocess.run(command, check=True)
        return image

    return compile_program
