"""Counts in the preprocessed text: macros, repeated includes, and code that the compiler moved."""

from pathlib import Path

import pytest

from cyclescope.firmware.application import Application, build_application
from cyclescope.firmware.configuration import Configuration
from cyclescope.sources.host_run import CountedRun, count
from cyclescope.sources.instrumented import SourceUnit
from cyclescope.sources.user_text import UserText, user_lines
from cyclescope.studies.estimate.blocks.flattened import flattened
from cyclescope.studies.estimate.blocks.own import own_blocks
from cyclescope.studies.estimate.calls.shipped import shipped
from cyclescope.targets.virtual.application import TrueRun, run_on_board

WHERE = Configuration("lpc2148-lab", "bare", {"code": "lab"})
TWICE = """
static unsigned NAME(unsigned one) {
    unsigned sum = 0;
    for (unsigned i = 0; i < TIMES; i++)
        if (one >> i & 1)
            sum += i * one;
        else
            sum ^= one;
    return sum;
}
"""
MACROS = r"""
#define NAME often
#define TIMES 20
#include "twice.h"
#undef NAME
#undef TIMES
#define NAME seldom
#define TIMES 3
#include "twice.h"
static unsigned bits, held, out[64];
#define PUT(value, size) { held = held << (size) | (value); bits += (size); if (bits > 24) { \
    while (bits >= 8) { bits -= 8; out[(held >> bits) & 63]++; } if (bits & 1) held = 0; } }
int main(int argc, char **argv) {
    unsigned sum = argc;
    for (unsigned i = 0; i < 400; i++) {
        sum += often(i);
        if (i % 50 == 0) { sum ^= seldom(sum); PUT(i & 7, 3) PUT(i & 1, 1) }
        PUT(sum & 15, 4) PUT(sum >> 9 & 1, 1)
        if (i % 9 == 0) PUT(3, 2)
    }
    return (sum ^ out[3]) == 12345;
}
"""
CUT_AND_INLINED = r"""
static unsigned table[64], seed = 7;
static volatile unsigned skip, sums[4];
static inline unsigned mixed(unsigned a, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        a = a & 1 ? a >> 1 ^ 0xedb88320u : a >> 1;
    return a;
}
static inline unsigned stepped(unsigned at, unsigned n) {
    unsigned sum = 0;
    for (unsigned i = at; i < 64; i += n)
        sum += mixed(table[i] += i, 5 + (i & 3));
    return sum;
}
static unsigned work(unsigned at, unsigned n) {
    if (skip)
        return 0;
    unsigned sum = stepped(at, n);
    for (unsigned i = 0; i < n * 8; i++) {
        sum = sum * 1664525u + 1013904223u;
        sums[i & 3] += sum >> 28;
        if (sum >> 30 == 3)
            sum ^= mixed(sum, 9);
    }
    return sum;
}
unsigned first(unsigned n) __attribute__((noinline));
unsigned first(unsigned n) {
    return work(n & 7, 2) + 1;
}
int main(void) {
    unsigned sum = 0;
    for (unsigned i = 0; i < 40; i++) {
        sum += first(i);
        if (i % 5 == 0)
            sum ^= work(i & 3, 3);
    }
    return sum == 12345;
}
"""
"""GCC inlines the beginning of `work`, and calls the rest of it."""
COPIES = r"""
static unsigned state[16], given[16];
static inline unsigned turned(unsigned one, int by) {
    return one >> by | one << (32 - by);
}
static inline void quarter(unsigned *of, int a, int b, int c, int d, unsigned x, unsigned y) {
    of[a] = of[a] + of[b] + x;
    of[d] = turned(of[d] ^ of[a], 16);
    of[c] = of[c] + of[d];
    of[b] = turned(of[b] ^ of[c], 12);
    of[a] = of[a] + of[b] + y;
    of[d] = turned(of[d] ^ of[a], 8);
    of[c] = of[c] + of[d];
    of[b] = turned(of[b] ^ of[c], 7);
}
__attribute__((always_inline)) static inline void whole_round(unsigned *of, unsigned *m, int r) {
    quarter(of, 0, 4, 8, 12, m[r], m[r + 1]);
    quarter(of, 1, 5, 9, 13, m[r + 2], m[r + 3]);
    quarter(of, 2, 6, 10, 14, m[r + 4], m[r + 5]);
    quarter(of, 3, 7, 11, 15, m[r + 6], m[r + 7]);
    quarter(of, 0, 5, 10, 15, m[r + 1], m[r]);
    quarter(of, 1, 6, 11, 12, m[r + 3], m[r + 2]);
    quarter(of, 2, 7, 8, 13, m[r + 5], m[r + 4]);
    quarter(of, 3, 4, 9, 14, m[r + 7], m[r + 6]);
}
static void compress(unsigned *of, const unsigned *m) {
    whole_round(of, m, 0);
    whole_round(of, m, 1);
    whole_round(of, m, 2);
    whole_round(of, m, 3);
    whole_round(of, m, 4);
    whole_round(of, m, 5);
}
int main(void) {
    for (int i = 0; i < 90; i++) {
        given[i & 15] += (unsigned)i * 40503u;
        if (i % 3)
            compress(state, given);
        else
            for (int k = 0; k < 16; k++)
                state[k] ^= given[15 - k];
    }
    return state[3] == 12345;
}
"""
"""One node has all copies of a function that is inlined several times."""
PADDED = r"""
static unsigned held = 7, bits;
#define NEED(n) do { while (bits < (n)) { if (held & 1) { held = held * 3 + 1; bits += 2; \
    if (held > 70000) goto restart; continue; } held >>= 1; bits++; } } while (0)
int main(void) {
    unsigned sum = 0, again = 0;
    for (unsigned i = 0; i < 200; i++) {
        NEED(9);
        sum += held & 511;
        bits -= 8;
        continue;
restart:
        held = ++again + i;
        bits = 0;
    }
    return sum == 12345;
}
"""
SORTS = r"""
#include <stdio.h>
#include <stdlib.h>
static unsigned long compared;
static int by_value(const void *one, const void *other) {
    compared++;
    int a = *(const int *)one, b = *(const int *)other;
    return a < b ? -1 : a > b;
}
int main(void) {
    static int value[700];
    unsigned state = 12345;
    for (int n = 0; n < 700; n = n < 12 ? n + 1 : n * 3 / 2)
        for (int kind = 0; kind < 5; kind++) {
            for (int i = 0; i < n; i++) {
                state = state * 1103515245u + 12345u;
                value[i] = kind == 0 ? (int)(state >> 8) : kind == 1 ? i : kind == 2 ? -i
                         : kind == 3 ? (int)(state >> 16) % 7 : 5;
            }
            compared = 0;
            qsort(value, n, sizeof *value, by_value);
            printf("%d %d %lu\n", n, kind, compared);
            for (int i = 1; i < n; i++)
                if (value[i - 1] > value[i])
                    return 1;
        }
    return 0;
}
"""
CUT = r"""
static int in_set(const char *set, int length, char c) {
    for (int i = 0; i < length; i++) {
        if (length - i > 2 && set[i + 1] == '-') {
            if (set[i] <= c && c <= set[i + 2])
                return 1;
            i += 2;
        } else if (set[i] == c)
            return 1;
    }
    return 0;
}
static int matches(const char *set, int length, char c) {
    if (c == 0)
        return 0;
    if (length == 2)
        return set[1] == c;
    if (length > 2)
        return in_set(set, length, c);
    return *set == '.' || *set == c;
}
int __attribute__((noinline)) all(const char *set, int length, const char *text) {
    int found = 0;
    while (matches(set, length, *text))
        text++, found++;
    for (; *text; text++)
        found += matches(set, length, *text);
    return found;
}
int main(int argc, char **argv) {
    int sum = 0;
    for (int i = 0; i < 30; i++)
        sum += all("aeiou0-9", i % 3 == 0 ? 8 : 2 + i % 2, "hello world, 4 times 17 is 68");
    return sum == 1;
}
"""


