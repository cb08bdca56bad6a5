"""Sources that this machine cannot run are refused by line; other widths are warned of."""

from pathlib import Path

import pytest
from refusals import refused

from cyclescope.sources.host_compiler import HostCompiler, host_compiler
from cyclescope.sources.instrumented import Instrumented, SourceUnit
from cyclescope.sources.syntax import SourceError


def program(folder: Path, text: str, ilp32: bool = True) -> Instrumented:
    (folder / "main.c").write_text(text)
    compiler = host_compiler() if ilp32 else HostCompiler("gcc", False)
    return Instrumented([SourceUnit(folder / "main.c")], compiler)


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ('__asm__ volatile("nop");', "source-has-assembly"),
        ("*(volatile unsigned *)0xE0028000 = 1;", "source-has-registers"),
        ("((struct port *)0x40000000)->out = 3;", "source-has-registers"),
        ("((volatile char *)(0x4000 + 4))[2]++;", "source-has-registers"),
        ('__asm__ volatile("mrs %0, cpsr" : "=r"(status) : : "r4");', "source-has-assembly"),
        ('register int flags __asm("r4"); flags = 3;', "source-has-assembly"),
        ("volatile int *port = (volatile int *)0xE0028000; *port = 1;", "source-has-registers"),
        ("write_to((volatile int *)PORT);", "source-has-registers"),
        ("*(volatile int *)(PORT + status * 4) = 1;", "source-has-registers"),
        ("if (fork()) return 1;", "source-has-processes"),
    ],
)
def test_what_only_the_target_can_do_is_refused_by_line(
    statement: str, code: str, tmp_path: Path
) -> None:
    head = (
        "#include <unistd.h>\nenum { PORT = 0x40000000 }; struct port { int out; };\n"
        "void write_to(volatile int *); int main(void)\n{ int status = 1;\n    "
    )
    with refused(code, SourceError, [f"{tmp_path}/main.c:5: "]):
        program(tmp_path, f"{head}{statement}\n    return 0;\n}}\n")


def test_registers_and_assembly_outside_functions_are_refused_by_line(tmp_path: Path) -> None:
    pointers = """
static volatile unsigned *const out = (volatile unsigned *)0x40000000;
static volatile unsigned *const in = (volatile unsigned *)(0x40000000 + 4);
int main(void) { *out = *in; return 0; }
"""
    with refused("source-has-registers", naming=["main.c:2", "main.c:3", "--host-source"]) as told:
        program(tmp_path, pointers)
    assert "main.c:4" not in told.value.sentence
    named = """
register unsigned stack __asm("sp");
register unsigned fourth __asm("r4");
__asm(".global start");
int main(void) { return stack == fourth; }
"""
    with refused("source-has-assembly", naming=["main.c:2", "main.c:3", "main.c:4"]):
        program(tmp_path, named)


def test_addresses_that_are_numbers_are_refused_only_as_registers(tmp_path: Path) -> None:
    text = """
#include <stdint.h>
static int cell;
int main(void) {
    const char *mark = (const char *)1, *other = (char *)-1;
    uintptr_t address = (uintptr_t)&cell;
    volatile int *same = (volatile int *)address, *none = (volatile int *)0;
    *(volatile int *)(address + 0) = 1;
    return !(*same && mark != other && !none);
}
"""
    assert program(tmp_path, text).functions


def test_a_barrier_and_an_address_of_null_are_no_target_code(tmp_path: Path) -> None:
    text = """
#include <stddef.h>
struct s { int a, b; };
int main(void) {
    char *none = (char *)0;
    __asm__ volatile("" ::: "memory");
    if ((size_t)&((struct s *)0)->b != sizeof(((struct s *)NULL)->a))
        return 2;
    return none != NULL || offsetof(struct s, b) != 4 || sizeof(*(int *)0x40000000) != 4;
}
"""
    assert program(tmp_path, text).functions


def test_widths_that_differ_have_their_lines(tmp_path: Path) -> None:
    text = """
#include <time.h>
struct wide { long field; int narrow; };
static unsigned long total;
long double precise(long a, long long b) { return a + b + total; }
int main(void) { time_t now = 0; struct wide one = {1, 2}; return precise(one.field, now) > 9; }
"""
    at = f"{tmp_path}/main.c"
    native = program(tmp_path, text, ilp32=False).warnings
    named = [one.partition(" has ")[0] for one in native]
    assert named == [
        f"{at}:3: field (long)",
        f"{at}:4: total (unsigned long)",
        f"{at}:5: precise (long double)",
        f"{at}:5: a (long)",
    ]
    assert "8 bytes on this machine, 4 on the target" in native[0]
    narrow = [one.partition(" has ")[0] for one in program(tmp_path, text).warnings]
    assert narrow == [f"{at}:5: precise (long double)", f"{at}:6: now (time_t)"]
