"""gdb's `monitor` commands: instruments that come and go count as those of a run without gdb."""

from collections.abc import Callable
from pathlib import Path

import pytest
from gdb_session import SOURCES, control

from cyclescope.studies.run.gdb.monitor import Monitor
from cyclescope.studies.run.instruments import tables
from cyclescope.studies.run.instruments.instrument import Attached
from cyclescope.studies.run.instruments.options import InstrumentOptions
from cyclescope.targets.virtual.board import Board, make_board, read_image

FIRST, LAST = 1000, 3000
"""Instructions between which is counted."""


class Counted:
    """A program with interrupts on its board, with all instruments, off."""

    def __init__(self, name: str, image: Path) -> None:
        self.image = image
        self.board: Board = make_board(name)
        self.board.load(read_image(image))
        every = InstrumentOptions().made(self.board, image, every=True)
        self.instruments: dict[str, Attached] = {one.key: one for one in every}
        self.board.reset()

    def control(self, *commands: str) -> str:
        """Has gdb execute these commands; returns what it printed."""
        monitor = Monitor(self.board, self.board.reset, list(self.instruments.values()))
        output, _ = control(self.board, commands, self.image, monitor=monitor.answer)
        return output


@pytest.fixture(params=SOURCES)
def fresh(request: pytest.FixtureRequest, assemble: Callable[..., Path]) -> Callable[[], Counted]:
    source, base, _ = SOURCES[request.param]
    image = assemble(source, base)
    return lambda: Counted(request.param, image)


@pytest.mark.parametrize("key", ["profile", "accesses", "transfers", "interrupts"])
def test_counts_shown_in_gdb_are_those_of_a_run_without_it(fresh, key) -> None:
    debugged, free = fresh(), fresh()
    output = debugged.control(
        f"stepi {FIRST // 2}", f"monitor {key} on", f"stepi {FIRST - FIRST // 2}",
        f"monitor {key} reset", f"stepi {LAST - FIRST}", "echo begin\\n", f"monitor {key} print",
        "echo <end>\\n", f"monitor {key} off", f"monitor {key} print", "detach",
    )  # fmt: skip
    free.board.run(instructions=FIRST)
    free.instruments[key].attach()
    free.board.run(instructions=LAST)
    shown = output.partition("begin\n")[2].partition("<end>\n")[0]
    assert shown.strip("\n") == "\n".join(tables.lines(key, free.instruments[key].document()))
    assert f"{key} is off: switch it on" in output
    assert debugged.board.cycle == free.board.cycle
    assert debugged.board.registers() == free.board.registers()


def test_help_lists_the_commands_of_all_instruments(fresh) -> None:
    output = fresh().control("monitor help", "detach")
    for line in ("reset ", "cycles ", "profile on ", "transfers off ", "interrupts print "):
        assert f"\n{line}" in output


def test_pdc_is_another_name_of_the_transfers(fresh) -> None:
    output = fresh().control("monitor pdc on", "monitor pdc print", "detach")
    assert "transfers is on." in output and "There is no command" not in output


@pytest.mark.parametrize("command", ["", "pdc twice", "profile", "profile twice", "reset now", "x"])
def test_whatever_is_typed_is_answered_in_a_sentence(fresh, command) -> None:
    counted = fresh()
    answer = Monitor(counted.board, counted.board.reset, list(counted.instruments.values()))
    assert answer.answer(command).strip()
