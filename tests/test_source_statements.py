"""Statements of a tree as estimates from source read them: any name, calls that are jumps."""

from collections import Counter
from pathlib import Path

import pytest

from cyclescope.firmware.application import Application
from cyclescope.studies.estimate.source.estimate import work_of
from cyclescope.studies.estimate.source.gimple import (
    JUMPS,
    LEAVES,
    Choice,
    GimpleBlock,
    GimpleFunction,
    Statement,
)
from cyclescope.studies.estimate.source.magnitudes import Magnitudes
from cyclescope.studies.estimate.source.optimised import OptimisedProgram, optimised
from cyclescope.studies.estimate.source.statements import (
    BINARY,
    COMPARISONS,
    CONDITION,
    is_variable,
)
from cyclescope.studies.estimate.source.tails import places, with_jumps
from cyclescope.studies.estimate.source.types import Types, Width, static_functions

ROUNDS = 64
PROGRAM = """
#include <stdint.h>
#define ALONE __attribute__((noipa))
typedef struct { uint8_t kind, extra; int32_t value; } code_t;
typedef int (*handler)(const int *, int);
static code_t code[64];
static int table[64];
static volatile int port;
static ALONE int parts(const code_t *at, int n) {
    int sum = 0;
    code_t one = *at++;
    while (n--) {
        if (one.kind == 3)
            sum += one.value * one.value;
        else if (one.extra)
            sum ^= one.value;
        one = *at++;
    }
    return sum;
}
static ALONE int plain(const int *p, int n) { return p[n] ^ n; }
static ALONE int under(const int *_p, int _n) { return _p[_n] ^ _n; }
static ALONE void devices(int n) { for (int i = 0; i < n; i++) port = port + 1; }
static ALONE int end(const int *p) {
    int sum = 0;
    do sum += *p++; while (p < table + 64);
    return sum;
}
static ALONE int pointed(handler f, const int *p) { return f(p, 2) + 1; }
static ALONE uint64_t low(uint64_t a, uint64_t b) { return (a & 0xFFFFFFFF) * (uint32_t)b; }
static ALONE uint64_t half(uint64_t a, uint32_t b) { return a * b; }
static ALONE uint64_t twice(uint64_t a) { return a * 2; }
static ALONE uint64_t scaled(uint64_t a) { return a * 977; }
static ALONE uint64_t mixed(uint64_t a) { return a * 1000003; }
static ALONE uint64_t turned(uint64_t a) { return a >> 24 | a << 40; }
static ALONE uint64_t swapped(uint64_t a) { return a >> 32 | a << 32; }
int main(void) {
    devices(64);
    int sum = parts(code, 63) + plain(table, 1) + under(table, 1) + under(table, 2) + end(table);
    sum += pointed(plain, table) + (int)(low(1, 2) + half(3, 4) + twice(5));
    return (sum + (int)(turned(1) + swapped(2) + scaled(3) + mixed(4))) & 0;
}
"""
CALLS = """
#include <stdint.h>
#include <stdlib.h>
#define ALONE __attribute__((noipa))
typedef int (*handler)(const int *, int);
int before(int a);
static ALONE int first(const int *p, int a) { return p[a]; }
ALONE int before(int a) { return a * 3; }
ALONE int to_static(int a) { static int some[8]; return first(some, a & 7); }
ALONE int to_public(int a) { return before(a + 1); }
ALONE int to_library(void) { return rand(); }
ALONE int by_pointer(const handler *at, const int *p, int a) { return at[a](p, 1); }
ALONE int at_last(int a) { if (before(a) == 3) return before(a + 2); return 7; }
static int odd(int a);
static ALONE int even(int a) { return a ? odd(a - 1) : 7; }
static ALONE int odd(int a) { return a ? even(a - 1) : 9; }
static ALONE int six(int a, int b, int c, int d, int e, int f) { return a + e * f; }
ALONE int more(int a, int b) { return six(a, b, 1, 2, 3, 4); }
ALONE int alike(int a, int b, int c, int d, int e, int f) { return six(b, a, c, d, e, f); }
ALONE int wide(int a, uint64_t b, int c) { return a + (int)b + c; }
int main(void) {
    static int some[8];
    handler all[2] = {first, first};
    int sum = even(1) + to_static(1) + to_public(1) + to_library() + at_last(1);
    sum += by_pointer(all, some, 1);
    return (sum + more(1, 2) + alike(1, 2, 3, 4, 5, 6) + wide(1, 2, 3)) & 0;
}
"""


