"""The arithmetic of truth: what the target says about a call against what the board's clock saw.

(a) A raw time is the distance between the two timer data cycles, always.
(b) Raw minus overhead is the callee's time, entry to return, minus that of the empty call: exactly
    where fetches cost the same in any context, and with a residual that is reported elsewhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from cyclescope import firmware, probes, wire
from cyclescope.firmware import Configuration
from cyclescope.targets.virtual import UartTransport
from cyclescope.virtual import make_board, read_image
from cyclescope.virtual.truth import Truth, watch, witness

CASES = (
    "malloc.one_free_block",
    "queue_receive.one_message",
    "queue_send.room",
    "semaphore_give.binary_empty",
    "semaphore_give.wakes_higher",
    "semaphore_take.binary_full",
    "task_create.ready",
    "yield.equals",
)
LAB = {"board": "lpc2148-lab", "code": "lab"}
EXACT = [
    Configuration(**LAB, isa="arm"),
    Configuration(**LAB, isa="thumb"),
    Configuration(**LAB, isa="arm", timer="timer1"),
    Configuration(code="sram", isa="arm"),
    Configuration(code="sram", isa="thumb", timer="timer1"),
    Configuration(isa="arm", mam=0),
    Configuration(isa="thumb", mam=0),
    Configuration(isa="arm", mam=2, mamtim=1),
    Configuration(isa="thumb", mam=1, mamtim=1),
]
ACCELERATED = [
    Configuration(isa=isa, mam=mam, mamtim=3) for isa in ("arm", "thumb") for mam in (1, 2)
]


def name(configuration: Configuration) -> str:
    c = configuration
    return f"{c.code}-{c.isa}-mam{c.mam}-mamtim{c.mamtim}-{c.timer}"


@dataclass(frozen=True)
class Witnessed:
    """A series, real or empty, sample by sample."""

    samples: list[wire.Sample]
    truths: list[Truth]


class Session:
    """An image on its board, watched."""

    def __init__(self, configuration: Configuration) -> None:
        built = firmware.build(configuration)
        self.board = make_board(configuration.board)
        self.board.load(read_image(built.elf))
        self.probes = probes.read_probes(built.elf.read_bytes())
        self.link = wire.Link(UartTransport(self.board))
        self.hello = self.link.hello()
        self.cases = {case.name: case for case in self.link.cases()}

    def series(
        self,
        case: str,
        length: int = 10,
        x: int = 0,
        *,
        empty: bool = False,
        delay: int | None = None,
    ) -> Witnessed:
        sites = getattr(self.probes.cases[case], "empty" if empty else "real")
        options = wire.Option.EMPTY if empty else wire.NO_OPTIONS
        if delay is not None:
            options |= wire.Option.UNPLACED
        watch(self.board, sites, self.probes.timer)
        samples = self.link.run(
            self.cases[case].index, length, x, options=options, delay=delay or 0
        )
        return Witnessed(samples, witness(self.board, sites, samples))

    def every_value(self, case: str) -> Iterator[tuple[int, Witnessed, Witnessed]]:
        """(x, real series, empty series) for each value of the case's parameter."""
        for x in self.cases[case].values or (0,):
            yield x, self.series(case, 10, x), self.series(case, 10, x, empty=True)


session = cache(Session)


def residuals(real: Witnessed, empty: Witnessed) -> set[int]:
    """What (b) leaves over, from the target's own overhead."""
    (overhead,) = {sample.ticks for sample in empty.samples}
    (nothing,) = {truth.call for truth in empty.truths}
    return {
        sample.ticks - overhead - (truth.call - nothing)
        for sample, truth in zip(real.samples, real.truths, strict=True)
    }


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("configuration", EXACT + ACCELERATED, ids=name)
def test_a_raw_time_is_the_distance_of_the_two_data_cycles(
    configuration: Configuration, case: str
) -> None:
    for _, *series in session(configuration).every_value(case):
        for witnessed in series:
            raw = [sample.ticks for sample in witnessed.samples]
            assert raw == [truth.raw for truth in witnessed.truths]
            assert len(raw) == 10 and min(raw) > 0


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("configuration", EXACT, ids=name)
def test_b_raw_minus_overhead_is_the_call_minus_the_empty_call(
    configuration: Configuration, case: str
) -> None:
    for _, real, empty in session(configuration).every_value(case):
        assert residuals(real, empty) == {0}


@pytest.mark.parametrize("configuration", ACCELERATED, ids=name)
def test_b_behind_the_accelerator_leaves_a_residual_made_beside_the_calls(
    configuration: Configuration, capsys: pytest.CaptureFixture[str]
) -> None:
    table = {}
    for case in CASES:
        for _, real, empty in session(configuration).every_value(case):
            (beside_nothing,) = {t.before + t.after for t in empty.truths}
            expected = {t.before + t.after - beside_nothing for t in real.truths}
            assert residuals(real, empty) == expected
            table.setdefault(case, set()).update(expected)
    with capsys.disabled():
        print(f"\nresidual, {name(configuration)}:")
        for case, found in table.items():
            print(f"  {case:30} {', '.join(f'{r:+d}' for r in sorted(found))}")


@pytest.mark.parametrize("case", CASES)
def test_watching_changes_nothing(case: str) -> None:
    watched, unwatched = Session(Configuration()), Session(Configuration())
    x = (*watched.cases[case].values, 0)[0]
    plain = unwatched.link.run(unwatched.cases[case].index, 10, x)
    assert [s.ticks for s in plain] == [s.ticks for s in watched.series(case, 10, x).samples]
