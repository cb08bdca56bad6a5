"""The IrDA stack for the target: C99 without warnings, without memory or state of its own."""

import re
import subprocess
from pathlib import Path

import pytest

STACK = Path(__file__).parent.parent / "firmware" / "irda"
TARGET = "arm-none-eabi-"
FROM_LIBRARY = {"memcpy", "memset", "memcmp", "memmove", "strlen", "strncmp", "strcmp", "strncpy"}
FROM_COMPILER = re.compile(r"__aeabi_u?(idiv|idivmod|ldivmod|lmul)|__gnu_thumb1_case_\w+")


def compiled(source: Path, folder: Path, *options: str) -> Path:
    """The object of a source for the AT91R40008's core."""
    made = folder / f"{source.stem}.o"
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    core = [
        "-std=c99",
        "-mcpu=arm7tdmi",
        "-O2",
        "-ffreestanding",
        "-fno-tree-loop-distribute-patterns",
    ]
    command = [f"{TARGET}gcc", *core, *warnings, *options, "-c", source, "-o", made]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return made


@pytest.mark.parametrize("options", ((), ("-mthumb",), ("-DIRDA_DATA_OCTETS=256",)))
def test_needs_nothing_of_its_surroundings(tmp_path: Path, options: tuple[str, ...]) -> None:
    """No variable, no call but of itself and of memcpy's kind, no floating point."""
    objects = [compiled(one, tmp_path, *options) for one in sorted(STACK.glob("*.c"))]
    assert len(objects) >= 10
    whole = tmp_path / "whole"
    subprocess.run([f"{TARGET}ld", "-r", *objects, "-o", whole], check=True)
    needed = subprocess.run(
        [f"{TARGET}nm", "-u", whole], capture_output=True, text=True, check=True
    )
    names = set(needed.stdout.split()) - {"U"} - FROM_LIBRARY
    assert {name for name in names if not FROM_COMPILER.fullmatch(name)} == set()
    sizes = subprocess.run([f"{TARGET}size", whole], capture_output=True, text=True, check=True)
    _, data, bss, *_ = sizes.stdout.splitlines()[1].split()
    assert (data, bss) == ("0", "0")


def test_each_header_stands_alone(tmp_path: Path) -> None:
    for header in sorted(STACK.glob("*.h")):
        source = tmp_path / "alone.c"
        source.write_text(f'#include "{header.name}"\nextern int alone;\n')
        compiled(source, tmp_path, f"-I{STACK}")
