"""The programs of the benchmark of paper 000: how they are divided, and their outputs, judged by
other means than themselves."""

import json
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import program_judges
import pytest

from cyclescope.firmware.application import build_application
from cyclescope.targets.virtual.application import run_on_board

BENCH = Path(__file__).parent.parent / "benches" / "paper_000"
JOBS = (
    "adpcm-enc",
    "adpcm-dec",
    "bitcount",
    "blowfish-enc",
    "blowfish-dec",
    "crc32",
    "dijkstra",
    "fft",
    "ispell",
    "jpeg",
    "qsort",
    "rijndael-enc",
    "rijndael-dec",
    "sha",
    "stringsearch",
    "susan",
    "tiff2rgba",
    "tiffdither",
)


@pytest.fixture(scope="module")
def bench() -> Iterator[ModuleType]:
    """The bench's list of programs; its folder is on the path while these tests run."""
    sys.path.insert(0, str(BENCH))
    import benchmark
    import configurations
    import split

    benchmark.split, benchmark.configurations = split, configurations
    benchmark.main = SimpleNamespace(**runpy.run_path(str(BENCH / "__main__.py")))
    yield benchmark
    sys.path.remove(str(BENCH))


def test_all_jobs_of_the_paper_are_there(bench: ModuleType) -> None:
    programs = bench.programs().values()
    assert [job for job in JOBS if job not in {one.job for one in programs}] == []
    assert len(programs) >= 30
    assert len({one.family for one in programs}) >= 12


def test_the_families_are_divided_as_drawn(bench: ModuleType) -> None:
    kept = json.loads(bench.split.FILE.read_text())
    later = set(bench.split.LATER)
    assert {one.family for one in bench.programs().values()} >= later
    assert not later & {*kept["training"], *kept["held_back"]}
    assert len(later) == len(bench.split.LATER)
    assert kept == {"seed": bench.split.SEED, **bench.split.drawn()}
    families = {one.family for one in bench.programs().values()}
    assert {one for one in families if bench.split.trains(one)} == set(kept["training"])
    closed = {one for one in families if bench.split.group(one) == "held back"}
    assert closed == set(bench.split.HELD_BACK)


@pytest.mark.parametrize("drawing", ["THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH", "EIGHTH"])
def test_half_of_a_drawing_is_of_others_and_much_of_it_calls(
    bench: ModuleType, drawing: str
) -> None:
    families = getattr(bench.split, drawing)
    drawn = [one for one in bench.programs().values() if one.family in families]
    assert len(drawn) >= 20 and len({one.family for one in drawn}) >= 12
    of_others = [
        one for one in drawn if any("package:" in path for path in (*one.sources, *one.includes))
    ]
    assert 2 * len(of_others) >= len(drawn)
    table = json.loads((bench.FOLDER / "true_times.json").read_text())
    rows = [table[bench.configurations.REFERENCE.name][one.name] for one in drawn]
    shares = [row["by_owner"]["calls"] / row["cycles"] for row in rows]
    assert 3 * sum(share >= 0.1 for share in shares) >= len(drawn)


def test_inputs_are_the_same_each_time(bench: ModuleType) -> None:
    digits = bench.inputs.made("pi", 8, "pi.bin")
    assert digits.hex() == "243f6a8885a308d3"
    assert bench.inputs.made("text", 500, "a") == bench.inputs.made("text", 500, "a")
    assert bench.inputs.made("text", 500, "a") != bench.inputs.made("text", 500, "b")


@pytest.mark.parametrize("name", ["crc32", "spell", "tiff-dither", "motor", "messages"])
def test_a_true_time_is_that_of_the_table(bench: ModuleType, name: str) -> None:
    table = json.loads((bench.FOLDER / "true_times.json").read_text())
    program, where = bench.programs()[name], bench.configurations.REFERENCE
    built = build_application(program.application(where.level), where.of_kernel(program.kernel))
    true = run_on_board(built, program.command, program.files())
    row, here = table[where.name][name], bench.host_run(name)
    assert (true.cycles, true.instructions) == (row["cycles"], row["instructions"])
    assert (true.status, true.console, true.files) == (here.status, here.console, here.files)


def test_the_page_has_the_table(bench: ModuleType) -> None:
    table = json.loads((bench.FOLDER / "true_times.json").read_text())
    text = bench.main.PAGE.read_text()
    assert bench.main.page(text, table) == text


def test_every_true_time_is_of_a_run_as_here(bench: ModuleType) -> None:
    table = json.loads((bench.FOLDER / "true_times.json").read_text())
    assert bench.configurations.REFERENCE.name in table
    drawings = ("THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH", "EIGHTH")
    measured_in_part = {one for name in drawings for one in getattr(bench.split, name)}
    late = {name for name, one in bench.programs().items() if one.family in measured_in_part}
    assert set(table[bench.configurations.REFERENCE.name]) == set(bench.programs())
    for name, rows in table.items():
        assert set(rows) | late == set(bench.programs()), name
        assert all(row["as_on_host"] for row in rows.values() if "cycles" in row), name
    calls = [
        row["by_owner"]["calls"] / row["cycles"] for row in next(iter(table.values())).values()
    ]
    assert sum(share >= 0.1 for share in calls) >= 12


@pytest.mark.parametrize("name", program_judges.JUDGES)
def test_outputs_are_judged_by_others(bench: ModuleType, name: str) -> None:
    judge(bench, name, program_judges.JUDGES[name])


@pytest.mark.matrix
@pytest.mark.parametrize("name", program_judges.OF_LIBRARIES)
def test_outputs_of_large_libraries_are_judged_by_others(bench: ModuleType, name: str) -> None:
    judge(bench, name, program_judges.OF_LIBRARIES[name])


def judge(bench: ModuleType, name: str, by: program_judges.Judge) -> None:
    inputs, here = bench.programs()[name].files(), bench.host_run(name)
    found, wanted = by(inputs, here.files, here.console.decode())
    assert found == wanted
