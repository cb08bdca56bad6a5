"""Edges of pins beside simavr's, with each difference by its cause."""

import re
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from chip import Chip

CYCLES = 300_000
HERE = Path(__file__).parent

pytestmark = pytest.mark.skipif(
    not shutil.which("simavr") or not Path("/usr/include/simavr/sim_avr.h").exists(),
    reason="simavr and its library are not installed",
)

Edges = Callable[[str, str, int], tuple[list[int], list[int]]]


@pytest.fixture(scope="module")
def edges(build: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Edges:
    """Cycles of the changes of a pin under a program: on the board, and in simavr."""
    tracer = tmp_path_factory.mktemp("simavr") / "pin_trace"
    source = HERE / "programs" / "pin_trace.c"
    subprocess.run(["gcc", "-O1", "-o", tracer, source, "-lsimavr", "-lelf"], check=True)

    def run(program: str, port: str, bit: int) -> tuple[list[int], list[int]]:
        image = build(program)
        chip = Chip(image)
        signal = f"ports.p{port.lower()}{bit}"
        chip.watch(signal)
        chip.board.run(cycles=CYCLES)
        traced = subprocess.run(
            [tracer, image, port, str(bit), str(CYCLES)], capture_output=True, text=True, check=True
        )
        found = re.findall(r"^(\d+) [01]$", traced.stdout, re.MULTILINE)
        # simavr prints the level at the start, when PORTx or DDRx is written first.
        return chip.edges(signal), [int(cycle) for cycle in found][1:]

    return run


def test_a_pin_changes_at_the_end_of_its_instruction_in_simavr_at_the_beginning(
    edges: Edges,
) -> None:
    ours, theirs = edges("pins.S", "B", 7)
    # OUT takes 1 cycle, each SBI 2.
    assert [one - two for one, two in zip(ours, theirs, strict=True)] == [1] + [2] * 100


def test_the_prescaler_runs_before_its_timer_in_simavr_it_starts_with_it(edges: Edges) -> None:
    ours, theirs = edges("ctc.c", "B", 3)
    periods = [
        [later - earlier for earlier, later in pairwise(cycles)] for cycles in (ours, theirs)
    ]
    # A loop of two cycles delays a handler by up to one.
    assert all(abs(period - 26 * 1024) <= 1 for both in periods for period in both)
    # The timer starts behind the C library; a count comes where the prescaler overflows.
    started = theirs[0] - ours[0]
    assert 0 < started < 100
    assert all(abs(two - one - started) <= 2 for one, two in zip(ours, theirs, strict=True))