def both(folder: Path, text: str, level: str = "O2") -> tuple[float, TrueRun, CountedRun]:
    """The estimate of own cycles, the truth, and the counted run."""
    (folder / "twice.h").write_text(TWICE)
    file = folder / "program.c"
    file.write_text(text)
    built = build_application(Application((file,), level), WHERE)
    found = count([SourceUnit(file, ("-std=gnu99",))])
    estimate = own_blocks(built, found.counts, shipped(WHERE))
    true = run_on_board(built, ("program",), {}, profile=True)
    return sum(one.cycles for one in estimate.parts), true, found


@pytest.mark.parametrize("level", ["O2", "Os", "O0"])
@pytest.mark.parametrize("text", [MACROS, CUT], ids=["macros", "cut"])
def test_own_cycles_are_those_of_the_board(tmp_path: Path, text: str, level: str) -> None:
    own, true, _ = both(tmp_path, text, level)
    assert true.by_owner is not None
    assert own == pytest.approx(true.by_owner["program"] + true.by_owner["compiler"], rel=0.02)


@pytest.mark.parametrize("text", [CUT_AND_INLINED, COPIES], ids=["beginning", "one node"])
def test_own_cycles_of_functions_that_are_inlined_in_part_or_often(
    tmp_path: Path, text: str
) -> None:
    own, true, _ = both(tmp_path, text)
    assert true.by_owner is not None
    assert own == pytest.approx(true.by_owner["program"] + true.by_owner["compiler"], rel=0.02)


