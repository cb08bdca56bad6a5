"""The place of a call in its series: where it decides the time, every sample is predicted."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from fake_target import BYTES, FakeTarget, fake

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.results import Results
from cyclescope.stats.position import Position, find_position
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.studies.characterize.findings import Behaviour, CaseAnalysis
from cyclescope.target.case import SERIES_LENGTHS
from cyclescope.target.target import Selection, Target
from cyclescope.targets import open_target

LENGTHS = np.repeat(np.array(SERIES_LENGTHS, dtype=np.float64), SERIES_LENGTHS)
INDICES = np.concatenate([np.arange(n, dtype=np.float64) for n in SERIES_LENGTHS])


def ends(x: int, n: int, i: int) -> int:
    """The first, those between, the last."""
    return 825 if i == 0 else 872 if i == n - 1 else 845


def drifts(x: int, n: int, i: int) -> int:
    """State that calls leave behind: rises, with a rare slow call."""
    return 7_000 + 56 * i + (130_000 if i % 6 == 4 else 0)


def measured(target: Target, folder: Path, case: str = "*") -> tuple[Results, CaseAnalysis]:
    found = collect([target], TECHNIQUE, Plan(case), folder)
    (one,) = analyse(found).cases
    return found, one


def assert_predicts(found: Results, one: CaseAnalysis) -> None:
    """Every sample of every run: its net time is the table's, and it is in a cluster."""
    tables = {(at.layout_number, at.parameter): at.position for at in one.positions}
    runs = {(run.layout.number, run.parameter): run for run in found.of_case(one.case.name)}
    assert tables
    for at in one.measured:
        for figures in at.runs:
            key = figures.layout_number, at.parameter
            cycles, length, index = runs[key].in_order()
            places = zip(index.astype(int).tolist(), length.astype(int).tolist(), strict=True)
            predicted = [tables[key].at(i, n) for i, n in places]
            assert predicted == (cycles - figures.overhead).tolist()
    assert one.apart == 0 and set(one.labels) == {1}
    assert not any("apart" in note for note in one.notes)


@pytest.mark.parametrize("truth", [ends, drifts])
def test_position_predicts_every_sample(
    truth: Callable[[int, int, int], int], tmp_path: Path
) -> None:
    found, one = measured(FakeTarget([fake("call", truth)]), tmp_path)
    assert_predicts(found, one)
    assert one.behaviour in (Behaviour.STATE_DEPENDENT, Behaviour.CONSTANT)


def test_the_values_are_named_by_their_place(tmp_path: Path) -> None:
    _, one = measured(FakeTarget([fake("delete", ends)]), tmp_path)
    (at,) = one.positions
    assert at.position == Position((0, 1), (825, 845), (872,))
    assert one.position is not None
    assert one.position.endswith(
        "of every sample: 825 at call 1, 845 from call 2, 872 at the last (cycles)"
    )
    assert one.position in one.notes


def test_each_x_has_its_own_table(tmp_path: Path) -> None:
    case = fake("copy", lambda x, n, i: 10 * x + (7 if i == 3 else 0), parameter=BYTES)
    found, one = measured(FakeTarget([case]), tmp_path)
    assert_predicts(found, one)
    assert {at.parameter for at in one.positions} == set(BYTES.values)


def test_what_changes_from_series_to_series_has_no_place() -> None:
    drawn = np.random.default_rng(1).integers(0, 2, INDICES.size).astype(np.float64)
    assert find_position(INDICES, LENGTHS, drawn) is None
    assert find_position(INDICES, LENGTHS, np.full(INDICES.size, 3.0)) is None


def test_one_series_alone_confirms_nothing() -> None:
    index = np.arange(50, dtype=np.float64)
    assert find_position(index, np.full(50, 50.0), index % 7) is None


@pytest.mark.parametrize("case", ["fsync.again_and_again", "rand.next"])
def test_what_drifts_on_the_board_is_predicted_call_by_call(case: str, tmp_path: Path) -> None:
    with open_target(Selection("lpc2148-lab", "bare", settings={"code": "lab"})) as target:
        found, one = measured(target, tmp_path, case)
    assert_predicts(found, one)


def test_no_sample_of_a_call_that_deletes_is_a_stray(tmp_path: Path) -> None:
    with open_target(Selection("lpc2148", "freertos")) as target:
        found = analyse(collect([target], TECHNIQUE, Plan("*_delete.*"), tmp_path))
    assert len(found.cases) >= 10 and not found.refused
    for one in found.cases:
        assert one.apart == 0 and 0 not in one.labels, one.case.name
        assert not one.hidden and not one.positions
        for at in one.measured:
            assert not at.rejected and at.sigma_within == 0


OF_CONVERSIONS = ("strtod.power", "strtod.far")
"""Their first call makes powers of ten, which later ones find."""


@pytest.mark.parametrize(
    "length, drifts",
    [
        (12, {"fsync.again_and_again", *OF_CONVERSIONS, "rand_r.next"}),
        pytest.param(
            100,
            {"fsync.again_and_again", *OF_CONVERSIONS, "rand_r.next", "rand.next"},
            marks=pytest.mark.matrix,
        ),
    ],
)
def test_nothing_else_of_the_c_library_drifts(length: int, drifts: set[str]) -> None:
    found = set()
    with open_target(Selection("lpc2148-lab", "bare", settings={"code": "lab"})) as target:
        for case in target.cases():
            for x in {case.values()[0], case.values()[-1]}:
                samples = target.run_series(case, x, length, empty=False).samples
                if np.ptp(samples.stop - samples.start):
                    found.add(case.name)
    assert found == drifts
