"""Files of users, and the messages for files that cannot be timed."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from choices import configured
from refusals import refused

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import build as firmware
from cyclescope.firmware.build import Built
from cyclescope.firmware.fragment.plan import Plan, Point
from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.firmware.program import Program
from cyclescope.target.target import Selection
from cyclescope.targets import open_target

LINE: Plan = (Point(1), Point(2))
INITIALISED: Plan = (Point(1, 1), Point(2, 3))
HOST = {"board": "host", "timer": "clock_gettime"}
ADD = "int add(int a, int b) { return a + b; }\n"
EXECUTE = '#include "fragment.h"\nstatic volatile int x;\nEXECUTE { x++; }\n'


def source(folder: Path, text: str, call: str | None = None, plan: Plan = LINE) -> FragmentSource:
    file = folder / "mine.c"
    file.write_text(text)
    return FragmentSource(file, (("plan", plan),), call)


def build(fragment: FragmentSource, **choices: str) -> Built:
    return firmware.build(configured({"kernel": "bare", "fragment": fragment, **choices}))


@pytest.mark.parametrize(
    ("text", "call", "plan", "sentence"),
    [
        (ADD, "sub", LINE, "mine.c has no function sub"),
        (ADD, "sub(1, 2)", LINE, "mine.c has no function sub"),
        (ADD, "add", LINE, "add takes arguments: write the call with them, like --call 'add(…)'"),
        (ADD, "add(1)", LINE, "in the call add(1): too few arguments to function 'add'"),
        (
            "int f(void) { return 1 +; }",
            "f",
            LINE,
            "mine.c:1: expected expression before ';' token",
        ),
        ("void f(void) { g(); }", "f", LINE, "mine.c:1: implicit declaration of function 'g'"),
        (
            ADD + "int (*pointer)(int, int) = add;",
            "pointer(1, 2)",
            LINE,
            "pointer in mine.c is no function, but holds the address of one: name that",
        ),
        ("void f(void);", "f", LINE, "mine.c declares f and does not define it"),
        (
            "struct { int x[9]; } f(void);",
            "f",
            LINE,
            "f returns a structure: write a file with EXECUTE { f(); }",
        ),
        (ADD, None, LINE, "mine.c has no EXECUTE { … }: write one, or name the function"),
        (
            EXECUTE,
            None,
            INITIALISED,
            "mine.c has no INITIALISE { … }, which the technique executes",
        ),
        (ADD + "void wire_send(void) {}", "add(1, 2)", LINE, "defines wire_send, which the firmw"),
        (
            "int g(void); int f(void) { return g(); }",
            "f",
            LINE,
            "mine.c needs g, which neither it nor the image defines: put it into the file",
        ),
        (ADD, "1 + 2", LINE, "1 + 2 is no call: name a function, or write it like f(&state, 3)"),
        (EXECUTE, None, (Point(2, 3, looped=True),), "in a loop every execution has as many"),
        (EXECUTE, None, (Point(-1),), "makes no sense: nothing is executed less than 0 times"),
    ],
)
def test_what_cannot_be_built_is_one_sentence(
    tmp_path: Path, text: str, call: str | None, plan: Plan, sentence: str
) -> None:
    fragment = source(tmp_path, text, call, plan)
    with pytest.raises(CyclescopeError) as error:
        build(fragment)
    assert sentence in error.value.sentence.replace(f"{tmp_path}/", "")
    assert "\n" not in error.value.sentence


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    missing = tmp_path / "missing.c"
    with pytest.raises(CyclescopeError) as error:
        build(FragmentSource(missing, (("plan", LINE),)))
    assert error.value.sentence == f"{missing} cannot be read: No such file or directory"


def test_what_does_not_fit_says_how_much_is_lacking_and_where_it_would(tmp_path: Path) -> None:
    table = "static volatile char table[30000];\nEXECUTE { table[0] = 1; }\n"
    large = source(tmp_path, '#include "fragment.h"\n' + table)
    refuse(
        large,
        "flash",
        r"the data of \S+ do not fit: sram lacks \d+ bytes; make them smaller or constant, or "
        "choose --board lpc2148-lab --code lab",
    )
    copies = r"\S+ and the copies of its plans do not fit: "
    choose = r"fewer points \(--points\), smaller tables, or --board lpc2148-lab --code lab"
    many = (Point(2500), Point(2501))
    refuse(
        source(tmp_path, EXECUTE, plan=many),
        "sram",
        rf"{copies}sram lacks \d+ bytes; choose --code flash, {choose}",
    )
    table = "const volatile char table[600000] = {1};\nEXECUTE { KEEP(table[1]); }\n"
    constant = source(tmp_path, '#include "fragment.h"\n' + table)
    refuse(constant, "flash", rf"{copies}flash lacks \d+ bytes; choose {choose}")


def refuse(fragment: FragmentSource, code: str, sentence: str) -> None:
    with pytest.raises(CyclescopeError) as error:
        build(fragment, code=code)
    assert re.fullmatch(sentence, error.value.sentence), error.value.sentence


def test_warnings_of_the_users_own_file_are_kept(tmp_path: Path) -> None:
    fragment = source(tmp_path, EXECUTE + "static int unused;\n")
    for _ in range(2):
        assert build(fragment).messages == (f"{fragment.file}:4: 'unused' defined but not used",)
    target = open_target(Selection("lpc2148", "bare", layout=4, fragment=fragment))
    assert len(target.remarks()) == 1
    assert build(source(tmp_path, EXECUTE)).messages == ()


def test_other_sources_other_images_and_the_same_again(tmp_path: Path) -> None:
    first = build(source(tmp_path, EXECUTE))
    other = build(source(tmp_path, EXECUTE.replace("x++", "x += 2")))
    assert other.elf != first.elf and other.sha256 != first.sha256
    again = build(source(tmp_path, EXECUTE))
    assert (again.elf, again.sha256) == (first.elf, first.sha256)
    assert build(replace(source(tmp_path, EXECUTE), optimise="-O0")).sha256 != first.sha256


def test_what_a_file_includes_is_found_beside_it_and_watched(tmp_path: Path) -> None:
    header = tmp_path / "step.h"
    header.write_text("#define STEP 1\n")
    text = '#include "step.h"\nvolatile int x;\nvoid f(void) { x += STEP; }\n'
    first = build(source(tmp_path, text, "f"))
    header.write_text("#define STEP 77\n")
    assert build(source(tmp_path, text, "f")).sha256 != first.sha256


def test_a_program_with_a_main_of_its_own_can_be_timed(tmp_path: Path) -> None:
    text = ADD + '#include <stdio.h>\nint main(void) { printf("%d", add(1, 2)); return 0; }\n'
    build(source(tmp_path, text, "add(3, 4)"))
    build(source(tmp_path, text, "add(3, 4)"), **HOST)


@pytest.mark.parametrize("isa", ["arm", "thumb"])
def test_a_call_with_arguments_goes_to_the_function_itself(tmp_path: Path, isa: str) -> None:
    """The compiler sees the function's body, and neither takes it over nor leaves the call out."""
    built = build(source(tmp_path, ADD, "add(3, 4)"), isa=isa)
    program = Program(built.elf.read_bytes())
    (execute,) = [f for f in program.functions if f.name == "fragment_execute"]
    code = list(program.instructions(execute.address, execute.end))
    add = program.symbols["add"] & ~1
    assert [int(i.operands.lstrip("#"), 0) for i in code if i.mnemonic in ("b", "bl")] == [add]
    moved = [i.operands for i in code if i.mnemonic in ("mov", "movs")]
    assert sorted(moved) == ["r0, #3", "r1, #4"]
    assert built.facts.fragment is not None
    assert (built.facts.fragment.function, built.facts.fragment.executed) == (
        "add",
        "fragment_execute",
    )


