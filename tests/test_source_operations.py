"""Operations of regions; the front end of gcc, before it optimises, finds as many."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from counted_programs import SOURCES

from cyclescope.sources.host_compiler import host_compiler
from cyclescope.sources.host_run import count
from cyclescope.sources.instrumented import Instrumented, SourceUnit
from cyclescope.sources.operations import FunctionOperations

IRDA = SOURCES.parents[1] / "firmware" / "irda"
HOST = IRDA / "ports" / "host"
STACK = (HOST / "fuzz_host.c", HOST / "fuzz_frames.c", *sorted(IRDA.glob("*.c")))
MEDIUM = (HOST / "medium.c", HOST / "medium_losses.c")
OPTIONS = ("-std=c99", f"-I{IRDA}", f"-I{HOST}")
SIGNS = {"/": "divide", "%": "remain", "<<": "shift", ">>": "shift", "^": "xor"}
BY_A_FACTOR = "ask_for_missing"
"""A function with x | x << 8, of which gcc makes a multiplication by 257."""
MASKED = ("remain", "power of two")
FUNCTION = re.compile(r"^(?:\w+ )*\**(\w+) \([^\n]*\)\n\{\n(.*?)^\}", re.M | re.S)


def is_masked(sign: str, right: str) -> bool:
    """Whether it is a remainder by a power of two, of which gcc makes a mask where it can."""
    return sign == "%" and right.isdigit() and int(right).bit_count() == 1


def gimple(file: Path, home: Path) -> dict[str, Counter[str]]:
    """The operators of each function in gcc's first representation of a file."""
    dump = home / "gimple"
    command = ["gcc", *host_compiler().types, *OPTIONS, "-D__NO_CTYPE", "-w", "-O0", "-c"]
    subprocess.run([*command, f"-fdump-tree-gimple={dump}", "-o", home / "o", file], check=True)
    found = {}
    for name, text in FUNCTION.findall(dump.read_text()):
        signs = Counter(
            sign
            for sign, right in re.findall(r"= \S+ (/|%|<<|>>|\^) (\S+);", text)
            if not is_masked(sign, right)
        )
        found[name] = Counter({SIGNS[sign]: 0 for sign in signs})
        for sign, number in signs.items():
            found[name][SIGNS[sign]] += number
    return found


def kinds(program: Instrumented, number: int) -> dict[str, Counter[str]]:
    """The same operators of each function of a unit, as we find them."""
    found: dict[str, Counter[str]] = {}
    for one in (one for one in program.functions if one.unit == number):
        counted = FunctionOperations(one.found, program.trees[number].text).counted
        name = one.found.function.name
        found[name] = Counter()
        for operations in counted.values():
            for operation, times in operations.items():
                if operation.kind in SIGNS.values() and operation[::2] != MASKED:
                    found[name][operation.kind] += times
    return found


@pytest.mark.parametrize(
    "files",
    [
        (SOURCES / "control.c",),
        (SOURCES / "parameters.c",),
        (SOURCES / "reached.c", SOURCES / "shared.c"),
        (*STACK, *MEDIUM),
    ],
)
def test_functions_have_the_operators_that_gcc_finds(
    files: tuple[Path, ...], tmp_path: Path
) -> None:
    program = Instrumented([SourceUnit(file, OPTIONS) for file in files], host_compiler())
    for number, file in enumerate(files):
        ours, truth = kinds(program, number), gimple(file, tmp_path)
        # gcc leaves out inline functions of headers that a file does not use.
        assert ours.keys() >= truth.keys()
        truth.pop(BY_A_FACTOR, None)
        assert {name: dict(one) for name, one in ours.items() if name in truth} == truth


def test_operations_have_types_and_access(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(
        """
struct node { int value; struct node *next; };
static int table[8], total;
static unsigned char small;
int main(void) {
    struct node last = {7}, first = {1, &last}, *at = &first;
    for (int i = 0; i < 8; i++)
        table[i] = i * 3 + (4 * 2);
    while (at) {
        total += at->value;
        at = at->next;
    }
    small = total / 2.5;
    return small >> 9;
}
"""
    )
    counts = count([SourceUnit(tmp_path / "main.c")]).counts
    executed = counts.executed
    assert executed["store", "i32", "global_aggregate"] == 8
    assert executed["multiply", "i32", "constant"] == 8
    assert executed["add", "i32", "power of two"] == 8  # 4 * 2 is folded
    assert executed["index", "i32", ""] == 8
    assert executed["compare", "i32", "power of two"] == 9
    assert executed["load", "i32", "pointer"] == executed["load", "pointer", "pointer"] == 2
    assert executed["branch", "", ""] == 9 + 3
    assert executed["load", "i32", "global"] == 2 + 1
    assert executed["convert", "i32 f64", ""] == executed["convert", "f64 u8", ""] == 1
    assert executed["divide", "f64", "constant"] == 1
    assert executed["clear", "8 bytes", ""] == 1
    assert executed["shift", "i32", "constant"] == executed["return", "i32", ""] == 1