def test_without_optimisation_the_priced_code_may_be_padded(tmp_path: Path) -> None:
    """GCC leaves an instruction that does nothing where a jump has a position of its own."""
    own, true, _ = both(tmp_path, PADDED, "O0")
    built = build_application(Application((tmp_path / "program.c",), "O0"), WHERE)
    assert 0 < abs(flattened(built).longer) < 0.05
    assert true.by_owner is not None
    assert own == pytest.approx(true.by_owner["program"] + true.by_owner["compiler"], rel=0.05)


SIDED = """
#ifndef __arm__
static int wide(int one) { return one * 3; }
#else
static int wide(int one) {
    return one * 5;
}
#endif
int main(int argc, char **argv) {
    return wide(argc);
}
"""


def test_lines_of_one_side_are_named(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(SIDED)
    counts = count([SourceUnit(file, ("-std=gnu99",))]).counts
    flat = flattened(build_application(Application((file,)), WHERE))
    assert flat.of_one_side(counts) == [("program.c", one) for one in (3, 5, 6, 7)]
    file.write_text(MACROS.replace('#include "twice.h"', TWICE).replace("MAIN", "main"))
    counts = count([SourceUnit(file, ("-std=gnu99",))]).counts
    same = flattened(build_application(Application((file,)), WHERE))
    assert same.of_one_side(counts) == []


def test_qsort_compares_as_often_as_on_the_board(tmp_path: Path) -> None:
    _, true, found = both(tmp_path, SORTS)
    assert true.status == found.run.status == 0
    assert true.console == found.run.output and found.run.output.count(b"\n") > 80


def test_each_token_of_a_macro_and_of_an_inclusion_has_a_place(tmp_path: Path) -> None:
    (tmp_path / "twice.h").write_text(TWICE)
    file = tmp_path / "program.c"
    file.write_text(MACROS)
    counts = count([SourceUnit(file, ("-std=gnu99",))]).counts
    flat = flattened(build_application(Application((file,)), WHERE))
    moved = flat.moved(counts)
    spans = [span for region in moved.regions for span in region.spans]
    assert len({(span.begin, span.end) for span in spans}) == len(spans)
    unit = flat.built.application.sources[0]
    rows = unit.read_text().split("\n")
    bodies = [one for one in moved.regions if one.kind == "body"]
    names = [counts.functions[one.function].name for one in bodies]
    assert names == ["often", "seldom", "main"]
    for name, body in zip(names, bodies, strict=True):
        (line, column), _ = body.spans[0].begin, body.spans[0].end
        assert f"{name}(" in rows[line - 1] and rows[line - 1][column - 1] == "{"
        assert flat.origin(unit.name, line) == (
            ("program.c", 1 + MACROS.split("\n").index("int main(int argc, char **argv) {"))
            if name == "main"
            else ("twice.h", 2)
        )
    assert flat.origin(unit.name, len(rows)) is None


def test_user_text_keeps_the_users_bytes_and_leaves_out_those_of_the_system() -> None:
    text = (
        b'# 1 "a.c"\nint a;\n# 1 "/usr/include/x.h" 1 3\nint system;\n# 2 "a.c" 2\nint b;\n'
        b'# 1 "t.h" 1\nint t;\n# 3 "a.c" 2\n# 1 "t.h" 1\nint t;\n# 4 "a.c" 2\n'
    )
    user = UserText(text)
    assert b"system" not in user.text and user.text.count(b"int t;") == 2
    for word in (b"int a", b"int b", b"int t"):
        assert user.text[user.at(text.rindex(word)) :].startswith(word)
    lines = user_lines(user.text)
    assert [(one.file, one.entry, one.line) for one in lines] == [
        *(("a.c", 0, 1), ("a.c", 0, 2), ("t.h", 0, 1), ("t.h", 1, 1))
    ]
