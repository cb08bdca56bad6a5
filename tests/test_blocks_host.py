"""Basic blocks on this machine: executions are counted under breakpoints, times are its own."""

import platform
from pathlib import Path

import pytest
from refusals import refused

from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.studies.blocks.analyse import analyse_blocks
from cyclescope.studies.blocks.measure import PLANS, measure
from cyclescope.studies.blocks.record import BlockMeasurements
from cyclescope.studies.blocks.report import blocks as report
from cyclescope.target.target import Selection, Target
from cyclescope.targets import open_target
from cyclescope.targets.host import tracer

LOOP = Path(__file__).parent.parent / "examples" / "blocks" / "loop.c"
TURNS = [1 + number * 7 % 13 for number in range(20)]
"""Of the loop, by round: as the example's PREPARE has them."""

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="x86-64 breakpoints")


def opened() -> Target:
    source = FragmentSource(LOOP, PLANS, optimise="-O1")
    return open_target(Selection(board="host", kernel="bare", fragment=source))


@pytest.fixture(scope="module")
def measured() -> BlockMeasurements:
    with opened() as target:
        return measure(target, rounds=len(TURNS), repetitions=5)


def test_blocks_are_counted_in_the_very_program_that_is_timed(
    measured: BlockMeasurements,
) -> None:
    assert [block.name for block in measured.blocks] == ["B0", "B1", "B2"]
    (whole,) = measured.equations
    assert whole.executions == (1, 2) * len(TURNS)
    leaders = {block.name: block.leader for block in measured.blocks}
    for name, expected in (("B0", [1] * 20), ("B1", TURNS), ("B2", [1] * 20)):
        own = [i for i, edge in enumerate(measured.edges) if edge.source == leaders[name]]
        entered = [sum(row[i] for i in own) for row in whole.counts]
        assert entered == [n * count for count in expected for n in (1, 2)], name
    assert [len(row) for row in whole.times_cycles] == [40] * 5


def test_a_switch_calls_and_recursion_are_followed(tmp_path: Path) -> None:
    source = FragmentSource(LOOP.parent / "calls.c", PLANS)
    with open_target(Selection(board="host", kernel="bare", fragment=source)) as target:
        found = analyse_blocks(measure(target, rounds=63, repetitions=2))
    assert {"fragment_execute", "choice", "recursive", "leaf"} <= {
        block.function for block in found.measured.blocks
    }
    assert any(edge.kind == "computed" for edge in found.measured.edges)
    entered = sum(row[0] for row in found.measured.equations[0].counts)
    assert entered > 0 and found.combinations


def test_what_cannot_be_told_apart_is_told_together_and_what_would_split_it_is_named(
    measured: BlockMeasurements,
) -> None:
    found = analyse_blocks(measured)
    assert found.combinations[0].text == "call + B0 + B2 - taken branch"
    assert all(one.truth is None for one in found.combinations)
    assert [split.at for split in found.splits] == ["B0", "B1", "B2"]
    assert any("early at B0, B1, B2" in sentence for sentence in report.sentences(found))


def test_the_program_goes_on_as_before_when_it_was_traced() -> None:
    with opened() as target:
        cases = {case.name: case for case in target.cases()}
        for _ in range(2):
            series, traces = target.trace_fragment(cases["fragment.blocks"], 4, [])
            assert len(series.samples) == 4 and len(traces) == 4
        assert len(target.run_series(cases["fragment.blocks"], None, 8, empty=False).samples) == 8


def test_a_machine_that_forbids_tracing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: tracer.Tracer, request: int, address: int, data: int) -> int:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(tracer.Tracer, "_ask", refuse)
    with opened() as target, refused("tracing-not-allowed", naming=["ptrace"]):
        measure(target, rounds=2, repetitions=1)
