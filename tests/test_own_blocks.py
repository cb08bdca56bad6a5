"""A program's own parts by the blocks of its image, beside what the board spends."""

from dataclasses import replace
from pathlib import Path

import pytest

from cyclescope.firmware.application import Application, build_application
from cyclescope.firmware.configuration import Configuration
from cyclescope.sources.counts import SourceCounts
from cyclescope.sources.host_run import count
from cyclescope.sources.instrumented import SourceUnit
from cyclescope.studies.estimate.blocks.own import OwnBlocks, own_blocks
from cyclescope.studies.estimate.calls.pricing import priced
from cyclescope.studies.estimate.calls.shipped import shipped
from cyclescope.targets.virtual.application import run_on_board

WHERE = Configuration("lpc2148-lab", "bare", {"code": "lab"})
SOURCE = r"""
static unsigned table[64];
unsigned __attribute__((noinline)) heavy(unsigned one) { return one * 40503u >> 3; }
unsigned __attribute__((noinline)) shed(unsigned one) { return one & 0xFFFF; }
static inline unsigned mixed(unsigned one, int often) {
    while (often-- > 0)
        one = one * 3 + table[one % 64];
    return one;
}
int main(int argc, char **argv) {
    unsigned sum = argc;
    double mean = 0;
    for (unsigned i = 0; i < 700; i++) {
        if (i & 1)
            sum += heavy(i);
        sum ^= i;
        if (i > 600)
            sum = shed(sum);
        switch (i % 7) {
        case 0: sum += mixed(i, 3); break;
        case 1: case 2: sum = i ? sum / i : 1; break;
        case 3: table[i & 63] = sum; break;
        case 4: sum += mixed(sum, 1); break;
        case 5: if (sum > i && (sum & 4 || i & 8)) sum--; break;
        default: mean = mean * 0.5 + i;
        }
    }
    return sum + (int)mean == 12345;
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("own") / "program.c"
    file.write_text(SOURCE)
    return file


@pytest.fixture(scope="module")
def counts(source: Path) -> SourceCounts:
    return count([SourceUnit(source, ("-std=gnu99",))]).counts


def found(
    source: Path, counts: SourceCounts, where: Configuration, level: str = "-O2"
) -> tuple[OwnBlocks, int]:
    """The estimate, and what the program and the compiler's functions spend on the board."""
    built = build_application(Application((source,), options=(level,)), where)
    laws = shipped(where)
    owners = run_on_board(built, ("program",), {}, profile=True).by_owner
    assert owners is not None
    return own_blocks(built, counts, laws), owners["program"] + owners["compiler"]


@pytest.mark.parametrize("isa", ["arm", "thumb"])
@pytest.mark.parametrize("level", ["O0", "O2", "Os"])
def test_own_code_and_what_the_compiler_calls_cost_what_they_do_on_the_board(
    source: Path, counts: SourceCounts, isa: str, level: str
) -> None:
    where = replace(WHERE, settings={"code": "lab", "isa": isa})
    estimate, spent = found(source, counts, where, f"-{level}")
    assert estimate.unpriced == {}
    assert sum(one.cycles for one in estimate.parts) == pytest.approx(spent, rel=0.08)


def test_calls_of_the_image_are_as_often_as_in_the_source(
    source: Path, counts: SourceCounts
) -> None:
    estimate, _ = found(source, counts, WHERE)
    calls = {call.callee: 0.0 for call in estimate.calls}
    for call in estimate.calls:
        calls[call.callee] += call.times
    assert calls["__aeabi_dmul"] == calls["__aeabi_dadd"] == 100
    nodes = estimate.blocks.flow.nodes
    entered = {
        node.function.name: times
        for node, times in zip(nodes, estimate.blocks.solution.nodes, strict=True)
        if node.begin == node.function.address
    }
    assert entered["heavy"] == 350 and entered["shed"] == 99


def test_parts_lie_in_the_lines_that_they_come_from(source: Path, counts: SourceCounts) -> None:
    estimate, _ = found(source, counts, WHERE)
    lines = {one.line for one in estimate.parts}
    division = 1 + next(n for n, line in enumerate(SOURCE.split("\n")) if "sum / i" in line)
    assert {one.file for one in estimate.parts} == {str(source)}
    assert division in lines and not lines & {4 + 1}
    assert all(one.cycles > 0 for one in estimate.parts)
    spent = sum(one.cycles for one in estimate.parts if one.line == division)
    assert spent > 0.2 * sum(one.cycles for one in estimate.parts)


