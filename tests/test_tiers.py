"""Decoded blocks against the plain core, on the real firmware: the same to the last byte."""

import pytest
from firmware_session import Session
from refusals import refused

from cyclescope.firmware.configuration import Configuration
from cyclescope.targets.virtual.board import make_board

CONFIGURATIONS = [
    Configuration(),
    Configuration(settings={"isa": "thumb", "mam": 1}),
    Configuration(board="lpc2148-lab", settings={"code": "lab", "timer": "timer1"}),
    Configuration(board="stm32f100rb"),
    Configuration(board="stm32f100-lab"),
]
SRAM = {"ARM7TDMI": (0x4000_0000, 0x8000), "Cortex-M3": (0x2000_0000, 0x2000)}


def watched(session: Session, sram: tuple[int, int], case: str, x: int) -> tuple[object, ...]:
    """Series under the truth, under observers of interrupts and of the profile; the board then."""
    board, sites = session.board, session.probes.of(case).real
    truth = session.witnessed(case, 10, x)
    board.watch()
    board.watch_interrupts(sites.start, sites.entry, sites.returned)
    board.watch_off_intervals()
    samples = session.run(case, 10, x)
    off, intervals = board.take_interrupts_off(), board.take_off_intervals()
    board.profile(sites.start, sites.entry, sites.returned)
    session.run(case, 10, x)
    memory = board.read_memory(*sram)
    records = truth, samples, off, intervals, board.take_profiles(), memory, board.registers()
    return *records, board.cycle, board.instructions, board.skipped_cycles, board.unverified()


@pytest.mark.parametrize(
    "configuration", CONFIGURATIONS, ids=["flash", "thumb", "lab", "stm32", "stm32-lab"]
)
def test_the_firmware_runs_the_same_in_blocks_and_plainly(configuration: Configuration) -> None:
    blocks, plain = Session(configuration), Session(configuration)
    plain.board.set_tier("plain")
    sram = SRAM["Cortex-M3" if "stm32" in configuration.board else "ARM7TDMI"]
    for case in sorted(blocks.cases)[::24]:
        x = (*blocks.cases[case].values, 0)[0]
        assert watched(blocks, sram, case, x) == watched(plain, sram, case, x), case


def test_a_tier_that_is_none_is_refused_by_name() -> None:
    with refused("cyclescope-error", naming=["fast", "plain", "blocks"]):
        make_board("lpc2148").set_tier("fast")  # type: ignore[arg-type]
