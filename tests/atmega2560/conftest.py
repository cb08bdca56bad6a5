"""Programs for the ATmega2560 by avr-gcc, and checks of its devices to the cycle (docs/timing/)."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from chip import Chip

PROGRAMS = Path(__file__).parent / "programs"
FLAGS = ("-g", "-mmcu=atmega2560", "-DF_CPU=16000000UL", "-std=c99", "-Wall", "-Wextra", "-Werror")

Build = Callable[..., Path]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Compiles a program of this folder with these macros, once."""
    folder = tmp_path_factory.mktemp("programs")

    def compile_program(source: str, level: str = "-O2", **macros: int) -> Path:
        values = [f"-D{name}={value}" for name, value in macros.items()]
        image = folder / "".join([source, level, *values, ".elf"])
        if not image.exists():
            start = ["-nostartfiles"] if source.endswith(".S") else []
            flags = [*FLAGS, level, *start, *values]
            subprocess.run(["avr-gcc", *flags, "-o", image, PROGRAMS / source], check=True)
        return image

    return compile_program


@pytest.fixture
def chip(build: Build) -> Callable[..., Chip]:
    """Makes an ATmega2560 with a program of this folder in it."""
    return lambda source, **macros: Chip(build(source, **macros))