PRODUCTS = """
static int table[64];
static long long sums[4];
static void convolved(const int *a, const int *b) {
    long long first = a[0] * (long long)b[3];
    long long second = a[1] * (long long)b[2];
    long long third = a[2] * (long long)b[1];
    long long fourth = a[3] * (long long)b[0];
    sums[0] += first + second + third + fourth;
}
int main(int argc, char **argv) {
    for (int i = 0; i < 64; i++)
        table[i] = (i + argc) * 20000000;
    for (int i = 0; i < 3000; i++)
        convolved(table + i % 60, table + i % 56);
    return sums[0] == 12345;
}
"""


def test_products_that_are_added_take_the_bytes_of_their_factors(tmp_path: Path) -> None:
    """GCC gives an instruction that multiplies and adds the position of the addition."""
    source = tmp_path / "products.c"
    source.write_text(PRODUCTS)
    estimate, spent = found(source, count([SourceUnit(source)]).counts, WHERE)
    assert sum(one.cycles for one in estimate.parts) == pytest.approx(spent, rel=0.03)


OPERANDS = """
static volatile TYPE sink;
static TYPE __attribute__((noinline)) added(TYPE a, TYPE b) { return a + b; }
static TYPE __attribute__((noinline)) without(TYPE a, TYPE b) { return a - b; }
static TYPE __attribute__((noinline)) times(TYPE a, TYPE b) { return a * b; }
static TYPE __attribute__((noinline)) by(TYPE a, TYPE b) { return a / b; }
static TYPE __attribute__((noinline)) twice(TYPE a) { return a * 2; }
static TYPE __attribute__((noinline)) half(TYPE a) { return a / 2; }
int main(int argc, char **argv) {
    TYPE a = (TYPE)1.7 * argc;
    for (int i = 0; i < 300; i++)
        sink = WHAT;
    return 0;
}
"""
WAYS_OF_OPERANDS = {
    "zero": "added(a, 0)", "opposite": "without(a, a)", "twice": "added(a, a)",
    "far": "added(a, (TYPE)1e-20)", "cancels": "without(a, (TYPE)1.65)",
    "power": "times(a, (TYPE)0.25)", "divisor": "by(a, 4)",
    "digits that are 0 by chance": "by((TYPE)1.5 * a, a)", "product with 2": "twice(a)",
    "half": "half(a)",
}  # fmt: skip


@pytest.mark.parametrize("isa", ["arm", "thumb"])
@pytest.mark.parametrize("type_", ["float", "double"])
@pytest.mark.parametrize("way", WAYS_OF_OPERANDS)
def test_floating_point_takes_the_way_of_its_operands(
    tmp_path: Path, way: str, type_: str, isa: str
) -> None:
    """libgcc ends early for zeros, equal operands, powers of two and what changes no digit."""
    file = tmp_path / "program.c"
    text = OPERANDS.replace("WHAT", WAYS_OF_OPERANDS[way]).replace("TYPE", type_)
    file.write_text(text)
    counts = count([SourceUnit(file, ("-std=gnu99",))]).counts
    where = replace(WHERE, settings={"code": "lab", "isa": isa})
    estimate, spent = found(file, counts, where)
    assert sum(one.cycles for one in estimate.parts) == pytest.approx(spent, rel=0.04)


HEADER = """
static unsigned __attribute__((noinline)) step(unsigned one) { return one * 5 + (one >> 3); }
typedef unsigned (*operation)(unsigned);
"""
BUSY = """
#include "steps.h"
unsigned rest(unsigned sum);
static operation volatile busy = step;
int main(int argc, char **argv) {
    unsigned sum = argc;
    for (int i = 0; i < 500; i++)
        sum = busy(sum);
    return rest(sum) == 12345;
}
"""
IDLE = """
#include "steps.h"
static operation volatile idle = step;
unsigned rest(unsigned sum) { return sum == 7 ? idle(sum) : sum; }
"""


