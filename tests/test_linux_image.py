"""The one ELF file of a system: code and symbols of kernel and program where they run."""

import subprocess
from pathlib import Path

import pytest

from cyclescope.firmware.linux.whole_image import whole_image
from cyclescope.firmware.program import Program
from cyclescope.targets.virtual.board import Image

KERNEL = """
    .text
    .type serve, %function
    .global serve
serve: mov r0, #1
    bx lr
    .section .init.text, "ax"
    .type begin, %function
    .global begin
begin: bx lr
    .global __kuser_helper_start, __kuser_helper_end
__kuser_helper_start:
    .type swap, %function
swap: mov r0, #3
    bx lr
__kuser_helper_end:
    .section .vectors, "ax"
    .type vector, %function
vector: mov pc, r14
"""
PROGRAM = """
    .text
    .type serve, %function
    .global serve
serve: mov r0, #2
    bx lr
    .type main, %function
    .global main
main: bl serve
    .data
    .global value
value: .word 7
    .global timer
    .set timer, 0x3FFF8000
"""
KERNEL_AT, VECTORS_AT, BASE = 0x0100_8000, 0xFFFF_0000, 0x0134_0000
LOADS = ((0x0040_0000, b"stub"), (KERNEL_AT, b"kernel"))


def assembled(folder: Path, name: str, source: str, *options: str) -> bytes:
    (folder / f"{name}.s").write_text(source)
    command = ["arm-none-eabi-gcc", "-march=armv4t", "-nostdlib", "-Wl,-e,0", *options]
    subprocess.run([*command, f"{name}.s", "-o", name], cwd=folder, check=True)
    return (folder / name).read_bytes()


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("image")
    places = [f"-Wl,-Ttext={KERNEL_AT:#x}", f"-Wl,--section-start=.vectors={VECTORS_AT:#x}"]
    kernel = assembled(folder, "kernel", KERNEL, *places)
    program = assembled(folder, "program", PROGRAM, "-Wl,-Ttext=0x100", "-Wl,-Tdata=0x200")
    return whole_image(LOADS, kernel, program, BASE)


def test_what_is_loaded_is_that_of_the_system(image: bytes) -> None:
    loaded = Image.from_elf(image)
    assert [(address, bytes(data)) for address, data in loaded.segments] == list(LOADS)
    assert loaded.entry == 0


def test_functions_lie_where_they_run(image: bytes) -> None:
    program = Program(image)
    assert program.function_at(KERNEL_AT).name == "serve"
    assert program.function_at(BASE + 0x100).name == "serve"
    assert program.function_at(BASE + 0x108).name == "main"
    assert program.function_at(0).name == "vector"
    assert program.function_at(0x1000 - 8).name == "swap"
    assert [one.mnemonic for one in program.instructions(BASE + 0x108, BASE + 0x10C)] == ["bl"]


def test_a_name_of_both_means_the_program(image: bytes) -> None:
    symbols = Program(image).symbols
    assert symbols["serve"] == BASE + 0x100
    assert Image.from_elf(image).address_of("value") == BASE + 0x200
    assert symbols["timer"] == 0x3FFF_8000


def test_code_that_only_starts_the_kernel_is_left_out(image: bytes) -> None:
    assert "begin" not in Program(image).symbols
