"""Decoded blocks against the plain core, on the real firmware: the same to the last byte."""

import pytest
from firmware_session import Session
from refusals import refused, told_code

from cyclescope.firmware.configuration import Configuration
from cyclescope.targets.virtual import tiers
from cyclescope.targets.virtual.board import TRANSLATES, make_board

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


def test_boards_execute_in_the_tier_that_was_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("plain", "block"):
        monkeypatch.setenv(tiers.VARIABLE, name)
        assert make_board("lpc2148").instructions == 0
    monkeypatch.setenv(tiers.VARIABLE, "fast")
    with refused("no-such-tier", naming=["fast", *tiers.TIERS]):
        make_board("lpc2148")


def test_a_tier_that_the_command_line_names_and_none_has_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(tiers.VARIABLE, raising=False)
    command = ["characterize", "--tier", "fast"]
    assert told_code(command, capsys, naming=["fast", *tiers.TIERS]) == "no-such-tier"


def test_a_tier_that_was_not_built_is_refused() -> None:
    with refused("tier-not-built", naming=["translate", "block"]):
        tiers.tier_of("translated", translates=False)
    assert tiers.tier_of("translated", translates=True) == "translated"
    assert isinstance(TRANSLATES, bool)