def test_units_have_their_own_functions_of_one_name(tmp_path: Path) -> None:
    """A static function of a header is one of each unit that includes it."""
    (tmp_path / "steps.h").write_text(HEADER)
    (busy := tmp_path / "busy.c").write_text(BUSY)
    (idle := tmp_path / "idle.c").write_text(IDLE)
    counts = count([SourceUnit(one) for one in (busy, idle)]).counts
    built = build_application(Application((busy, idle), options=("-O2",)), WHERE)
    estimate = own_blocks(built, counts, shipped(WHERE))
    entered = sorted(
        times
        for node, times in zip(
            estimate.blocks.flow.nodes, estimate.blocks.solution.nodes, strict=True
        )
        if node.function.name == "step" and node.begin == node.function.address
    )
    assert entered == [0, 500]
    owners = run_on_board(built, ("program",), {}, profile=True).by_owner
    assert owners is not None
    assert sum(one.cycles for one in estimate.parts) == pytest.approx(owners["program"], rel=0.02)


COUNTED_BITS = """
static volatile unsigned narrow = 3;
static volatile unsigned long long wide = 7;
int main(int argc, char **argv) {
    unsigned sum = argc;
    for (int i = 0; i < 400; i++) {
        unsigned one = narrow << (i & 31) | 1u << (31 & (i * 7));
        unsigned long long other = wide << (i & 63) | 1ull << (63 & (i * 5));
        sum += __builtin_clz(one) + __builtin_ctz(one) + __builtin_popcount(one);
        sum += __builtin_clzll(other) + __builtin_ctzll(other) + __builtin_popcountll(other);
    }
    return sum == 12345;
}
"""


@pytest.mark.parametrize("isa", ["arm", "thumb"])
def test_bits_that_the_compiler_counts_by_calls_are_priced(tmp_path: Path, isa: str) -> None:
    """The core has no instruction for it, so libgcc's functions stand in the image."""
    (file := tmp_path / "bits.c").write_text(COUNTED_BITS)
    counts = count([SourceUnit(file)]).counts
    where = replace(WHERE, settings={"code": "lab", "isa": isa})
    estimate, spent = found(file, counts, where)
    assert estimate.unpriced == {}
    assert sum(one.cycles for one in estimate.parts) == pytest.approx(spent, rel=0.05)


ON_THE_STACK = """
#include <alloca.h>
static volatile unsigned sink;
static void __attribute__((noinline)) filled(unsigned size) {
    volatile unsigned *block = alloca(size * sizeof *block);
    for (unsigned i = 0; i < size; i++)
        block[i] = i;
    sink = block[size / 2];
}
int main(int argc, char **argv) {
    for (unsigned i = 1; i < 40; i++)
        filled(i);
    return 0;
}
"""


@pytest.mark.parametrize("isa", ["arm", "thumb"])
def test_blocks_of_the_stack_are_no_calls(tmp_path: Path, isa: str) -> None:
    file = tmp_path / "program.c"
    file.write_text(ON_THE_STACK)
    counts = count([SourceUnit(file, ("-std=gnu99",))]).counts
    where = replace(WHERE, settings={"code": "lab", "isa": isa})
    estimate, spent = found(file, counts, where)
    assert any("alloca" in str(one.callee) for one in counts.calls)
    assert not any("alloca" in one.callee for one in priced(counts, shipped(where)))
    assert sum(one.cycles for one in estimate.parts) == pytest.approx(spent, rel=0.03)


THREADED = """
static unsigned __attribute__((noinline)) interpreted(const unsigned char *code, unsigned sum) {
    static const void *const labels[] = {&&end, &&add, &&twice, &&mix, &&drop};
#define NEXT goto *labels[*code++]
    NEXT;
add:
    sum += 3;
    NEXT;
twice:
    sum = sum * sum;
    NEXT;
mix:
    sum ^= sum << 5 ^ sum >> 3;
    NEXT;
drop:
    sum -= sum >> 7;
    NEXT;
end:
    return sum;
}
int main(int argc, char **argv) {
    unsigned char code[241];
    unsigned sum = argc;
    for (unsigned i = 0; i < 240; i++)
        code[i] = i % 7 % 4 + 1;
    code[240] = 0;
    for (unsigned i = 0; i < 50; i++)
        sum = interpreted(code, sum);
    return sum == 12345;
}
"""


@pytest.mark.parametrize("isa", ["arm", "thumb"])
def test_goto_leads_to_the_labels_that_data_hold(tmp_path: Path, isa: str) -> None:
    file = tmp_path / "program.c"
    file.write_text(THREADED)
    counts = count([SourceUnit(file, ("-std=gnu99",))]).counts
    where = replace(WHERE, settings={"code": "lab", "isa": isa})
    estimate, spent = found(file, counts, where)
    assert not estimate.blocks.flow.unfollowed
    assert sum(one.cycles for one in estimate.parts) == pytest.approx(spent, rel=0.03)
