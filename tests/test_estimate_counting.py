"""Counted runs of whole programs with the user's own inputs, and what their blocks cost."""

from pathlib import Path

import pytest
from refusals import refused

from cyclescope.firmware.application import Application, build_application
from cyclescope.firmware.configuration import Configuration
from cyclescope.studies.estimate.blocks.own import own_blocks
from cyclescope.studies.estimate.counting import Inputs, count_program
from cyclescope.targets.virtual import board as boards
from cyclescope.targets.virtual.application import run_on_board

READER = """
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static int sum;
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        for (int c; file && (c = getc(file)) != EOF;)
            sum += c;
        if (file)
            fclose(file);
    }
    char byte;
    int low = open("low/level", O_RDONLY);
    if (low >= 0 && read(low, &byte, 1) == 1)
        sum += byte;
    FILE *out = fopen("out", "w");
    fprintf(out, "%d", sum);
    fclose(out);
    return sum & 127;
}
"""
REGISTER = """
#ifdef CYCLESCOPE_HOST
static int port(void) { return 5; }
#else
static int port(void) { return *(volatile int *)0xE0028000; }
#endif
int main(void) { return port(); }
"""
LOOP = """
static unsigned step(unsigned x) { return x * 2654435761u ^ x >> 7; }
int main(int argc, char **argv) {
    unsigned x = argc;
    for (int i = 0; i < 1000; i++)
        x = step(x);
    return x == 12345;
}
"""


def program(text: str, folder: Path) -> Application:
    file = folder / "app.c"
    file.write_text(text)
    return Application((file,))


def test_files_that_a_program_opens_come_from_the_users_folder(tmp_path: Path) -> None:
    (tmp_path / "low").mkdir()
    (tmp_path / "low" / "level").write_bytes(b"\x01")
    (tmp_path / "a").write_bytes(b"\x02\x03")
    inputs = Inputs(("a", "b", "none"), {"b": b"\x04"}, tmp_path)
    found = count_program(program(READER, tmp_path), inputs)
    assert found.run.status == 10
    assert found.files == {"a": b"\x02\x03", "b": b"\x04", "low/level": b"\x01"}
    assert found.missing == ("none",)
    assert not (tmp_path / "out").exists(), "the program runs elsewhere"


