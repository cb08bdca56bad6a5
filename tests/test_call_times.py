"""The time of a call with arguments, against counts by hand (docs/timing/arm7tdmi.md).

A call is from its branch to the instruction behind it: `bl` 3 cycles (4 in Thumb, two
instructions), the body, and `bx lr` 3. In SRAM every access takes one cycle. With MAM 0 a fetch
takes MAMTIM, 3, and so does a literal in flash; data in SRAM and internal cycles take 1.
"""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from refusals import refused

from cyclescope.quantity import ROUNDING
from cyclescope.studies.time.analyse import analyse
from cyclescope.studies.time.experiment_design import TimeOptions
from cyclescope.studies.time.findings import FragmentStudy
from cyclescope.studies.time.measure import measure
from cyclescope.studies.time.targets import prepare
from cyclescope.target.target import Selection
from cyclescope.targets.virtual.target import VirtualBoard

ROOT = Path(__file__).parent.parent
SQUARES = ROOT / "examples" / "fragments" / "sum_of_squares.c"
BODIES = """
#include <stdint.h>
struct six { int of[6]; };
volatile int seen;
#define SUM(text) __asm(text "ldr r1, 1f\\n str r0, [r1]\\n bx lr\\n .balign 4\\n 1: .word seen")
#define ADD(register) "add r0, " #register "\\n"
#define TAKE(at) "ldr r1, [sp, #" #at "]\\n add r0, r1\\n"
#define BODY __attribute__((naked, noinline))
BODY void none(void) { SUM("mov r0, #7\\n"); }
BODY void one(int a) { SUM(""); }
BODY void two(int a, int b) { SUM(ADD(r1)); }
BODY void three(int a, int b, int c) { SUM(ADD(r1) ADD(r2)); }
BODY void four(int a, int b, int c, int d) { SUM(ADD(r1) ADD(r2) ADD(r3)); }
BODY void five(int a, int b, int c, int d, int e) { SUM(ADD(r1) ADD(r2) ADD(r3) TAKE(0)); }
BODY void six(int a, int b, int c, int d, int e, int f) {
    SUM(ADD(r1) ADD(r2) ADD(r3) TAKE(0) TAKE(4));
}
BODY void wide(int a, uint64_t b, uint64_t c) { SUM(ADD(r2) ADD(r3) TAKE(0) TAKE(4)); }
/* Arguments on the stack are the callee's to change: the next execution must not see it. */
void by_value(struct six all, int more);
#ifdef __thumb__
#define STATE ".thumb_func\\n"
#else
#define STATE ""
#endif
SUM(".text\\n.balign 4\\n.global by_value\\n.type by_value, %function\\n" STATE "by_value:\\n"
    ADD(r1) ADD(r2) ADD(r3) TAKE(0) TAKE(4) TAKE(8) "str r0, [sp]\\n");
BODY static void hidden(int a, int b) { SUM(ADD(r1)); }
BODY __attribute__((target("thumb"))) void in_thumb(int a, int b) { SUM(ADD(r1)); }
BODY __attribute__((target("arm"))) void in_arm(int a, int b) { SUM(ADD(r1)); }
"""
INITIALISED = """
#include "fragment.h"
static volatile int state;
INITIALISE { state = 5; for (int i = 0; i < state; i++) state = state - 1; }
"""


class Count(NamedTuple):
    """By hand: cycles in ARM and Thumb code in SRAM, then both in flash without the MAM."""

    call: str
    seen: int
    sram: tuple[int, int]
    mam0: tuple[int, int]


# All share: bl 3, ldr 3, str 2, bx 3. With MAM 0: 8 fetches, 1 literal, 1 I, 1 in SRAM: 29.
# An add is 1, or 3; a load from the stack 3, or 5. Thumb has one fetch more, that of bl.
HAND = [
    Count("none()", 7, (12, 13), (32, 35)),  # 1 mov
    Count("one(40)", 40, (11, 12), (29, 32)),
    Count("two(40, 2)", 42, (12, 13), (32, 35)),  # 1 add
    Count("three(1, 2, 4)", 7, (13, 14), (35, 38)),  # 2 add
    Count("four(1, 2, 4, 8)", 15, (14, 15), (38, 41)),  # 3 add
    Count("five(1, 2, 4, 8, 16)", 31, (18, 19), (46, 49)),  # 4 add, 1 ldr
    Count("six(1, 2, 4, 8, 16, 32)", 63, (22, 23), (54, 57)),  # 5 add, 2 ldr
    Count("wide(1, 0x200000004, 0x800000010)", 31, (21, 22), (51, 54)),  # 4 add, 2 ldr
    # 6 add, 3 ldr, and a store of 2 cycles, or 4
    Count("by_value((struct six){{1, 2, 4, 8, 16, 32}}, 64)", 127, (28, 29), (66, 69)),
    Count("hidden(two == 0, 5)", 5, (12, 13), (32, 35)),
    # From ARM code through the linker's `ldr ip, [pc]; bx ip`: 6, or 4 fetches, a literal and 1 I
    Count("in_thumb(40, 2)", 42, (18, 13), (48, 35)),
    # From Thumb code through its `bx pc; b in_arm`: 6, or 6 fetches
    Count("in_arm(40, 2)", 42, (12, 19), (32, 53)),
]


