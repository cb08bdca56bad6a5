"""A user's file may need C++, folders, macros, libraries; other needs are refused."""

from pathlib import Path

import pytest

from cyclescope.cli import execute
from cyclescope.quantity import ROUNDING
from cyclescope.studies.blocks.analyse import analyse_blocks
from cyclescope.studies.blocks.measure import PLANS
from cyclescope.studies.blocks.measure import measure as measure_blocks
from cyclescope.studies.time.analyse import analyse
from cyclescope.studies.time.experiment_design import TimeOptions
from cyclescope.studies.time.measure import measure
from cyclescope.studies.time.targets import NOTHING_MORE, Compiled, prepare
from cyclescope.target.target import Selection

CPP = """
#include "fragment.h"
namespace geometry { int area(int a, int b) { return a + b; } }
static int hidden(int a) { return a + a; }
extern "C" int plain(int a, int b) { return a - b; }
int over(int a) { return a; }
int over(long long a) { return (int)a; }
template <class T> T larger(T a, T b) { return a < b ? b : a; }
static volatile int state;
"""
MACROS = """
EXECUTE { state = larger(state, 3); }
INITIALISE { state = 1; }
PREPARE(round) { state = (int)round; }
"""
NEEDY = """
#include <math.h>
#include "step.h"
double scaled(double x) { return sqrt(x) * STEP; }
"""
NO_RETURN = """
#include "fragment.h"
static volatile int x;
__attribute__((noreturn, noipa)) static void stop(int why) { x = why; for (;;) ; }
__attribute__((noipa)) static void go(void) { if (x > 1000) stop(3); x += 3; }
EXECUTE { if (x == 7000) stop(1); go(); if (x & 1) x++; }
PREPARE(round) { x = round; }
"""
JUMPS = """
#include "fragment.h"
#include <setjmp.h>
static jmp_buf back;
EXECUTE { if (!setjmp(back)) longjmp(back, 1); }
"""
ABORTS = '#include "fragment.h"\n#include <stdlib.h>\nint x;\nEXECUTE { if (x) abort(); }\n'
CLOBBERS = (
    '#include "fragment.h"\nEXECUTE { __asm volatile("mov r4, #4\\n mov r5, #0x40000000"); }\n'
)
CONSTRUCTED = (
    "volatile int y;\nstruct S { int v; S() { v = y; } };\nS s;\nint f() { return s.v; }\n"
)
SRAM = Selection("lpc2148", "bare", settings={"code": "sram"})


def written(folder: Path, text: str, name: str = "mine.c") -> Path:
    (folder / name).write_text(text)
    return folder / name


def cycles(file: Path, call: str | None, folder: Path, compiled: Compiled = NOTHING_MORE) -> float:
    options = TimeOptions(points=4, rounds=1)
    with prepare(SRAM, file, call, "-O2", options, (), compiled) as (target, design):
        found = analyse(measure(target, design, folder))
    assert found.answer is not None and found.truth is not None
    assert found.answer.bias == pytest.approx(0, abs=ROUNDING)
    return found.answer.estimated.execution.value


@pytest.mark.parametrize("call", ["geometry::area(3, 4)", "hidden(4)", "plain(3, 4)"])
def test_a_free_function_of_cpp_takes_what_one_of_c_does(tmp_path: Path, call: str) -> None:
    """bl 3, one instruction of one cycle, bx lr 3."""
    assert cycles(written(tmp_path, CPP, "mine.cpp"), call, tmp_path / "r") == pytest.approx(7)


def test_the_macros_of_fragments_work_in_cpp(tmp_path: Path) -> None:
    assert cycles(written(tmp_path, CPP + MACROS, "mine.cc"), None, tmp_path / "r") > 6


def test_folders_macros_and_libraries_reach_the_compiler(tmp_path: Path) -> None:
    own, other = tmp_path / "own", tmp_path / "with a space"
    own.mkdir()
    other.mkdir()
    (other / "step.h").write_text("#define STEP FACTOR\n")
    file = written(own, NEEDY)
    whole = Compiled((other,), ("FACTOR=(3.5 + 1)",), ("m",))
    assert cycles(file, "scaled(2.0)", tmp_path / "r", whole) > 100