def test_without_a_folder_there_are_only_the_files_that_were_given(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\x02\x03")
    found = count_program(program(READER, tmp_path), Inputs(("a",), {"b": b"\x04"}))
    assert (found.run.status, found.missing) == (0, ("a", "low/level"))


def test_standard_input_and_foreign_paths_are_refused(tmp_path: Path) -> None:
    reads = program("#include <stdio.h>\nint main(void) { return getchar() == 3; }", tmp_path)
    with refused("program-reads-standard-input"):
        count_program(reads, Inputs())
    with refused("input-outside-folder", naming=["../a"]):
        count_program(program(LOOP, tmp_path), Inputs((), {"../a": b""}))


def test_code_of_targets_alone_is_left_out_or_replaced(tmp_path: Path) -> None:
    assert count_program(program(REGISTER, tmp_path), Inputs()).run.status == 5
    alone = program(REGISTER.replace("ifdef", "ifndef"), tmp_path)
    with refused("source-has-registers", naming=["app.c:5", "CYCLESCOPE_HOST"]):
        count_program(alone, Inputs())
    stub = tmp_path / "stub.c"
    stub.write_text("int main(void) { return 6; }")
    assert count_program(alone, Inputs(), {alone.sources[0]: stub}).run.status == 6
    with refused("replaced-file-unknown", naming=["stub.c"]):
        count_program(alone, Inputs(), {stub: stub})


def test_a_board_with_a_narrow_int_is_refused(tmp_path: Path) -> None:
    with refused("board-has-narrow-int", naming=["2 bytes", "atmega2560"]):
        build_application(program(LOOP, tmp_path), Configuration("atmega2560", "bare", {}))


BROKEN = """
#include <stdlib.h>
int main(int argc, char **argv) {
    volatile int *nowhere = 0, steps = 0;
    if (argc > 2)
        abort();
    if (argc > 1)
        return *nowhere;
    for (;;)
        steps++;
}
"""


def test_programs_that_die_or_never_end_are_named_with_their_line(tmp_path: Path) -> None:
    broken = program(BROKEN, tmp_path)
    with refused("counted-program-died", naming=["app.c:8: ", "SIGSEGV"]):
        count_program(broken, Inputs(("one",)))
    with refused("counted-run-too-long", naming=["app.c:10: ", "0.4 s"]):
        count_program(broken, Inputs(), seconds=0.4)
    # It ends as it wants to: with its status, and with its counts.
    assert count_program(broken, Inputs(("one", "two"))).run.status == -6


UNUSUAL = """
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
static jmp_buf back;
static int depth(int n) {
    volatile int below = n ? depth(n - 1) : 0;
    return below + 1;
}
static int sum(int n, ...) {
    va_list all;
    va_start(all, n);
    int found = 0;
    while (n--)
        found += va_arg(all, int);
    va_end(all);
    return found;
}
static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int (*volatile all[])(int) = {twice, square};
static void unwound(int n) {
    if (n == 0)
        longjmp(back, 7);
    unwound(n - 1);
}
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    int values[] = {5, 2, 9, 1};
    volatile int found = depth(50), times = 0;
    for (int i = 0; i < 40; i++)
        found += all[i & 1](i) + sum(3, i, 2, 3);
    for (int i = 0; i < 5; i++)
        if (setjmp(back) == 0)
            unwound(i);
        else
            times++;
    qsort(values, 4, sizeof values[0], by_value);
    return values[0] * 10 + times;
}
"""


def test_recursion_pointers_to_functions_long_jumps_and_varargs_are_estimated(
    tmp_path: Path,
) -> None:
    asked = program(UNUSUAL, tmp_path)
    found = count_program(asked, Inputs())
    assert found.run.status == 15
    entered = {one.name: found.counts.totals[one.regions[0]] for one in found.counts.functions}
    assert {name: entered[name] for name in ("depth", "sum", "twice", "square")} == {
        "depth": 51, "sum": 40, "twice": 20, "square": 20
    }  # fmt: skip
    assert entered["unwound"] == 1 + 2 + 3 + 4 + 5
    called = {one.callee for one in found.counts.calls}
    assert not any(name.startswith("__builtin_va") for name in called), "they are own code"
    configuration = Configuration("lpc2148-lab", "bare", {"code": "lab", "isa": "arm"})
    built = build_application(asked, configuration)
    true = run_on_board(built, ("app",), {}, profile=True)
    assert true.by_owner is not None
    own = own_blocks(built, found.counts).blocks.cycles
    assert own == pytest.approx(true.by_owner["program"], rel=0.05)


@pytest.mark.parametrize(
    ("board", "settings"),
    [
        ("lpc2148-lab", {"code": "flash", "mam": 0}),
        ("at91x40", {"code": "ram", "ramwaits": 2}),
    ],
)
def test_blocks_of_a_program_are_priced_without_a_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: str, settings: dict[str, int | str]
) -> None:
    application = program(LOOP, tmp_path)
    counts = count_program(application, Inputs()).counts
    built = build_application(application, Configuration(board, "bare", settings))
    with monkeypatch.context() as patch:
        patch.setattr(boards, "make_board", lambda *_: pytest.fail("a board was made"))
        patch.setattr(boards, "Board", lambda *_: pytest.fail("a board was made"))
        estimate = own_blocks(built, counts)
        found, parts = estimate.blocks, estimate.parts
    assert sum(part.cycles for part in parts) == pytest.approx(found.cycles)
    inside = [part for part in parts if part.line in (2, 5, 6)]
    assert sum(part.cycles for part in inside) > 0.95 * found.cycles
    assert {part.file for part in parts} == {str(application.sources[0])}
    true = run_on_board(built, ("app",), {}, profile=True)
    assert true.by_owner is not None
    assert found.cycles == pytest.approx(true.by_owner["program"], rel=0.05)
