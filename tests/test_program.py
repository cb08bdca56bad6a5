"""An image's functions and instructions as the lab reads them from its ELF file."""

from collections.abc import Callable
from pathlib import Path

import pytest
from refusals import refused

from cyclescope.firmware.program import Program

SOURCE = """
    ldr r0, literal
    bl sized
    b _start
literal:
    .word 0xE1A00000
    .type sized, %function
sized:
    bx lr
    .size sized, . - sized
    nop
    .thumb
    .type narrow, %function
narrow:
    movs r0, #1
    bx lr
    .size narrow, . - narrow
    .set elsewhere, 0x104
"""


@pytest.fixture
def program(assemble: Callable[..., Path]) -> Program:
    return Program(assemble(SOURCE).read_bytes())


def test_functions_end_where_they_say_and_labels_where_the_next_begins(program: Program) -> None:
    found = {function.name: (function.address, function.end) for function in program.functions}
    assert found == {
        "_start": (0x100, 0x10C),
        "literal": (0x10C, 0x110),
        "sized": (0x110, 0x114),
        "narrow": (0x118, 0x11C),
    }


def test_an_address_belongs_to_its_function_or_names_itself(program: Program) -> None:
    assert [program.place(at) for at in (0x100, 0x108, 0x11A)] == [
        "_start", "_start+0x8", "narrow+0x2",
    ]  # fmt: skip
    assert program.function_at(0x114).name == "0x00000114"
    assert program.place(0x18) == "vectors+0x18"


def test_literals_are_no_instructions_and_thumb_is_read_as_thumb(program: Program) -> None:
    listing = [(one.address, one.mnemonic) for one in program.instructions(0x100, 0x11C)]
    assert listing == [
        (0x100, "ldr"), (0x104, "bl"), (0x108, "b"), (0x110, "bx"), (0x114, "mov"),
        (0x118, "movs"), (0x11A, "bx"),
    ]  # fmt: skip


def test_code_that_is_not_there_and_files_that_are_none_are_told(program: Program) -> None:
    with refused("no-code-at-address"):
        list(program.instructions(0x4000, 0x4004))
    with refused("not-an-elf-file"):
        Program(b"not an image")


def test_marks_of_data_in_other_sections_do_not_hide_code(assemble: Callable[..., Path]) -> None:
    source = 'nop\nnop\n.section .debug_notes, "", %progbits\n.space 4\n.code 32\n.word 1\n'
    program = Program(assemble(source, base=0x0).read_bytes())
    assert [one.address for one in program.instructions(0x0, 0x8)] == [0, 4]
