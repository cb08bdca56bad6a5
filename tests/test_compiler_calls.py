"""Calls that the compiler makes: blocks moved for loops, and divisions by their operands."""

import subprocess
from pathlib import Path

import pytest

from cyclescope.firmware.application import Application
from cyclescope.firmware.configuration import Configuration
from cyclescope.sources.host_run import count
from cyclescope.sources.instrumented import SourceUnit
from cyclescope.studies.estimate.counting import Inputs, count_program
from cyclescope.studies.estimate.pricing_way import PricingWay
from cyclescope.studies.estimate.ways import PricedPlace

NEAR = 0.05
BY_ONE_CYCLES = 12
"""A division by one is taken for one with a quotient of 0, which takes a little longer."""
INSERTED = r"""
static short list[200];
int main(void) {
    int held = 0;
    unsigned drawn = 7, sum = 0;
    for (int round = 0; round < 150; round++) {
        drawn = drawn * 1664525u + 1013904223u;
        int at = held ? (int)((drawn >> 20) % held) : 0;
        for (int i = held; i > at; i--)
            list[i] = list[i - 1];
        list[at] = (short)(drawn >> 16);
        held++;
    }
    for (int i = 0; i < held; i++)
        sum += sum * 3 + (unsigned)list[i];
    return sum == 12345;
}
"""
REMOVED = INSERTED.replace(
    "for (int i = 0; i < held; i++)",
    "while (held > 20) { held--; for (int i = 9; i < held; i++) list[i] = list[i + 1]; }\n"
    "    for (int i = 0; i < held; i++)",
)
COPIED = r"""
static unsigned first[8], second[8], third[8], words = 6;
static inline void copy(unsigned *to, const unsigned *from, unsigned length) {
    for (unsigned i = 0; i < length; i++)
        to[i] = from[i];
}
__attribute__((noinline)) static void rotate(unsigned length) {
    copy(first, second, length);
    first[0] += third[length - 1];
    copy(second, third, length);
    second[1] ^= first[2];
    copy(third, first, length);
}
__attribute__((noinline)) static void begin(unsigned length) {
    copy(second, first, length);
    second[2] += 9;
}
int main(void) {
    unsigned sum = 1;
    for (int i = 0; i < 300; i++) {
        if (i % 100 == 7)
            begin(words);
        rotate(words);
        sum = sum * 31 + second[3];
    }
    return sum == 12345;
}
"""
MOVED = r"""
#include <string.h>
static char text[400];
int main(void) {
    unsigned sum = 1;
    memset(text, 'a', sizeof text);
    for (int i = 1; i < 60; i++) {
        memmove(text + i, text, 300);
        memmove(text, text + 4, 200 + i);
        sum = sum * 31 + (unsigned char)text[i];
    }
    return sum == 12345;
}
"""
DIVIDED = r"""
static volatile unsigned widths[] = {16, 1, 8, 3, 1024, 2, 7, 1};
static volatile int lengths[] = {-16, 1, 8, -3, 1024, 2, 7, 1};
int main(void) {
    unsigned sum = 1;
    for (int i = 0; i < 400; i++) {
        sum = sum * 1664525u + 1013904223u;
        sum ^= sum / widths[i & WHICH];
        sum += (int)sum % lengths[i & WHICH];
    }
    return sum == 12345;
}
"""
ZEROS = r"""
static volatile float held[8] = {0, 2.5f, SECOND, -3.25f, 0, 7.5f, SECOND, 1.5f};
static volatile double wide[8] = {0, 2.5, SECOND, -3.25, 0, 7.5, SECOND, 1.5};
int main(void) {
    float sum = 1;
    double all = 1;
    for (int i = 0; i < 400; i++) {
        sum = sum * held[i & 7] + 1.375f;
        sum += held[(i + 3) & 7] / 3.5f;
        all = all * wide[i & 7] - 0.625;
        all /= 1.25;
    }
    return sum == all;
}
"""
CONVERTED = r"""
static volatile long long wide[] = {3, -70000, 1ll << 40, 0, -(1ll << 50) - 77, 12345678901};
static volatile int narrow[] = {0, 1, -300, 70000, 0, 1 << 29};
static volatile double reals[] = {0.25, -3.5, 123456.75, 1e10 + 0.5, -7e14, 0.75};
static float floats[6];
static double doubles[6];
int main(void) {
    long long sum = 0;
    for (int i = 0; i < 400; i++) {
        int at = i % 6;
        floats[at] = wide[at];
        floats[at] += (float)narrow[at];
        doubles[at] = (double)wide[at] + narrow[at];
        sum += (long long)reals[at];
        sum += (int)reals[at % 3] + (unsigned)reals[2 * (at % 2)];
    }
    return sum == 12345;
}
"""
ASSIGNED = r"""
static struct { char name[SIZE]; int number; } list[9], kept[9];
int main(void) {
    for (int round = 0; round < 40; round++)
        for (int i = 0; i < 8; i++) {
            list[i].number += round;
            kept[(i + round) % 9] = list[i + 1];
        }
    for (int i = 0; i < 200; i++)
        list[i % 7] = kept[i % 5];
    return list[3].number == 12345;
}
"""
PROGRAMS = {
    "copied in several places": COPIED,
    "converted": CONVERTED,
    "structures assigned": ASSIGNED.replace("SIZE", "80"),
    "small structures assigned": ASSIGNED.replace("SIZE", "20"),
    "many zeros": ZEROS.replace("SECOND", "0"),
    "some zeros": ZEROS.replace("SECOND", "4.75f"),
    "inserted": INSERTED,
    "removed": REMOVED,
    "moved": MOVED,
    "divided by powers of two": DIVIDED.replace("WHICH", "4"),
    "divided by one": DIVIDED.replace("WHICH", "1"),
    "divided by all": DIVIDED.replace("WHICH", "7"),
}


