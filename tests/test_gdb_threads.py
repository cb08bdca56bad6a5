"""FreeRTOS tasks as gdb's threads, against the kernel's source and the core's own registers."""

import re

import pytest
from gdb_session import control, shown_registers

from cyclescope.firmware import build as firmware
from cyclescope.firmware.configuration import Configuration
from cyclescope.studies.run.gdb import freertos
from cyclescope.targets.virtual.board import Board, Image, make_board, read_image

STARTED = 2_000_000
"""Cycles after which the harness waits for requests."""
GENERAL = [f"r{n}" for n in range(13)]


BUILDS = {
    "lpc2148": Configuration(),
    "at91x40": Configuration(board="at91x40", settings={"isa": "thumb"}),
}


class Kernel:
    """The harness on FreeRTOS on its board, just reset: tasks `harness`, `IDLE` and `Tmr Svc`."""

    def __init__(self, name: str) -> None:
        elf = self.elf = firmware.build(BUILDS[name]).elf
        self.image: Image = read_image(elf)
        self.board: Board = make_board(name)
        self.board.load(self.image)
        self.board.reset()
        found = freertos.find(self.board, self.image, elf.read_bytes())
        assert found is not None
        self.tasks = found

    def run_to(self, symbol: str, cycles: int = STARTED) -> dict[str, int]:
        """The core's registers where it next comes to a function."""
        stop = self.board.run(cycles=self.board.cycle + cycles, pcs=[self.image.symbols[symbol][0]])
        assert stop["reason"] == "pc", stop
        return self.board.registers()

    def control(self, *commands: str) -> str:
        """Has gdb execute these commands; returns what it printed."""
        output, _ = control(self.board, [*commands, "detach"], self.elf, tasks=self.tasks)
        return output


@pytest.fixture(params=BUILDS)
def name(request: pytest.FixtureRequest) -> str:
    """A board."""
    return str(request.param)


def test_before_the_scheduler_runs_the_core_is_the_one_thread(name: str) -> None:
    kernel = Kernel(name)
    output = kernel.control("info threads")
    assert re.findall(r"^[* ] \d +Thread \S+ \((.*?)\)", output, re.M) == ["core"]


def test_each_task_is_a_thread_with_name_and_state_and_the_running_one_first(name: str) -> None:
    kernel = Kernel(name)
    kernel.board.run(cycles=STARTED)
    output = kernel.control("info threads")
    shown = re.findall(r"^([* ]) \d +Thread \S+ \(([^:]+): (\w+),", output, re.M)
    assert shown[0] == ("*", "harness", "running")
    assert sorted(shown[1:]) == [(" ", "IDLE", "ready"), (" ", "Tmr Svc", "blocked")]


def test_the_frames_of_a_task_that_waits_are_those_of_the_kernels_source(name: str) -> None:
    kernel = Kernel(name)
    kernel.board.run(cycles=STARTED)
    output = kernel.control("info threads", "thread apply all bt")
    traces = dict(re.findall(r"^Thread \d+ \(.*?\(([^:]+):.*?\)\):\n((?:#.*\n)+)", output, re.M))
    functions = {
        name: re.findall(r"#\d+ +(?:0x\w+ in )?(\w+)", trace) for name, trace in traces.items()
    }
    # timers.c: prvTimerTask calls prvProcessTimerOrBlockTask, which yields where it blocks.
    assert functions["Tmr Svc"][:2] == ["prvProcessTimerOrBlockTask", "prvTimerTask"]
    # tasks.c: the idle task was never executed, so it stands at its first instruction.
    assert functions["IDLE"][0] == "prvIdleTask"
    assert "agent_serve" in functions["harness"] or "harness" in functions["harness"]


def test_the_registers_of_a_task_are_those_with_which_it_left_the_core(name: str) -> None:
    kernel = Kernel(name)
    kernel.run_to("vPortYieldProcessor")  # the first yield: of `Tmr Svc`, or of `harness`
    left = kernel.board.registers()
    task = kernel.tasks.threads()[0]
    # A yield returns behind its SWI, whose address the core has kept.
    expected = {name: left[name] for name in GENERAL}
    expected |= {"sp": left["r13_usr"], "lr": left["r14_usr"], "pc": left["r14_svc"]}
    expected["cpsr"] = left["spsr_svc"]
    while kernel.tasks.threads()[0][0] == task[0]:
        kernel.board.run(instructions=kernel.board.instructions + 1)
    kernel.board.run(instructions=kernel.board.instructions + 100)
    place = [one[0] for one in kernel.tasks.threads()].index(task[0]) + 1
    output = kernel.control("info threads", f"thread {place}", "info registers")
    shown = shown_registers(output)
    assert {name: shown[name] for name in expected} == expected


def test_a_register_of_a_task_that_waits_is_written_to_its_frame(name: str) -> None:
    kernel = Kernel(name)
    kernel.board.run(cycles=STARTED)
    threads = kernel.tasks.threads()
    place = next(n for n, (_, label, _) in enumerate(threads, 1) if label.startswith("Tmr Svc"))
    core = kernel.board.registers()
    kernel.control("info threads", f"thread {place}", "set $r7 = 0x12345678", "set $pc = 0x4000")
    frame = {name: (at, add) for name, at, add in threads[place - 1][2] or []}
    assert kernel.board.read_memory(frame["r7"][0], 4) == b"\x78\x56\x34\x12"
    assert kernel.board.read_memory(frame["pc"][0], 4) == b"\x04\x40\0\0"
    assert kernel.board.registers() == core


def test_steps_stay_on_the_task_that_runs_and_end_at_the_cycle_of_the_free_run(name: str) -> None:
    stepped, free = Kernel(name), Kernel(name)
    for kernel in (stepped, free):
        kernel.board.run(cycles=STARTED)
    start = stepped.board.instructions
    commands = ["info threads", "thread 2", "stepi", *["stepi 100"] * 9, "stepi 99", "info threads"]
    output = stepped.control(*commands)
    free.board.run(instructions=start + 1000)
    assert stepped.board.instructions == start + 1000
    assert stepped.board.cycle == free.board.cycle
    assert stepped.board.registers() == free.board.registers()
    assert re.findall(r"^\* \d+ +Thread \S+ \((\w+):", output, re.M) == ["harness", "harness"]


def test_an_image_without_a_kernel_has_none(assemble) -> None:
    image = assemble("b _start")
    board = make_board("lpc2148")
    assert freertos.find(board, read_image(image), image.read_bytes()) is None
