"""Files of users, and the messages for files that cannot be timed."""

import errno
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from choices import configured
from refusals import refused

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
FAILED = "build-failed"
EXECUTE = '#include "fragment.h"\nstatic volatile int x;\nEXECUTE { x++; }\n'


def source(folder: Path, text: str, call: str | None = None, plan: Plan = LINE) -> FragmentSource:
    file = folder / "mine.c"
    file.write_text(text)
    return FragmentSource(file, (("plan", plan),), call)


def build(fragment: FragmentSource, **choices: str) -> Built:
    return firmware.build(configured({"kernel": "bare", "fragment": fragment, **choices}))


@pytest.mark.parametrize(
    ("text", "call", "plan", "code", "words"),
    [
        (ADD, "sub", LINE, FAILED, "mine.c sub"),
        (ADD, "sub(1, 2)", LINE, FAILED, "mine.c sub"),
        (ADD, "add", LINE, FAILED, "add --call 'add(…)'"),
        (ADD, "add(1)", LINE, FAILED, "add(1) 'add'"),
        ("int f(void) { return 1 +; }", "f", LINE, FAILED, "mine.c:1 ';'"),
        ("void f(void) { g(); }", "f", LINE, FAILED, "mine.c:1 'g'"),
        (
            ADD + "int (*pointer)(int, int) = add;",
            "pointer(1, 2)",
            LINE,
            FAILED,
            "pointer mine.c",
        ),
        ("void f(void);", "f", LINE, FAILED, "mine.c f"),
        ("struct { int x[9]; } f(void);", "f", LINE, FAILED, "f EXECUTE { f() }"),
        (ADD, None, LINE, FAILED, "mine.c EXECUTE --function"),
        (EXECUTE, None, INITIALISED, FAILED, "mine.c INITIALISE"),
        (ADD + "void wire_send(void) {}", "add(1, 2)", LINE, FAILED, "mine.c wire_send"),
        ("int g(void); int f(void) { return g(); }", "f", LINE, FAILED, "mine.c g -l"),
        (ADD, "1 + 2", LINE, "not-a-call", "1 + 2 f(&state, 3)"),
        (EXECUTE, None, (Point(2, 3, looped=True),), "loop-of-uneven-initialisations", ""),
        (EXECUTE, None, (Point(-1),), "negative-executions", "0"),
    ],
)
def test_what_cannot_be_built_is_one_sentence(
    tmp_path: Path, text: str, call: str | None, plan: Plan, code: str, words: str
) -> None:
    fragment = source(tmp_path, text, call, plan)
    with refused(code) as error:
        build(fragment)
    sentence = error.value.sentence.replace(f"{tmp_path}/", "")
    named = {word.strip(":;,") for word in sentence.split()}
    assert {word.strip(",") for word in words.split()} <= named, sentence
    assert "\n" not in sentence


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    missing = tmp_path / "missing.c"
    with refused("cannot-read", naming=[missing, os.strerror(errno.ENOENT)]) as error:
        build(FragmentSource(missing, (("plan", LINE),)))
    assert "\n" not in error.value.sentence


def test_what_does_not_fit_says_how_much_is_lacking_and_where_it_would(tmp_path: Path) -> None:
    table = "static volatile char table[30000];\nEXECUTE { table[0] = 1; }\n"
    large = source(tmp_path, '#include "fragment.h"\n' + table)
    refuse(large, "flash", "sram", ["--board lpc2148-lab", "--code lab"])
    many = (Point(2500), Point(2501))
    remedies = ["--code flash", "--points", "--board lpc2148-lab", "--code lab"]
    refuse(source(tmp_path, EXECUTE, plan=many), "sram", "sram", remedies)
    table = "const volatile char table[600000] = {1};\nEXECUTE { KEEP(table[1]); }\n"
    constant = source(tmp_path, '#include "fragment.h"\n' + table)
    refuse(constant, "flash", "flash", remedies[1:])


def refuse(fragment: FragmentSource, code: str, memory: str, remedies: list[str]) -> None:
    """The sentence names the file, the full memory and its bytes, and these options in order."""
    with refused(FAILED, naming=[fragment.file.name]) as error:
        build(fragment, code=code)
    sentence = error.value.sentence
    assert re.search(rf"\b{memory} \w+ [1-9]\d* bytes", sentence), sentence
    assert re.findall(r"--(?:board|code) \w[\w-]*|--\w+", sentence) == remedies


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
    with refused("fragment-does-not-end-on-board", naming=["fragment.plan", "0.2 s"]):
        open_target(Selection("lpc2148", "bare", fragment=fragment))


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
