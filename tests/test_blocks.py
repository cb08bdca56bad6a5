"""Basic blocks from whole executions and early exits, against the truth of each on a board."""

import json
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from choices import selected
from refusals import refused, told_code
from rich.console import Console

from cyclescope.cli import execute
from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.quantity import ROUNDING
from cyclescope.results import seal
from cyclescope.results.whole_files import ResultsError
from cyclescope.stats.least_squares import fit
from cyclescope.stats.row_space import row_space
from cyclescope.studies.blocks import record
from cyclescope.studies.blocks.analyse import analyse_blocks
from cyclescope.studies.blocks.found import BlocksFound
from cyclescope.studies.blocks.measure import PLANS, measure
from cyclescope.studies.blocks.model import model_of
from cyclescope.studies.blocks.record import BlockMeasurements
from cyclescope.studies.blocks.report import blocks as report
from cyclescope.studies.blocks.report.cfg_svg import cycles_text, draw
from cyclescope.target.target import Target
from cyclescope.targets import open_target

EXAMPLES = Path(__file__).parent.parent / "examples" / "blocks"
SRAM = (("code", "sram"),)
WITHOUT_WAITS = (("clock", 12),)
REPETITIONS = 10
WITHOUT_MAM = (("mam", 0),)
THUMB = ("isa", "thumb")
SHARED = """
#include "fragment.h"
static uint32_t a, b;
__attribute__((noipa)) uint32_t mix(uint32_t x) { return x * 5 + 1; }
EXECUTE { a = b & 1 ? mix(b) : b + 3; if (a & 4) { a = mix(a) ^ mix(b); } }
PREPARE(round) { b = mix(round) >> 2; }
"""


def opened(file: Path, *choices: tuple[str, object], optimise: str = "-O2") -> Target:
    source = FragmentSource(file, PLANS, optimise=optimise)
    choice = {"board": "lpc2148", "kernel": "bare", **dict(choices)}
    return open_target(selected({**choice, "fragment": source}))


@cache
def measured(
    name: str, *choices: tuple[str, object], kind: str = "blocks", rounds: int = 60
) -> BlockMeasurements:
    with opened(EXAMPLES / f"{name}.c", *choices, optimise="-O1") as target:
        return measure(target, kind, rounds)  # type: ignore[arg-type]


def whole(found: BlockMeasurements) -> BlockMeasurements:
    """Returns the measurement before any early exit."""
    return found.model_copy(update={"equations": found.equations[:1]})


def told(found: BlocksFound) -> dict[str, float]:
    return {one.text: one.estimate.value for one in found.combinations}


def assert_exact(found: BlocksFound) -> None:
    """Every figure is the truth, and says so."""
    for one in found.combinations:
        assert one.estimate.half_width <= ROUNDING, one.text
        if one.truth is not None:
            assert one.error == pytest.approx(0, abs=ROUNDING), one.text
    with_truth = [one for one in found.combinations if one.truth]
    assert len(with_truth) == len(found.combinations) - 2, "all but the two overheads"
    assert found.additive


@pytest.mark.parametrize("choices", [SRAM, WITHOUT_WAITS, WITHOUT_MAM], ids=str)
@pytest.mark.parametrize("isa", ["arm", "thumb"])
def test_figure_4_is_singular_until_it_is_left_early(
    choices: tuple[tuple[str, object], ...], isa: str
) -> None:
    everything = measured("loop", *choices, ("isa", isa))
    assert [block.name for block in everything.blocks] == ["B0", "B1", "B2"]
    singular = analyse_blocks(whole(everything))
    assert list(told(singular)) == ["call + B0 + B2 - taken branch", "B1 + taken branch", "ε"]
    assert [set(group) for group in singular.groups] == [{"call", "B0", "B2", "B1", "taken branch"}]
    assert [split.at for split in singular.splits] == list(analyse_blocks(everything).leaves)
    solved = analyse_blocks(everything)
    assert list(told(solved)) == ["call", "B0", "B1", "B2", "taken branch", "ε", "ε′"]
    assert not solved.groups and not solved.splits
    assert_exact(solved)