@pytest.mark.parametrize(
    ("name", "text", "arguments", "sentence"),
    [
        ("mine.cpp", CPP, ["--call", "over(3)"], "has several functions over, or a template: give"),
        ("mine.cpp", CPP, ["--call", "larger(3, 4)"], "has several functions larger, or"),
        ("mine.cpp", CPP, ["--call", "nope(3)"], "mine.cpp has no function nope"),
        ("mine.cpp", CPP, ["--call", "geometry::nope(3)"], "has no function geometry::nope"),
        ("mine.cpp", CPP + MACROS, ["--call", "plain(3, 4)"], "leave one of them out"),
        ("mine.cpp", CONSTRUCTED, ["--call", "f()"], "something that must be constructed before"),
        ("mine.c", NEEDY, ["--call", "scaled(2.0)", "-I", "nowhere"], "there is no folder nowhere"),
        ("mine.c", NEEDY, ["--call", "scaled(2.0)", "-D", "3=3"], "-D 3=3 defines nothing"),
        ("mine.c", NEEDY, ["--call", "scaled(2.0)"], "step.h: No such file or directory"),
        ("mine.c", "double sqrt(double);\ndouble f(double x) { return sqrt(x); }",
         ["--call", "f(2.0)"], "needs sqrt, which neither it nor the image defines"),
        ("mine.c", ABORTS, ["-l", "nope"], "there is no library nope for this board (-l nope)"),
        ("mine.c", ABORTS, ["--blocks"], "mine.c needs _exit, which neither it nor the image"),
        ("mine.c", JUMPS, ["--blocks"], "where the image has no instruction"),
        ("mine.c", CLOBBERS, [], "the fragment changes registers that a call must preserve"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_one_sentence(
    tmp_path: Path,
    name: str,
    text: str,
    arguments: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = written(tmp_path, text, name)
    assert execute(["time", str(file), *arguments, "--out", str(tmp_path / "r")]) == 1
    told = capsys.readouterr().err
    assert sentence in told and told.count("\n") == 1


def test_blocks_behind_a_call_that_does_not_return(tmp_path: Path) -> None:
    """Thumb code pads before the literals that lie behind such a call."""
    file = written(tmp_path, NO_RETURN)
    selection = Selection("lpc2148", "bare", settings={"code": "sram", "isa": "thumb"})
    with prepare(selection, file, None, "-O2", TimeOptions(), PLANS) as (target, _):
        found = analyse_blocks(measure_blocks(target, rounds=30))
    known = [one for one in found.combinations if one.error is not None]
    assert len(known) == 9
    assert all(one.error == pytest.approx(0, abs=ROUNDING) for one in known)
    assert {"stop:B0", "stop:B1"} <= set(found.unexecuted)


def test_the_host_times_cpp_too(tmp_path: Path) -> None:
    file = written(tmp_path, CPP, "mine.cpp")
    selection = Selection("host", "bare", settings={"timer": "clock_gettime"})
    with prepare(selection, file, "plain(3, 4)", "-O2", TimeOptions(points=4, rounds=2)) as (
        target,
        _,
    ):
        assert target.cases()


@pytest.mark.parametrize("isa", ["arm", "thumb"])
def test_blocks_of_a_call_with_arguments_begin_with_what_makes_it(isa: str) -> None:
    file = Path(__file__).parent.parent / "examples" / "fragments" / "sum_of_squares.c"
    selection = Selection("lpc2148", "bare", settings={"code": "sram", "isa": isa})
    call = "sum_of_squares(values, 8)"
    with prepare(selection, file, call, "-O2", TimeOptions(), PLANS) as (target, _):
        found = analyse_blocks(measure_blocks(target, rounds=10))
    functions = {block.function for block in found.measured.blocks}
    assert functions == {"fragment_execute", "sum_of_squares"}
    assert all(one.error == pytest.approx(0, abs=ROUNDING) for one in found.combinations
               if one.error is not None)  # fmt: skip