def test_a_function_without_arguments_is_called_by_the_copies_themselves(tmp_path: Path) -> None:
    text = "volatile int x;\nint f(void) { return x++; }\n"
    target = open_target(Selection("lpc2148", "bare", fragment=source(tmp_path, text, "f()")))
    (case,) = target.cases()
    assert (case.call, case.callee) == ("f()", "f")
    program = target.program()
    start, stop = (program.symbols[f"fragment.n2.{end}"] for end in ("start", "stop"))
    code = list(program.instructions(start, stop))
    assert [i.mnemonic for i in code] == ["ldr", "bl", "bl"]
    assert {int(i.operands.lstrip("#"), 0) for i in code[1:]} == {program.symbols["f"]}


def test_a_fragment_that_never_returns_is_given_up(tmp_path: Path) -> None:
    text = '#include "fragment.h"\nEXECUTE { for (;;) __asm volatile("nop"); }'
    fragment = replace(source(tmp_path, text), patience_s=0.2)
    with pytest.raises(CyclescopeError) as error:
        open_target(Selection("lpc2148", "bare", fragment=fragment))
    assert error.value.sentence == (
        "fragment.plan has not come to an end in 0.2 s of the board's time: does the fragment "
        "return? If it does, ask for fewer rounds or executions"
    )


DEEP = """
__attribute__((noipa)) static int down(int n) {
    volatile int a[8] = {n};
    return n ? down(n - 1) + a[0] : 0;
}
EXECUTE {
    int n = 105;
    OPAQUE(n);
    KEEP(down(n));
}
"""


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (DEEP, "the stack of the fragment overflowed"),
        ("EXECUTE { *(volatile int *)0x10000000 = 1; }", "data abort"),
        ('EXECUTE { __asm volatile("swi 1"); }', "interrupt without a handler"),
    ],
)
def test_a_fragment_that_breaks_the_rules_is_one_sentence(
    tmp_path: Path, text: str, cause: str
) -> None:
    fragment = source(tmp_path, '#include "fragment.h"\n' + text)
    with refused("case-failed", naming=[cause]):
        open_target(Selection("lpc2148", "bare", fragment=fragment))