def made(folder: Path, text: str) -> OptimisedProgram:
    """The program of a file, as the host's compiler optimises it."""
    (path := folder / "program.c").write_text(text)
    return optimised(Application((path,), "O2"), ["program"], {})


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> OptimisedProgram:
    return made(tmp_path_factory.mktemp("program"), PROGRAM)


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> OptimisedProgram:
    return made(tmp_path_factory.mktemp("calls"), CALLS)


def work(program: OptimisedProgram, name: str, isa: str) -> Counter[str]:
    """The work of one function."""
    function = next(one for one in program.functions if one.name == name)
    alone = OptimisedProgram(program.level, (function,), program.types)
    found: Counter[str] = Counter()
    for kinds in work_of(alone, Magnitudes(), isa).values():
        found.update(kinds)
    return found


def test_parts_of_a_structure_are_values(program: OptimisedProgram) -> None:
    function = next(one for one in program.functions if one.name == "parts")
    assert any("$" in one.text for block in function.blocks for one in block.statements)
    assert any("$" in name for name in function.types)
    for isa in ("arm", "thumb"):
        found = work(program, "parts", isa)
        assert not found["copied aggregate"]
        assert not found["store"] + found["store narrow"]
        assert found["load byte"] == 2 * found["load"] == 2 * ROUNDS


def test_a_name_may_begin_with_an_underscore(program: OptimisedProgram) -> None:
    for isa in ("arm", "thumb"):
        assert work(program, "under", isa) == work(program, "plain", isa)
    assert is_variable("_sp_11")
    assert not is_variable("_11")


def test_volatile_accesses_are_accesses(program: OptimisedProgram) -> None:
    found = work(program, "devices", "arm")
    assert found["load"] == found["store"] == ROUNDS


def test_a_pointer_is_compared_with_an_address(program: OptimisedProgram) -> None:
    assert work(program, "end", "arm")["compare"] == ROUNDS
    match = CONDITION.match("if (&MEM <int[4]> [(void *)&table + 8B] != p_4)")
    assert match is not None
    assert match.group(1).startswith("&MEM")
    assert match.group(3) == "p_4"


def test_a_parameter_may_be_called(program: OptimisedProgram) -> None:
    for isa in ("arm", "thumb"):
        assert work(program, "pointed", isa)["call outside"] == 1


@pytest.mark.parametrize("operator", ["u>=", "u<", "<>", "unord"])
def test_a_comparison_may_be_unordered(operator: str) -> None:
    match = CONDITION.match(f"if (_130 {operator} 0.0)")
    assert match is not None
    assert match.groups() == ("_130", operator, "0.0")
    binary = BINARY.match(f"_1 {operator} _2")
    assert binary is not None
    assert binary.group(2) in COMPARISONS


@pytest.mark.parametrize(
    ("name", "arm", "thumb"),
    [
        ("low", {"long multiply": 1}, {"library long multiply": 1}),
        ("half", {"long multiply": 1, "multiply add": 1}, {"library long multiply": 1}),
        ("twice", {"alu long": 1}, {"alu long": 1}),
        (
            "scaled",
            {"alu long": 3, "shift long constant": 3},
            {"alu long": 3, "shift long constant": 3},
        ),
        ("mixed", {"long multiply": 1, "multiply add": 1}, {"library long multiply": 1}),
        ("turned", {"alu": 4}, {"alu": 6}),
        ("swapped", {}, {}),
    ],
)
def test_operations_of_64_bits_have_the_instructions_of_their_halves(
    program: OptimisedProgram, name: str, arm: dict[str, int], thumb: dict[str, int]
) -> None:
    """Products and shifts are those that arm-none-eabi-gcc 12.2 makes of each function."""
    kinds = ("long multiply", "multiply add", "library long multiply", "alu", "alu long")
    kinds = (*kinds, "shift long constant")
    for isa, expected in (("arm", arm), ("thumb", thumb)):
        found = work(program, name, isa)
        assert {kind: found[kind] for kind in kinds if found[kind]} == expected