@contextmanager
def timed(
    file: Path, call: str, folder: Path, **choices: int | str
) -> Iterator[tuple[FragmentStudy, VirtualBoard]]:
    selection = Selection("lpc2148", "bare", settings=choices)
    options = TimeOptions(points=4, rounds=1)
    with prepare(selection, file, call, "-O2", options) as (target, design):
        assert isinstance(target, VirtualBoard)
        yield analyse(measure(target, design, folder)), target


def assert_takes(found: FragmentStudy, cycles: float) -> None:
    """The measurement, the board's truth and the count by hand are one number."""
    assert found.answer is not None and found.truth is not None
    assert found.answer.estimated.execution.value == pytest.approx(cycles, abs=ROUNDING)
    assert found.answer.estimated.execution.half_width <= ROUNDING
    assert found.truth.execution == pytest.approx(cycles, abs=ROUNDING)
    assert found.answer.bias == pytest.approx(0, abs=ROUNDING)


@pytest.fixture(scope="module")
def bodies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bodies") / "bodies.c"
    file.write_text(BODIES)
    return file


@pytest.mark.parametrize("isa", ["arm", "thumb"])
@pytest.mark.parametrize("count", HAND, ids=lambda one: one.call.partition("(")[0])
def test_a_call_takes_what_the_table_of_instructions_says(
    bodies: Path, tmp_path: Path, count: Count, isa: str
) -> None:
    with timed(bodies, count.call, tmp_path / "results", code="sram", isa=isa) as (found, target):
        assert_takes(found, count.sram[isa == "thumb"])
        at = target.program().symbols["seen"]
        assert struct.unpack("<i", target.board.read_memory(at, 4)) == (count.seen,)


@pytest.mark.matrix
@pytest.mark.parametrize("isa", ["arm", "thumb"])
@pytest.mark.parametrize("count", HAND, ids=lambda one: one.call.partition("(")[0])
def test_with_fetches_of_three_cycles_too(
    bodies: Path, tmp_path: Path, count: Count, isa: str
) -> None:
    with timed(bodies, count.call, tmp_path / "results", mam=0, isa=isa) as (found, _):
        assert_takes(found, count.mam0[isa == "thumb"])


@pytest.mark.parametrize(("mam", "isa"), [(0, "arm"), (1, "arm"), (2, "arm"), (2, "thumb")])
def test_behind_an_accelerator_the_call_is_what_the_board_saw(
    tmp_path: Path, mam: int, isa: str
) -> None:
    call = "sum_of_squares(values, 8)"
    with timed(SQUARES, call, tmp_path / "results", mam=mam, isa=isa) as (found, _):
        assert found.truth is not None
        assert_takes(found, found.truth.execution)


def test_an_initialisation_of_the_users_own_is_no_part_of_the_call(
    bodies: Path, tmp_path: Path
) -> None:
    file = tmp_path / "initialised.c"
    file.write_text(INITIALISED + f'#include "{bodies}"\n')
    for isa, cycles in (("arm", 22), ("thumb", 23)):
        call = "six(1, 2, 4, 8, 16, 32)"
        with timed(file, call, tmp_path / isa, code="sram", isa=isa) as (found, _):
            assert_takes(found, cycles)


def test_what_cannot_tell_the_call_alone_is_refused(bodies: Path, tmp_path: Path) -> None:
    options = TimeOptions(("straight_line",))
    selection = Selection("lpc2148", "bare")
    with (
        refused("technique-cannot-separate-arguments", naming=["--technique arguments_apart"]),
        prepare(selection, bodies, "two(1, 2)", "-O2", options),
    ):
        pass
