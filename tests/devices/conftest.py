"""Pairs of a program for the LPC2148 and a check on the host, to the cycle (docs/timing/).

A test starts one scenario of a program, a function by its name. It compares what its board saw with
the rules of the device's page.
"""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from part import Part

PROGRAMS = Path(__file__).parent / "programs"
FLAGS = (
    *("-mcpu=arm7tdmi", "-marm", "-O2", "-std=c11", "-Wall", "-Wextra", "-Werror"),
    *("-ffreestanding", "-nostdlib", "-Wl,--build-id=none", "-Wl,-n", "-Wl,--no-warn-rwx-segments"),
)


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Compiles a program of this folder, once."""
    folder = tmp_path_factory.mktemp("programs")

    def compile_program(source: str) -> Path:
        image = folder / f"{source}.elf"
        if not image.exists():
            subprocess.run(
                ["arm-none-eabi-gcc", *FLAGS, "-T", PROGRAMS / "link.ld", "-o", image,
                 PROGRAMS / "start.s", PROGRAMS / source],
                check=True,
            )  # fmt: skip
        return image

    return compile_program


@pytest.fixture
def part(request: pytest.FixtureRequest, compiled: Callable[[str], Path]) -> Part:
    """An LPC2148 with the program that the test's file names in PROGRAM."""
    return Part(compiled(request.module.PROGRAM))
