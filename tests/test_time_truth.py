"""Techniques against the truth of the board: equal where theory says so, else off by its law."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from refusals import refused
from visit import Visit

from cyclescope.cli import execute
from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.results import storage
from cyclescope.studies.errors import report as time_errors
from cyclescope.studies.errors.findings import ErrorPlace, Errors
from cyclescope.studies.errors.measure import examine_place, memories, places, steady_memory
from cyclescope.studies.errors.table_one import ENTRIES, redo
from cyclescope.studies.time.analyse import analyse
from cyclescope.studies.time.experiment_design import TimeOptions
from cyclescope.studies.time.measure import measure
from cyclescope.studies.time.targets import prepare
from cyclescope.target.target import Selection

EXAMPLES = Path(__file__).parent.parent / "examples" / "fragments"
HUNDRED = FragmentSource(EXAMPLES / "hundred_cycles.c", (), "hundred_cycles")
SQUARES = FragmentSource(EXAMPLES / "sum_of_squares.c", (), "sum_of_squares(values, 8)")
SORT = FragmentSource(EXAMPLES / "insertion_sort.c", ())
BY_NAME = {memory.name: memory for memory in memories("lpc2148")}
EQUAL = ("null_fragment", "differential", "line_by_one", "straight_line", "robust_line")
ROUNDING = 1e-9


def errors(
    folder: Path, source: FragmentSource, isa: str, memory: str, timer: str = "measurement"
) -> Errors:
    place = ErrorPlace("fragment", isa, BY_NAME[memory], timer)
    return examine_place("lpc2148", place, source, folder / "results")


@pytest.mark.parametrize(
    ("isa", "memory", "timer", "cycles"),
    [
        ("arm", "SRAM", "measurement", 100),
        ("thumb", "SRAM", "pin", 100),
        ("arm", "flash, MAMTIM 1", "pin", 100),
        ("arm", "flash, MAM 0", "timer1", 300),
    ],
)
def test_where_fetches_cost_the_same_techniques_equal_the_truth(
    tmp_path: Path, isa: str, memory: str, timer: str, cycles: int
) -> None:
    found = errors(tmp_path, HUNDRED, isa, memory, timer)
    assert (found.truth, found.least, found.most, found.period) == (cycles, cycles, cycles, 1)
    assert {name: found.biases[name] for name in EQUAL} == pytest.approx(
        dict.fromkeys(EQUAL, 0), abs=ROUNDING
    )
    assert found.biases["direct"] == pytest.approx(found.overhead, abs=ROUNDING)


def test_what_keeps_epsilon_is_off_by_epsilon_over_n(tmp_path: Path) -> None:
    chosen = [entry for entry in ENTRIES if entry.name in ("direct (1×)", "executing 10×, unrolled",
              "executing 10×, in a loop", "line fitting 1× to 10×")]  # fmt: skip
    assert len(chosen) == 4
    for line in redo("lpc2148", HUNDRED, False, tmp_path, entries=chosen, seeds=(1, 2)):
        assert line.sigmas == (0, 0, 0), "the board's own clock is exact at every phase"
        assert line.overhead > 0
        assert line.times.mean - 100 == pytest.approx(line.theory, abs=ROUNDING)
        assert line.times.sigma == pytest.approx(0, abs=ROUNDING)


def test_an_analyser_samples_at_random_phases(tmp_path: Path) -> None:
    """Uniform ones, so that what it reads of a time of whole cycles is off by two rounding errors:
    the part over the whole counts is rounded up as often as it is long."""
    (entry,) = [one for one in ENTRIES if one.name == "direct (1×)"]
    seeds = tuple(range(1, 11))
    (line,) = redo("lpc2148", HUNDRED, True, tmp_path, entries=[entry], seeds=seeds)
    cycles = 60e6 / line.timer_hz
    part = (100 + line.overhead) / cycles % 1
    exact = cycles * (part * (1 - part)) ** 0.5
    mean, least, greatest = line.sigmas
    assert mean == pytest.approx(exact, rel=0.15)
    assert 0 < least < mean < greatest
    assert line.times.mean == pytest.approx(100 + line.overhead, abs=4 * exact / 200**0.5)
    assert len({one.mean for one in line.by_seed}) > 5, "each seed has phases of its own"


def test_on_a_staircase_only_periods_equal_the_truth(tmp_path: Path) -> None:
    found = errors(tmp_path, SQUARES, "arm", "flash, MAM 2")
    assert found.period == 4
    assert found.least < found.truth < found.most
    for name in ("differential", "straight_line", "robust_line"):
        assert found.biases[name] == pytest.approx(0, abs=ROUNDING)
    assert abs(found.biases["line_by_one"]) > ROUNDING
    assert abs(found.biases["null_fragment"]) > 0.1


@pytest.mark.parametrize("isa", ["arm", "thumb"])
def test_initialisation_and_execution_are_told_apart_to_the_cycle(tmp_path: Path, isa: str) -> None:
    selection = Selection(board="lpc2148", kernel="bare", settings={"code": "sram", "isa": isa})
    with prepare(selection, SORT.file, None, "-O2", TimeOptions(("all",))) as (target, design):
        found = analyse(measure(target, design, tmp_path / "results"))
    assert found.truth is not None
    assert found.truth.is_constant
    assert len(found.techniques) == 2
    for one in found.techniques:
        assert one.bias == pytest.approx(0, abs=ROUNDING)
        assert one.estimated.initialisation is not None
        told = one.estimated.initialisation.value
        assert told == pytest.approx(found.truth.initialisation, abs=ROUNDING)


def test_from_the_command_line_to_the_page(
    browser: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, file = tmp_path / "results", tmp_path / "squares.c"
    file.write_text(
        f'#include "fragment.h"\n#include "{SQUARES.file}"\n'
        "EXECUTE { KEEP(sum_of_squares(values, 8)); }\n"
    )
    call = ["time", str(file), "--technique", "all"]
    assert execute([*call, "--out", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["execution"]["value"] == pytest.approx(told["truth"]["execution"])
    assert told["steps"]["period"] == 4
    assert execute(["show", str(folder)]) == 0
    assert "in multiples of 4 calls" in " ".join(capsys.readouterr().out.split())
    looks_right(browser, Path(told["report"]))


def looks_right(browser: Browser, report: Path) -> None:
    """The page in a browser: every picture is drawn, and nothing is asked of the network."""
    visit = Visit(browser, report, viewport={"width": 1200, "height": 20_000})
    page = visit.page
    plots = page.locator(".plot")
    visit.wait_for_pictures()
    assert plots.count() == 6 + 2, "all residuals are equal"
    equal = page.locator(".equal")
    expect(equal).to_have_count(6)
    expect(equal.first).to_have_text(re.compile(r"the residuals of all [\d,]+ times: 0 cycles"))
    assert page.locator("#techniques tbody tr").count() == 6
    assert page.locator("#steps").count() == 1
    assert (visit.complaints, visit.requests) == ([], [report.as_uri()])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["time"], "which file? Give one in C"),
        (["time", "/nowhere.c"], "/nowhere.c cannot be read: No such file"),
        (["time", "x.c", "--function", "f", "--call", "f()"], "choose one"),
        (["time", "--board", "replay:/nowhere"], "is no results folder"),
        (["time", "--board", "replay:/nowhere", "--technique", "direct"], "leave out --technique"),
        (["time", "--board", "replay:/nowhere", "--points", "5"], "a recording has the techniques"),
        (["time", "mine.c", "--board", "replay:/nowhere"], "a recording has the fragment that it"),
        (["time", "--board", "replay:/nowhere", "--call", "f()"], "leave out FILE.c, --function"),
        (["time", "x.c", "--board", "host", "--isa", "thumb"], "leave them out on the host"),
    ],
)
def test_bad_input_is_told_in_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(arguments) != 0
    told = capsys.readouterr().err
    assert sentence in told
    assert told.count("\n") == 1


def test_the_table_of_errors_has_a_line_for_each_place(tmp_path: Path) -> None:
    found = [errors(tmp_path, HUNDRED, "arm", "SRAM"), errors(tmp_path, SORT, "arm", "SRAM", "pin")]
    lines = redo("lpc2148", HUNDRED, False, tmp_path, entries=ENTRIES[:1], seeds=(1,))
    conditions = storage.read_manifest(tmp_path / "results").conditions
    labels = {"measurement": "measurement timer"}
    page = time_errors.page(found, lines, lines, conditions, 5, 10, labels, "SRAM")
    rows = [line for line in page.splitlines() if line.startswith("| fragment |")]
    assert rows[1] == (
        "| fragment | arm | SRAM | measurement timer | 100 | 1 | 3 | 3 | 5.5 | 0 | 0 | 0 | 0 | 0 |"
        "  |  |"
    )
    assert rows[2].endswith("| 2 |  |  |  |  |  |  |  | 0 | 0 |")
    assert "| direct | 3 |" in page
    assert "| line fitting 1× to 10× | 99.986 ± 0.125 | 100 | 0 | 0 | 100 | 0 | 0 | 0 |" in page
    assert "by memory:\n\n* SRAM: `--code sram`\n\n| technique |" in page


def test_the_places_are_those_of_the_board_s_file() -> None:
    """On the LPC2148 as many and as named as ever; a board that names no memories is refused."""
    found = places("lpc2148", ("hundred_cycles", "insertion_sort"))
    assert len(found) == 2 * 2 * 5 * 3 and len({one.name for one in found}) == len(found)
    names = [one.name for one in found[:5]]
    assert names == [
        "hundred_cycles-arm-SRAM-measurement",
        "hundred_cycles-arm-SRAM-timer1",
        "hundred_cycles-arm-SRAM-pin",
        "hundred_cycles-arm-flash-MAM0-measurement",
        "hundred_cycles-arm-flash-MAM0-timer1",
    ]
    assert steady_memory("lpc2148").settings == {"code": "sram"}
    with refused("board-file-lacks-key"):
        places("host", ("hundred_cycles",))
