"""Threads under Linux without MMU: atomic operations under preemption, and what threads rest on."""

import subprocess
from pathlib import Path

import pytest
from linux_session import built_or_skip

from cyclescope.firmware.linux import LinuxBuild, compose
from cyclescope.targets.virtual.board import make_board

SOURCE = Path(__file__).parent / "linux" / "threads.c"
COUNTED = 800_000
PATIENCE_CYCLES = 2_000_000_000
SLICE_CYCLES = 4_000_000


@pytest.fixture(scope="module")
def linux() -> LinuxBuild:
    return built_or_skip()


@pytest.fixture(scope="module")
def said(linux: LinuxBuild, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The console's lines of one run of the program."""
    program = tmp_path_factory.mktemp("threads") / "threads"
    command = [
        str(linux.compiler),
        "-O2",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-unused-parameter",
        SOURCE,
        "-o",
        program,
    ]
    subprocess.run(command, check=True)
    board = make_board("at91x40")
    compose(linux, programs={"/init": program}, alone=True, rom_waits=3, ram_waits=1).load(board)
    text = ""
    while "END" not in text and board.cycle < PATIENCE_CYCLES:
        stop = board.run(cycles=board.cycle + SLICE_CYCLES)
        assert stop["reason"] == "cycles", stop["sentence"]
        text += bytes(value & 0xFF for _, value in board.receive("usart0.txd")).decode()
    assert "END" in text, text
    return text.splitlines()


def line_of(said: list[str], first: str) -> str:
    return next(line for line in said if line.startswith(first))


def test_no_count_is_lost_by_the_kernels_compare_and_swap(said: list[str]) -> None:
    assert line_of(said, "kernel") == f"kernel counted {COUNTED} of {COUNTED}, own {COUNTED}"


def test_the_same_instructions_without_the_kernels_help_lose_counts(said: list[str]) -> None:
    """So the threads of the test above do interrupt one another within the operation."""
    words = line_of(said, "plain").replace(",", "").split()
    assert 0 < int(words[2]) < COUNTED
    assert int(words[6]) == COUNTED


def test_threads_wait_for_one_another(said: list[str]) -> None:
    assert line_of(said, "met") == "met 100"


def test_signals_come_from_threads_and_timers(said: list[str]) -> None:
    assert line_of(said, "signals") == "signals 2"


def test_mutexes_of_all_kinds_exist_and_fork_does_not(said: list[str]) -> None:
    assert line_of(said, "inherits") == "inherits 0 robust 0 fork -1"


def test_the_thread_pointer_costs_less_by_load_than_by_call(said: list[str]) -> None:
    cycles = {}
    for line in said:
        if line.startswith("cycles"):
            _, name, value = line.split()
            cycles[name] = int(value)
    pair = cycles.pop("nothing")
    assert 0 < cycles["self"] - pair < cycles["self_by_call"] - pair
    assert 0 < cycles["swap_by_kernel"] - pair < 100