@pytest.mark.parametrize("choices", [SRAM, WITHOUT_MAM], ids=str)
def test_figure_5_stays_singular_when_equal_columns_are_merged(
    choices: tuple[tuple[str, object], ...],
) -> None:
    everything = measured("conditionals", *choices, THUMB)
    assert len(everything.blocks) == 7
    found = model_of(whole(everything), "blocks")
    counts = found.design()[:, [i for i, name in enumerate(found.names) if name[0] == "B"]]
    merged = np.unique(counts, axis=1)
    assert merged.shape[1] == 5, "0, 3 and 6 are one column of the seven"
    assert len(row_space(merged).pivots) == 3, "and each pair of arms adds up to it"
    solved = analyse_blocks(everything)
    assert not solved.groups
    assert_exact(solved)


def test_a_coder_of_adpcm_is_told_block_by_block() -> None:
    """Section 6.2, Table 2, with every block by itself."""
    solved = analyse_blocks(measured("adpcm", *SRAM, THUMB, rounds=50))
    assert not solved.groups
    assert len(solved.combinations) > 20
    assert_exact(solved)


def test_each_way_out_has_a_time_in_the_model_of_edges() -> None:
    everything = measured("adpcm", *SRAM, THUMB, kind="edges", rounds=30)
    solved = analyse_blocks(everything)
    assert not solved.groups
    assert_exact(solved)
    times = told(solved)
    blocks = told(analyse_blocks(everything, "blocks"))
    for edge in everything.edges:
        if edge.label not in times:
            assert edge.label in solved.unexecuted
        elif edge.kind == "taken" and edge.optional:
            (source,) = (one.name for one in everything.blocks if one.leader == edge.source)
            expected = blocks[source] + blocks["taken branch"]
            assert times[edge.label] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("optimise", "choices"),
    [
        ("-Os", (*SRAM, ("isa", "arm"))),
        ("-Os", (*WITHOUT_MAM, THUMB)),
        ("-O0", (("board", "lpc2148-lab"), ("code", "lab"), THUMB)),
        ("-O2", (*SRAM, THUMB, ("timer", "pin"))),
    ],
    ids=str,
)
def test_blocks_of_called_functions_of_a_switch_and_of_recursion_are_told(
    optimise: str, choices: tuple[tuple[str, object], ...]
) -> None:
    with opened(EXAMPLES / "calls.c", *choices, optimise=optimise) as target:
        found = analyse_blocks(measure(target, rounds=63))
    functions = {block.function for block in found.measured.blocks}
    assert {"fragment_execute", "choice", "recursive", "leaf"} <= functions
    assert not found.groups
    assert_exact(found)


def test_no_measurement_is_made_that_splits_nothing() -> None:
    everything = measured("conditionals", *SRAM, THUMB)
    solved = analyse_blocks(everything)
    assert len(solved.leaves) < len(everything.exits)
    for index in range(2, len(everything.equations)):
        fewer = everything.model_copy(update={"equations": everything.equations[:index]})
        more = everything.model_copy(update={"equations": everything.equations[: index + 1]})
        ranks = [len(row_space(model_of(one, "blocks").design()).pivots) for one in (fewer, more)]
        assert ranks[1] > ranks[0], everything.equations[index].left_at


def test_with_the_accelerator_on_the_residuals_say_that_blocks_are_not_constant() -> None:
    found = analyse_blocks(measured("adpcm", ("mam", 2), THUMB, rounds=30))
    assert not found.additive
    assert found.residual_maximum > 1
    assert any("no constant" in sentence for sentence in report.sentences(found))