REALS = r"""
#include <stdio.h>
static float one = 0.75f, list[3] = {1.5f, 0, -2};
static double wide = 3.0e-3;
static int whole = 7;
int main(void) {
    double sum = 0;
    for (int i = 0; i < 30; i++) {
        sum += one * list[i % 3] - wide / (i + 1);
        one *= whole;
        one /= 6.5;
        wide -= list[(i + 1) % 3] * (i & 1);
        whole = (int)(one + 5 * wide) % 9 + (one > sum ? 2 : -sum < wide);
        list[i % 3] += sum / 64 - 0.0f;
        sum -= sum * 0.25f;
    }
    printf("%a %a %a %d %a %a\n", sum, one, wide, whole, list[0], list[2]);
    return 0;
}
"""


def test_counted_floating_point_computes_the_same(tmp_path: Path) -> None:
    source, plain = tmp_path / "reals.c", tmp_path / "reals"
    source.write_text(REALS)
    subprocess.run(["gcc", "-O1", "-ffp-contract=off", str(source), "-o", str(plain)], check=True)
    found = count([SourceUnit(source)])
    assert found.run.output == subprocess.run([plain], capture_output=True, check=True).stdout
    zeros = {
        one.operation: sum(n for _, at, zero, n in found.counts.magnitudes if at == one.id and zero)
        for one in found.counts.operands
        if one.line == 1 + REALS.split("\n").index("        list[i % 3] += sum / 64 - 0.0f;")
    }
    assert zeros["real subtract"] == 30, "each time the right operand is zero"


@pytest.mark.parametrize("isa", ["arm", "thumb"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_calls_of_the_compiler_cost_what_the_board_spends(
    name: str, isa: str, tmp_path: Path
) -> None:
    source = tmp_path / "program.c"
    source.write_text(PROGRAMS[name])
    configuration = Configuration("lpc2148-lab", "bare", {"code": "lab", "isa": isa})
    place = PricedPlace(Application((source,), "O2"), configuration)
    counted = count_program(place.application, Inputs())
    found, true = (place.by(way, counted, ()) for way in (PricingWay.BLOCKS, PricingWay.RUN))
    by_one = BY_ONE_CYCLES * 400 if name == "divided by one" else 0
    assert abs(found.cycles - true.cycles) < NEAR * true.cycles + by_one
    assert not any("cost nothing" in one for one in found.doubts)
