"""Instructions that estimates from source choose: of an optimised tree, in ARM and in Thumb."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cyclescope.firmware.application import Application
from cyclescope.studies.estimate.source.estimate import work_of
from cyclescope.studies.estimate.source.gimple import GimpleBlock, GimpleFunction, Statement
from cyclescope.studies.estimate.source.layout import following
from cyclescope.studies.estimate.source.loops import Loops
from cyclescope.studies.estimate.source.machine import Machine, added_digits, rotated
from cyclescope.studies.estimate.source.magnitudes import Magnitudes
from cyclescope.studies.estimate.source.optimised import OptimisedProgram, optimised
from cyclescope.studies.estimate.source.statements import MemoryReference, reference
from cyclescope.studies.estimate.source.types import Types
from cyclescope.studies.estimate.source.work import FunctionWork

ROUNDS = 64
ADDRESSES = """
#define ALONE __attribute__((noipa))
static int map[64], from[64], *where = map;
static ALONE int mapped(const int *at, int n) {
    int sum = 0, *to = where;
    for (int i = 0; i < n; i++)
        sum ^= to[at[i]];
    return sum;
}
static ALONE int rows(const char *one, const char *two, int n, int wide) {
    int sum = 0;
    for (int i = 0; i < n; i++, one += wide, two += 3 * wide)
        for (int j = wide; j > 0; j--)
            sum += one[j - 1] ^ two[j - 1];
    return sum;
}
int main(void) {
    static char text[256];
    return (mapped(from, 64) + rows(text, text, 8, 8)) & 0;
}
"""
PROGRAM = """
#include <stdint.h>
#define ALONE __attribute__((noipa))
static int words[64], other[64];
static int16_t halves[64];
static ALONE int dotted(const int *a, const int *b, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
static ALONE unsigned mixed(unsigned x, int n) {
    for (int i = 0; i < n; i++)
        x ^= x << 13;
    return x;
}
static ALONE int crowded(const int *p, int n) {
    int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12;
    while (n--) {
        a += p[0] ^ l; b += p[1] ^ a; c += p[2] ^ b; d += p[3] ^ c; e += p[4] ^ d; f += p[5] ^ e;
        g += p[6] ^ f; h += p[7] ^ g; i += p[8] ^ h; j += p[9] ^ i; k += p[10] ^ j; l += p[11] ^ k;
    }
    return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l;
}
static ALONE uint64_t widened(const uint32_t *a, uint32_t by, int n) {
    uint64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += (uint64_t)a[i] * by;
    return sum;
}
int main(void) {
    int done = dotted(words, other, 64) + (int)mixed(7, 64) + crowded(words, 64);
    return (done + (int)widened((uint32_t *)words, 5, 64) + halves[0]) & 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> OptimisedProgram:
    path = tmp_path_factory.mktemp("program") / "program.c"
    path.write_text(PROGRAM)
    return optimised(Application((path,), "O2"), ["program"], {})


def work(program: OptimisedProgram, name: str, isa: str) -> Counter[str]:
    """The work of one function."""
    function = next(one for one in program.functions if one.name == name)
    alone = OptimisedProgram(program.level, (function,), program.types)
    found: Counter[str] = Counter()
    for kinds in work_of(alone, Magnitudes(), isa).values():
        found.update(kinds)
    return found


def test_an_addition_of_a_product_is_one_instruction_on_arm(program: OptimisedProgram) -> None:
    arm, thumb = (work(program, "dotted", isa) for isa in ("arm", "thumb"))
    assert arm["multiply"] == arm["multiply added"] == ROUNDS
    assert thumb["multiply"] == ROUNDS
    assert not thumb["multiply added"]
    assert thumb["alu"] >= arm["alu"] + ROUNDS


def test_a_step_through_an_array_is_part_of_the_access_on_arm(program: OptimisedProgram) -> None:
    assert work(program, "dotted", "arm")["stepped"] == ROUNDS
    assert work(program, "dotted", "arm")["load"] == 2 * ROUNDS
    assert not work(program, "dotted", "thumb")["stepped"]


def test_a_shift_is_part_of_an_operation_on_arm(program: OptimisedProgram) -> None:
    arm, thumb = (work(program, "mixed", isa) for isa in ("arm", "thumb"))
    # The operation and the count of rounds; Thumb shifts by an instruction of its own.
    assert arm["alu"] == 2 * ROUNDS
    assert thumb["alu"] == 3 * ROUNDS


def test_values_beyond_the_registers_go_to_the_stack(program: OptimisedProgram) -> None:
    arm, thumb = (work(program, "crowded", isa) for isa in ("arm", "thumb"))
    assert 0 < arm["spill load"] < thumb["spill load"]
    assert not work(program, "dotted", "arm")["spill load"]


def test_thumb_calls_a_function_to_multiply_longs(program: OptimisedProgram) -> None:
    arm, thumb = (work(program, "widened", isa) for isa in ("arm", "thumb"))
    assert arm["long multiply"] == arm["multiply added"] == ROUNDS
    assert thumb["library long multiply"] == ROUNDS
    assert not arm["library call"]


PLAIN = """
typedef long long wide;
#define ALONE __attribute__((noipa))
static int table[100], big[4][8];
static ALONE int stepped(int a, unsigned char *p) { return p[a] + table[a]; }
static ALONE int rows(int a, int b) { return big[a][b]; }
static ALONE int small(unsigned char a, unsigned char b) { return a == b; }
static ALONE int asked(register int a, register unsigned char *p) {
    register int sum = a, step = 3;
    while (a-- > 0)
        sum += p[a] * step;
    return sum;
}
static ALONE int far(int a) {
    int places[200], b = a;
    places[a & 7] = a;
    b += places[a & 3];
    return b;
}
static ALONE int chosen(int a) {
    switch (a) {
    case 0: return table[1];
    case 1: return table[2] * 7;
    case 2: return table[3] + 9;
    case 3: return table[4] ^ a;
    case 4: return table[5] - 2;
    case 5: return table[6] / 3;
    case 6: return 4;
    }
    return -1;
}
int main(void) {
    unsigned char text[8] = {0};
    return (stepped(1, text) + rows(1, 2) + small(3, 4) + asked(4, text) + far(1) + chosen(3)) & 0;
}
"""


@pytest.fixture(scope="module", params=["O0", "O2", "Os"])
def level(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("plain") / "program.c"
    path.write_text(PLAIN)
    return optimised(Application((path,), request.param), ["program"], {})


def test_a_switch_has_the_table_of_its_level(level: OptimisedProgram) -> None:
    arm, thumb = (work(level, "chosen", isa) for isa in ("arm", "thumb"))
    assert arm["switch"] == 1
    # Thumb code calls the compiler's function for it only where size counts.
    small = level.level == "Os"
    assert (thumb["switch"], thumb["switch called"]) == ((0, 1) if small else (1, 0))
    assert thumb["library switch"] == small


def test_steps_of_an_expression_are_no_variables(level: OptimisedProgram) -> None:
    plain = work(level, "stepped", "arm")
    if level.level != "O0":
        assert not plain["variable load"]
        return
    # Parameters are stored; a and p are read, and a once more. The table's address is a literal.
    assert plain["variable store"] == 2
    assert plain["variable load"] == 3
    assert plain["literal"] == 1
    assert work(level, "rows", "arm")["address"] > plain["address"]
    assert work(level, "small", "arm")["variable load narrow"] == 2


def test_variables_that_ask_for_a_register_find_one(level: OptimisedProgram) -> None:
    arm, thumb = (work(level, "asked", isa) for isa in ("arm", "thumb"))
    if level.level == "O0":
        assert not arm["variable load"]
        # Thumb code has three registers for such variables, and four ask.
        assert thumb["variable load"] > 0


def test_thumb_reaches_near_variables_alone(level: OptimisedProgram) -> None:
    asides = {isa: work(level, "far", isa)["variable aside"] for isa in ("arm", "thumb")}
    assert not asides["arm"]
    assert (asides["thumb"] > 0) == (level.level == "O0")
    near = work(level, "stepped", "thumb")["variable aside"]
    assert near == 0


@pytest.mark.parametrize(
    ("number", "bytes_"),
    [(0, 0), (0xFF, 1), (0x3FC, 1), (0xF000000F, 1), (0x101, 2), (0x12345678, 4)],
)
def test_constants_are_sums_of_turned_bytes(number: int, bytes_: int) -> None:
    assert rotated(number) == bytes_


def test_constants_of_an_instruction() -> None:
    arm, thumb = Machine("arm", "O2"), Machine("thumb", "O2")
    assert arm.pieces(-1, "+") == arm.pieces(~0xFF, "&") == 1
    assert arm.pieces(0x1234, "+") == 2
    assert arm.pieces(0x1234, "compare") == 0
    assert thumb.pieces(200, "+") == 1
    assert thumb.pieces(200, "&") == 0
    assert (thumb.made(200), thumb.made(0x3FC00), thumb.made(0x12345)) == (
        *("constant", "constant of two"),
        "literal",
    )


def test_multiplications_by_constants_are_additions() -> None:
    assert [added_digits(number) for number in (1, 8, 10, 7, 100)] == [0, 0, 1, 1, 2]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("*p_5(D)", MemoryReference("p_5", 0, ())),
        ("p_5(D)->next", MemoryReference("p_5", 4, ())),
        ("table[i_3]", MemoryReference("table", 0, (("i_3", 4),))),
        ("MEM[(int *)&table + 8B + _2 * 4]", MemoryReference("table", 8, (("_2", 4),))),
        ("MEM[(int *)_7 + 4294967292B]", MemoryReference("_7", -4, ())),
        ("grid[i_1][j_2]", MemoryReference("grid", 0, (("i_1", 0), ("j_2", 4)), rows=True)),
        ("p_5(D)->s[2][_4]", MemoryReference("p_5", 12, (("_4", 4),), inner=True)),
    ],
)
def test_places_in_memory(text: str, found: MemoryReference) -> None:
    assert reference(text, 4) == found


def test_the_likelier_way_falls_through_even_if_it_is_rare() -> None:
    blocks = [
        GimpleBlock(2, 0, 10, ways={3: 9, 4: 1}, likely={3: 0.1, 4: 0.9}),
        GimpleBlock(3, 0, 9, ways={5: 9}, likely={5: 1.0}),
        GimpleBlock(4, 0, 1, ways={5: 1}, likely={5: 1.0}),
        GimpleBlock(5, 0, 10, ways={1: 10}, likely={1: 1.0}),
    ]
    function = GimpleFunction("f", (), blocks=blocks)
    assert following(function, Loops(function)) == {2: 4, 4: 5}


def test_a_jump_to_a_jump_goes_on_at_once() -> None:
    """Cases of a `switch` end in one block that only goes back to the head of the loop."""
    back = Statement("if (a_1 > b_2)", ("p.c", 1, 1))
    blocks = [
        GimpleBlock(2, 0, 1, ways={3: 1}, likely={3: 1.0}),
        GimpleBlock(3, 1, 100, [back], ways={4: 60, 5: 40}, likely={4: 0.6, 5: 0.4}),
        GimpleBlock(4, 1, 60, [back], ways={6: 59, 1: 1}, likely={6: 0.9, 1: 0.1}),
        GimpleBlock(5, 1, 40, [back], ways={6: 40, 7: 0}, likely={6: 0.9, 7: 0.1}),
        GimpleBlock(6, 1, 99, ways={3: 99}, likely={3: 1.0}),
        GimpleBlock(7, 1, 0, ways={1: 0}, likely={1: 1.0}),
    ]
    function = GimpleFunction("f", (), blocks=blocks)
    assert following(function, Loops(function))[4] == 6
    given = (Types(), frozenset[str](), Machine("arm", "O2"), Magnitudes())
    kinds = Counter[str]()
    for each in FunctionWork(function, *given).work.values():
        kinds.update(each)
    # Block 5 jumps to 6, which would jump to 3: only executions that fall into 6 jump from there.
    assert kinds["jump"] == 59


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> OptimisedProgram:
    path = tmp_path_factory.mktemp("addresses") / "program.c"
    path.write_text(ADDRESSES)
    return optimised(Application((path,), "O2"), ["program"], {})


def test_an_access_adds_a_shifted_index_on_arm_alone(addresses: OptimisedProgram) -> None:
    arm, thumb = (work(addresses, "mapped", isa) for isa in ("arm", "thumb"))
    assert arm["load"] == thumb["load"] == 2 * ROUNDS
    # An exclusive or is all that is left; Thumb shifts by an instruction.
    assert thumb["alu"] >= arm["alu"] + ROUNDS
    assert ROUNDS <= arm["alu"] < 1.5 * ROUNDS


def test_a_pointer_is_made_in_front_of_each_loop(addresses: OptimisedProgram) -> None:
    found = work(addresses, "rows", "arm")
    assert ROUNDS / 8 <= found["pointer begun"] <= 3 * ROUNDS / 8
    assert not work(addresses, "mapped", "arm")["pointer begun"] > 3


def test_loops_are_found_with_their_entries() -> None:
    blocks = [
        GimpleBlock(2, 0, 1, ways={3: 1}),
        GimpleBlock(3, 1, 5, ways={4: 5}),
        GimpleBlock(4, 2, 50, ways={4: 45, 5: 5}),
        GimpleBlock(5, 1, 5, ways={3: 4, 1: 1}),
    ]
    loops = Loops(GimpleFunction("f", (), blocks=blocks))
    assert [(one.header, one.entered, len(one.blocks)) for one in loops.all] == [
        (4, 5, 1),
        (3, 1, 3),
    ]
    assert loops.parent(loops.all[0]) is loops.all[1]
    assert loops.outermost[4].header == 3


ANY_ADDRESS = """
#include <stdint.h>
#define ALONE __attribute__((noipa))
typedef union { uint32_t word; } __attribute__((__packed__)) AnyWord;
struct __attribute__((packed)) frame { uint8_t kind; uint16_t length; uint32_t crc; };
typedef __attribute__((aligned(1))) uint16_t AnyHalf;
typedef struct { uint8_t kind; uint32_t crc; } Aligned;
static ALONE uint32_t joined(const uint8_t *p) {
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static ALONE uint32_t any(const void *p) { return ((const AnyWord *)p)->word; }
static ALONE uint16_t length(const struct frame *p) { return p->length; }
static ALONE uint16_t half(const void *p) { return *(const AnyHalf *)p; }
static ALONE void set(struct frame *p, uint32_t crc) { p->crc = crc; }
static ALONE uint32_t aligned(const Aligned *p) { return p->crc; }
static ALONE int same(const uint8_t *p, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += any(p) == ((const AnyWord *)(p + i))->word;
    return sum;
}
int main(void) {
    static uint8_t bytes[80];
    static Aligned one;
    struct frame *frame = (struct frame *)bytes;
    set(frame, 7);
    uint32_t sum = joined(bytes) + any(bytes) + length(frame) + half(bytes);
    return (sum + aligned(&one) + same(bytes, 64)) & 0;
}
"""


@pytest.fixture(scope="module")
def any_address(tmp_path_factory: pytest.TempPathFactory) -> OptimisedProgram:
    path = tmp_path_factory.mktemp("any") / "program.c"
    path.write_text(ANY_ADDRESS)
    return optimised(Application((path,), "O2"), ["program"], {})


@pytest.mark.parametrize(
    ("name", "kind", "bytes_", "joins"),
    [
        ("joined", "load byte", 4, {}),
        ("any", "load byte", 4, {"arm": 3, "thumb": 6}),
        ("length", "load byte", 2, {"arm": 1, "thumb": 2}),
        ("half", "load byte", 2, {"arm": 1, "thumb": 2}),
        ("set", "store narrow", 4, {"arm": 3}),
        ("aligned", "load byte", 0, {"arm": 0, "thumb": 0}),
    ],
)
def test_words_at_any_address_are_read_and_written_byte_by_byte(
    any_address: OptimisedProgram, name: str, kind: str, bytes_: int, joins: dict[str, int]
) -> None:
    """Accesses, shifts and joins are those that arm-none-eabi-gcc 12.2 makes of the functions."""
    times = 65 if name == "any" else 1
    for isa in ("arm", "thumb"):
        found = work(any_address, name, isa)
        assert found[kind] == bytes_ * times
        assert found["alu"] == joins.get(isa, found["alu"] / times) * times
        assert found["load"] + found["store"] == (name == "aligned")


def test_a_loop_reads_words_at_any_address_byte_by_byte_too(
    any_address: OptimisedProgram,
) -> None:
    found = work(any_address, "same", "arm")
    assert found["load byte"] == 4 * ROUNDS
    assert not found["load"]


def test_what_lives_long_goes_to_the_stack_before_what_is_needed_soon(tmp_path: Path) -> None:
    """Sixteen words that a long block needs four times each, beside steps that need one another."""
    words = range(16)
    steps = "\n".join(
        f"    a = (a ^ m{one}) * 3u; b = (b + a) ^ m{(one + 5) % 16}; c = (c ^ b) + a; d += c ^ a;"
        for _ in range(2)
        for one in words
    )
    begun = "".join(f"    unsigned m{one} = p[{one}];\n" for one in words)
    (path := tmp_path / "mixed.c").write_text(
        "static __attribute__((noipa)) unsigned mixed(const unsigned *p, unsigned *to) {\n"
        f"{begun}    unsigned a = 1, b = 2, c = 3, d = 4;\n    to[0] = p[0];\n{steps}\n"
        "    return a ^ b ^ c ^ d;\n}\n"
        "int main(void) { static unsigned p[16], to[1]; return mixed(p, to) & 0; }\n"
    )
    program = optimised(Application((path,), "O2"), ["program"], {})
    found = work(program, "mixed", "arm")
    # Words find no register at most. Steps need no memory: there are four.
    assert 16 <= found["spill load"] <= 4 * len(words)
    assert found["spill store"] <= len(words)


NARROW = """
#include <stdint.h>
#define ALONE static __attribute__((noipa))
ALONE uint16_t up(uint16_t a) { return a << 3; }
ALONE uint16_t top(uint32_t a) { return a >> 16; }
ALONE uint8_t low(uint32_t a) { return a & 0x7F; }
ALONE uint8_t both(uint32_t a, uint32_t b) { return (a >> 24) | (b & 15); }
ALONE uint16_t chain(uint16_t a, uint16_t b) { return (a * b + 5) ^ a; }
ALONE int cut(uint32_t a, int b) { uint16_t x = a >> 5; return x * b; }
ALONE int part(int a, int b) { int16_t x = a >> 5; return x * b; }
ALONE int bits(uint32_t a, int b) { return (a & 1023) * b; }
ALONE int field(uint32_t a, int b) { return (a >> 3 & 1023) * b; }
ALONE int tested(uint16_t a, int b) { if ((int16_t)a < 0) b = b * b; return b; }
int main(void) {
    return (up(1) + top(2) + low(3) + both(1, 2) + chain(1, 2) + cut(1, 2) + part(3, 2)
            + bits(2, 3) + field(2, 3) + tested(3, 4)) & 0;
}
"""


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> OptimisedProgram:
    path = tmp_path_factory.mktemp("narrow") / "program.c"
    path.write_text(NARROW)
    return optimised(Application((path,), "O2"), ["program"], {})


@pytest.mark.parametrize(
    ("name", "arm", "thumb"),
    [
        ("up", {"extend half": 1}, {"extend half": 1}),
        ("top", {"alu": 1}, {"alu": 1}),
        ("low", {"alu": 1}, {"alu": 1}),
        ("both", {"alu": 2}, {"alu": 3}),
        ("chain", {"alu": 1, "extend half": 1}, {"alu": 2, "extend half": 1}),
        ("cut", {"alu": 1, "literal": 1}, {"alu": 2}),
        ("part", {"alu": 1, "extend half": 1}, {"alu": 1, "extend half": 1}),
        ("bits", {"alu": 2}, {"alu": 2}),
        ("field", {"alu": 1, "literal": 1}, {"alu": 2}),
        ("tested", {"compare": 1}, {"extend half": 1, "compare folded": 1}),
    ],
)
def test_narrow_values_are_extended_where_their_high_bits_are_read(
    narrow: OptimisedProgram, name: str, arm: dict[str, int], thumb: dict[str, int]
) -> None:
    """The shifts are those that arm-none-eabi-gcc 12.2 makes of each function."""
    kinds = ("alu", "extend", "extend half", "literal", "compare", "compare folded")
    for isa, expected in (("arm", arm), ("thumb", thumb)):
        found = work(narrow, name, isa)
        assert {kind: found[kind] for kind in kinds if found[kind]} == expected