def test_a_coarse_clock_is_covered_by_its_intervals() -> None:
    found = analyse_blocks(measured("loop", *SRAM, THUMB, ("timer", "timer1"), ("vpbdiv", 4)))
    assert found.repetitions == 10 and found.additive
    for one in found.combinations:
        if one.truth is not None:
            assert abs(one.error or 0) <= one.estimate.half_width, one.text
            assert one.estimate.half_width > 0


def test_where_others_execute_it_too_a_block_is_not_left(tmp_path: Path) -> None:
    file = tmp_path / "shared.c"
    file.write_text(SHARED)
    with opened(file, *SRAM) as target:
        everything = measure(target, rounds=40)
        again = measure(target, rounds=40)
    assert again == everything, "no trap was left in the image"
    found = analyse_blocks(everything)
    assert [one.at for one in everything.refused] == ["mix:B0"]
    assert any("PREPARE, INITIALISE" in sentence for sentence in report.sentences(found))
    assert [set(group) for group in found.groups] == [{"mix:B0", "B3", "B5", "B6"}]
    assert_exact(found)


def test_measurements_are_kept_and_analysed_again(tmp_path: Path) -> None:
    everything = measured("loop", *SRAM, ("isa", "arm"))
    path = record.save(tmp_path, everything)
    loaded = record.load(tmp_path)
    assert loaded == everything
    assert told(analyse_blocks(loaded)) == told(analyse_blocks(everything))
    path.write_bytes(seal.opened(path.read_bytes()).replace(b'"call"', b'"who"', 1))
    with refused("file-damaged-or-other-version", ResultsError, naming=[path.name]):
        record.load(tmp_path)
    assert record.load(tmp_path / "elsewhere") is None


def test_the_picture_shows_every_block_with_its_time_and_colours_what_stays_together() -> None:
    everything = measured("conditionals", *SRAM, THUMB)
    for found in (
        analyse_blocks(everything),
        analyse_blocks(whole(everything)),
        analyse_blocks(everything, "edges"),
    ):
        picture = draw(found)
        assert draw(found) == picture
        text = " ".join(" ".join(ElementTree.fromstring(picture).itertext()).split())
        for block in everything.blocks:
            assert f"{block.name} ×" in text
        for one in found.combinations:
            assert cycles_text(one.estimate) in text
        grouped = {name for group in found.groups for name in group}
        if found.model.kind == "blocks":
            coloured = picture.count(' group0"')
            assert coloured == sum(block.name in grouped for block in everything.blocks)


def test_the_verb_times_blocks_beside_the_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "results"
    command = [
        "time", str(EXAMPLES / "loop.c"), "--code", "sram", "--rounds", "4", "--blocks",
        "--inputs", "30", "--out", str(folder), "--json",
    ]  # fmt: skip
    assert execute(command) == 0
    found = json.loads(capsys.readouterr().out)["blocks"]
    known = {one["of"]: one for one in found["times"] if one["truth_cycles"] is not None}
    assert list(known) == ["call", "B0", "B1", "B2", "taken branch"]
    for one in known.values():
        assert one["cycles"] == pytest.approx(one["truth_cycles"], abs=ROUNDING)
    page = (folder / "report.html").read_text()
    assert execute(["show", str(folder), "--full"]) == 0
    assert "Basic blocks: EXECUTE, model blocks" in capsys.readouterr().out
    assert "Basic blocks" in page and '<svg class="cfg"' in page


