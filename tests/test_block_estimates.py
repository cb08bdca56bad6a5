"""Estimates from blocks beside what the board spends, and without any board."""

import sys
from pathlib import Path

import numpy as np
import pytest

from cyclescope.firmware.program import Function
from cyclescope.sources.host_run import count
from cyclescope.sources.instrumented import SourceUnit
from cyclescope.studies.estimate.blocks.counted import Counted, CountedRegion, counted
from cyclescope.studies.estimate.blocks.estimate import BlockEstimate, ReadImage, estimate
from cyclescope.studies.estimate.blocks.positions import LinePosition
from cyclescope.targets.virtual import board as boards
from cyclescope.targets.virtual.board import make_board, read_image

sys.path.insert(0, str(Path(__file__).parent / "pricing"))
from bare import PROGRAMS, WAYS, Built, Way, build

MEAN, MOST = 0.03, 0.10
"""Errors over the programs: of their mean, and of each."""
LEAST = 0.02
SAMPLE = [
    Way("ram", 0, "arm", "-O2"),
    Way("flash", 2, "thumb", "-Os"),
    Way("flash", 0, "arm", "-O0"),
]
LONGEST_CYCLES = 100_000_000


def counts(source: Path) -> Counted:
    return counted(count([SourceUnit(source, ("-std=c99",))]).counts)


def own(built: Built, program: Counted) -> list[Function]:
    """The functions of the source; a compiler's copies have a suffix."""
    names = {region.function for region in program.regions}
    return [one for one in built.program.functions if one.name.split(".")[0] in names]


def estimated(built: Built, program: Counted) -> BlockEstimate:
    image = ReadImage(built.path.read_bytes(), own(built, program), program.counts)
    return estimate(image, program, built.pricer())


def spent(built: Built, functions: list[Function]) -> int:
    """The cycles that the board spends in these functions."""
    board, image = make_board("lpc2148"), read_image(built.path)
    board.load(image)
    board.run(pcs=[image.address_of("main")], cycles=LONGEST_CYCLES)
    histogram = board.attach_histogram()
    board.run(pcs=[image.address_of("ended")], cycles=LONGEST_CYCLES)
    return sum(
        sum(kinds)
        for _, address, _, kinds in board.counted(histogram)["lines"]
        if any(one.address <= address < one.end for one in functions)
    )


def errors(way: Way, folder: Path) -> list[float]:
    found = []
    for source in PROGRAMS:
        program = counts(source)
        built = build(source, way, folder)
        truth = spent(built, own(built, program))
        found.append(estimated(built, program).cycles / truth - 1)
    return found


def assert_near(way: Way, folder: Path) -> None:
    found = np.abs(errors(way, folder))
    assert found.mean() <= MEAN and found.max() <= MOST, found


@pytest.mark.parametrize("way", SAMPLE, ids=str)
def test_estimates_are_near_what_the_board_spends(way: Way, tmp_path: Path) -> None:
    assert_near(way, tmp_path)


@pytest.mark.matrix
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_estimates_are_near_what_the_board_spends_everywhere(way: Way, tmp_path: Path) -> None:
    assert_near(way, tmp_path)


def test_an_estimate_makes_no_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a board was made")

    monkeypatch.setattr(boards, "Board", refuse)
    monkeypatch.setattr(boards, "make_board", refuse)
    source = PROGRAMS[0]
    found = estimated(build(source, SAMPLE[0], tmp_path), counts(source))
    assert found.cycles > 1000
    assert sum(found.functions.values()) == pytest.approx(found.cycles)
    assert found.unfollowed == []


def test_branches_say_which_side_of_a_condition_executes(tmp_path: Path) -> None:
    """Where no statement begins on either side, only the branch and the condition say it."""
    source = next(one for one in PROGRAMS if one.stem == "checks")
    program = counts(source)
    built = build(source, Way("ram", 0, "thumb", "-O2"), tmp_path)
    truth = spent(built, own(built, program))
    assert estimated(built, program).cycles == pytest.approx(truth, rel=LEAST)


def test_code_without_optimisation_executes_as_its_source(tmp_path: Path) -> None:
    """Flow is conserved, and what is called executes as often as it is called."""
    source = next(one for one in PROGRAMS if one.stem == "sorting")
    program = counts(source)
    built = build(source, Way("ram", 0, "thumb", "-O0"), tmp_path)
    found = estimated(built, program)
    bodies = {region.function: region.times for region in program.regions if region.kind == "body"}
    for function in own(built, program):
        entry = found.flow.entries[function.address]
        assert sum(found.solution.nodes[number] for number in entry) == bodies[function.name]
    for node in found.flow.nodes:
        inward = sum(
            times
            for other in found.flow.nodes
            for way, times in zip(other.ways, found.solution.ways[other.number], strict=True)
            if way.target == node.number
        )
        if node.number not in found.flow.entries[node.function.address]:
            assert inward == pytest.approx(found.solution.nodes[node.number])


RING = """
#include <stdint.h>
static inline uint32_t power(uint32_t m, uint32_t p) {
    uint32_t answer = 1;
    while (p) {
        if (p & 1) {
            answer *= m;
        }
        m *= m;
        p >>= 1;
    }
    return answer;
}
static inline void update(uint32_t *sum, const unsigned char *at, uint32_t size) {
    for (uint32_t i = size; i; i--) {
        sum[0] = sum[0] * 0x08104225u + *at++;
    }
    sum[1] *= power(0x08104225u, size);
}
static __attribute__((noinline)) uint32_t of(int kind, const unsigned char *at, uint32_t size) {
    uint32_t sum[2] = {1, 1};
    if (kind == 1) {
        while (size--)
            sum[0] += *at++;
    } else {
        update(sum, at, size);
    }
    return sum[0];
}
int main(void) {
    static unsigned char bytes[64];
    uint32_t sum[2] = {1, 1}, all = 0;
    for (uint32_t i = 0; i < 64; i++) {
        all += of(i & 1, bytes, i);
        update(sum, bytes, i);
    }
    return (all + sum[0] + sum[1]) & 0;
}
"""


def test_branches_that_follow_one_another_in_a_ring_say_nothing(tmp_path: Path) -> None:
    """The compiler puts two tests of one condition into a loop: none of them is the first."""
    (source := tmp_path / "ring.c").write_text(RING)
    program = counts(source)
    built = build(source, Way("ram", 0, "arm", "-O2"), tmp_path)
    truth = spent(built, own(built, program))
    assert estimated(built, program).cycles == pytest.approx(truth, rel=0.15)


def test_lines_alike_are_looked_up_in_their_function_alone() -> None:
    # Each function has a line; all are alike, as the ends of functions in a large file are.
    regions = tuple(
        CountedRegion(line, f"f{line // 2}", "body", None, (("app.c", (line, 1), (line, 9)),), 1)
        for line in range(2_000)
    )
    alike = tuple(range(2_000))
    found = Counted(regions, twins={("app.c", line): alike for line in alike})
    looked = []
    at = found.at
    found.at = lambda position: looked.append(position) or at(position)  # type: ignore
    assert found.twins(LinePosition("app.c", 1_000, 4)) == [LinePosition("app.c", 1_001, 4)]
    assert len(looked) == 2
