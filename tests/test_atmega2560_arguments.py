"""The time of a call with arguments on AVR, against counts by hand, and what the call got.

The instruction set's manual has CALL 5, RET 5, STS 2, LDD 2, IN 1. GCC passes arguments in
r25 to r8, then on the stack; gcc.gnu.org/wiki/avr-gcc says so.
"""

import struct
from pathlib import Path

import pytest
from test_call_times import assert_takes

from cyclescope.studies.time.analyse import analyse
from cyclescope.studies.time.experiment_design import TimeOptions
from cyclescope.studies.time.measure import measure
from cyclescope.studies.time.targets import prepare
from cyclescope.target.target import Selection
from cyclescope.targets.virtual.target import VirtualBoard

BODIES = """
#include "fragment.h"
volatile int seen, initialised;
INITIALISE { initialised++; }
#define SEE(low, high) __asm("sts seen, " #low "\\n sts seen + 1, " #high "\\n ret")
#define BODY __attribute__((naked, noinline)) void
BODY one(int a) { SEE(r24, r25); }
BODY last_in_registers(long a, long b, long c, long d, int e) { SEE(r8, r9); }
BODY on_the_stack(long a, long b, long c, long d, int e, int f) {
    __asm("in r30, 0x3D\\n in r31, 0x3E\\n ldd r24, Z + 4\\n ldd r25, Z + 5");
    SEE(r24, r25);
}
struct large { int of[10]; };
/* The callee may change what lies on the stack: the next execution must not see it. */
BODY by_value(struct large all, struct large more) {
    __asm("in r30, 0x3D\\n in r31, 0x3E\\n ldd r24, Z + 22\\n ldd r25, Z + 23\\n std Z + 22, r1");
    SEE(r24, r25);
}
"""
LARGE = "(struct large){{1, 2, 3, 4, 5, 6, 7, 8, 9, %d}}"
SEEING = 2 + 2 + 5


@pytest.mark.parametrize(
    ("call", "seen", "cycles"),
    [
        ("one(0x1234)", 0x1234, 5 + SEEING),
        ("last_in_registers(1, 2, 4, 8, 0x1234)", 0x1234, 5 + SEEING),
        ("on_the_stack(1, 2, 4, 8, 16, 0x1234)", 0x1234, 5 + 2 + 4 + SEEING),
        (f"by_value({LARGE % 0x1234}, {LARGE % 20})", 0x1234, 5 + 2 + 4 + 2 + SEEING),
    ],
    ids=lambda one: str(one).partition("(")[0],
)
def test_a_call_takes_what_the_manual_says(
    call: str, seen: int, cycles: int, tmp_path: Path
) -> None:
    file = tmp_path / "bodies.c"
    file.write_text(BODIES)
    options = TimeOptions(points=4, rounds=2)
    selection = Selection("atmega2560", "bare")
    with prepare(selection, file, call, "-O2", options) as (target, design):
        assert isinstance(target, VirtualBoard)
        assert_takes(analyse(measure(target, design, tmp_path / "results")), cycles)
        at = target.program().symbols["seen"]
        assert struct.unpack("<h", target.board.read_memory(at, 2)) == (seen,)
        at = target.program().symbols["initialised"]
        assert struct.unpack("<h", target.board.read_memory(at, 2)) > (0,)