def test_the_tables_tell_the_same_in_words_and_in_json() -> None:
    found = analyse_blocks(whole(measured("loop", *SRAM, ("isa", "arm"))))
    console = Console(width=100, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    report.show(found, console)
    shown = console.export_text()
    assert "call + B0 + B2 - taken branch" in shown and "can only be timed together" in shown
    document = json.loads(json.dumps(report.document(found), allow_nan=False))
    assert [one["of"] for one in document["times"]] == list(told(found))
    assert document["splits"][0]["at"] == "B0"
    page = report.part(found)
    assert page.count("<tr>") == len(found.combinations) + 1


@pytest.mark.parametrize(("choices", "fetch_cycles"), [(SRAM, 1), (WITHOUT_MAM, 3)], ids=str)
def test_a_block_of_single_cycle_instructions_takes_as_many_fetches(
    choices: tuple[tuple[str, object], ...], fetch_cycles: int
) -> None:
    """The loop has neither load nor store: docs/timing/arm7tdmi.md, and two fetches to refill."""
    everything = measured("loop", *choices, ("isa", "arm"))
    times = told(analyse_blocks(everything))
    assert times["B1"] == pytest.approx(len(everything.blocks[1].listing) * fetch_cycles)
    assert times["taken branch"] == pytest.approx(2 * fetch_cycles)
    assert times["call"] == pytest.approx(3 * fetch_cycles)


def test_what_residuals_cannot_show_is_said_and_the_truth_beside_it() -> None:
    """MAM 1: every equation fits, and figures are off: an early exit changes a fetch."""
    said = report.sentences(analyse_blocks(measured("loop", ("mam", 1), ("isa", "arm"))))
    assert any("fetched through an accelerator" in sentence for sentence in said)
    exact = report.sentences(analyse_blocks(measured("loop", *SRAM, ("isa", "arm"))))
    assert not any("fetched through an accelerator" in sentence for sentence in exact)
    for sentences in (said, exact):
        assert "All 5 figures that the board itself can check are within their ±." in sentences


def test_intervals_cover_the_truth_under_noise(capsys: pytest.CaptureFixture[str]) -> None:
    """2,000 campaigns with Gaussian noise of 5 cycles on every time. Intervals are a little wide:
    the larger of two variances is taken (stats/least_squares.py)."""
    everything = measured("conditionals", *SRAM, THUMB, rounds=12)
    model = model_of(everything, "blocks")
    design = model.design()
    space = row_space(design)
    columns = design[:, list(space.pivots)]
    exact = np.hstack([np.array(one.times_cycles[0]) for one in everything.equations])
    truth = np.linalg.lstsq(columns, exact)[0]
    random, own = np.random.default_rng(4), np.eye(len(space.pivots))
    covered = np.zeros(len(own))
    for _ in range(2000):
        solved = fit(columns, exact + random.normal(0, 5, (REPETITIONS, exact.size)))
        estimates = [solved.estimate(one) for one in own]
        covered += [
            one.low <= value <= one.high for one, value in zip(estimates, truth, strict=True)
        ]
    shares = covered / 2000
    with capsys.disabled():
        names = [model.names[pivot] for pivot in space.pivots]
        print("\ncoverage of 95 % intervals:", dict(zip(names, shares.tolist(), strict=True)))
    assert min(shares) > 0.95 - 3 * (0.95 * 0.05 / 2000) ** 0.5
    assert max(shares) < 0.985


def test_what_cannot_be_is_one_sentence_before_anything_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pointer = tmp_path / "pointer.c"
    pointer.write_text(
        '#include "fragment.h"\nstatic uint32_t one(uint32_t x) { return x + 1; }\n'
        "static uint32_t (*volatile f)(uint32_t) = one;\nstatic uint32_t r;\n"
        "EXECUTE { r = f(r); }\n"
    )
    folder, loop = tmp_path / "results", str(EXAMPLES / "loop.c")
    many = [loop, "--code", "sram", "--blocks", "--inputs", "2000"]
    for command, code, exit_code, names in (
        ([str(pointer), "--blocks"], "targets-not-known", 1, ["fragment_execute", "--blocks"]),
        (many, "inputs-do-not-fit", 1, ["2,000", "36,000", "9,000", "--inputs 500"]),
        ([loop, "--model", "edges"], "wrong-usage", 2, ["--model", "--inputs", "--blocks"]),
    ):
        asked = ["time", *command, "--out", str(folder)]
        assert told_code(asked, capsys, exit_code, naming=names) == code
        assert not folder.exists()