@pytest.mark.parametrize(
    ("name", "jumps"),
    [
        *(("even", 1), ("to_static", 1), ("to_public", 1), ("to_library", 0), ("by_pointer", 1)),
        *(("more", 0), ("alike", 1)),
    ],
)
def test_a_call_in_return_position_is_a_jump_on_arm(
    calls: OptimisedProgram, name: str, jumps: int
) -> None:
    """The jumps are those that arm-none-eabi-gcc 12.2 makes with -mthumb-interwork."""
    arm, thumb = (work(calls, name, isa) for isa in ("arm", "thumb"))
    assert arm["jump"] == jumps
    assert arm["call"] + arm["call outside"] == arm["return"] == arm["enter calling"] == 1 - jumps
    assert not thumb["jump"]
    assert thumb["call"] + thumb["call outside"] == thumb["return"] == thumb["enter calling"] == 1


def test_the_function_that_is_jumped_to_returns(calls: OptimisedProgram) -> None:
    """A call that is not the last thing remains, and what stands behind the jump has no work."""
    arm, thumb = (work(calls, "at_last", isa) for isa in ("arm", "thumb"))
    assert arm["call outside"] == 1
    assert arm["jump"] == 1
    assert not arm["return"]
    assert thumb["call outside"] == 2
    assert thumb["return"] == 1


def test_blocks_behind_a_jump_execute_less_often() -> None:
    place = ("p.c", 1, 1)
    call = Statement("_1 = f_2(D) (3); [tail call]", place)
    ended = [Statement("return _5;", place)]
    blocks = [
        GimpleBlock(2, 0, 10, [Statement("if (a_4(D) != 0)", place)], ways={3: 7, 4: 3}),
        GimpleBlock(3, 0, 7, [call], ways={4: 7}),
        GimpleBlock(4, 0, 10, ended, [Choice("_5", {2: "9", 3: "_1"})], ways={LEAVES: 10}),
    ]
    found = with_jumps(GimpleFunction("g", ("int a", "int f"), blocks=blocks), Types())
    first, jump, last = found.blocks
    assert first == blocks[0]
    assert (jump.ways, jump.statements[-1].text) == ({}, f"_1 = f_2(D) (3); {JUMPS}")
    assert (last.count, last.ways) == (3, {LEAVES: 3})
    assert last.choices == [Choice("_5", {2: "9"})]


def test_arguments_on_the_stack_stay_there(calls: OptimisedProgram) -> None:
    assert work(calls, "more", "arm")["argument in memory"] == 2
    assert not work(calls, "alike", "arm")["argument in memory"]
    # Thumb code does not jump: it loads and stores them.
    thumb = work(calls, "alike", "thumb")
    assert thumb["argument in memory"] == thumb["load"] == 2
    assert work(calls, "six", "arm")["load"] == 2 * 2


def test_arguments_of_64_bits_begin_at_even_words(calls: OptimisedProgram) -> None:
    word, long = Width(32, "i"), Width(64, "u")
    assert places([word, long, word]) == [0, 2, 4]
    assert places([word, word, word, long]) == [0, 1, 2, 4]
    # So the last one of `wide` is on the stack.
    assert work(calls, "wide", "arm")["load"] == 1


def test_static_functions_are_found_by_their_declaration() -> None:
    text = """
    static __attribute__((noinline)) int one(int a) { return a; }
    static inline char *two(void);
    static int three = 3, (*four)(int);
    int five(void) { static int six; return six; }
    """
    assert static_functions(text) >= {"one", "two"}
    assert not static_functions(text) & {"three", "five", "six"}
