"""Exported laws, compiled and imported, against every point that was measured."""

import importlib.util
import json
import resource
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from fake_target import BYTES, MANY_BYTES, OVERHEAD, FakeTarget, fake

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.cli import execute
from cyclescope.results import storage
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.studies.export import export
from cyclescope.studies.export.export import Export, ExportedLaw
from cyclescope.target.target import Selection
from cyclescope.targets import open_target

FAKES = (
    fake("take.full", lambda x, n, i: 312),
    fake("send.room", lambda x, n, i: 410 + 2 * x, parameter=BYTES),
    fake("send.noisy", lambda x, n, i: 1000 + 7 * x + (i * 5 + x) % 3, parameter=BYTES),
    fake("copy.knee", lambda x, n, i: 700 - x if x <= 16 else 588 + 6 * x, parameter=MANY_BYTES),
    fake("create.one_more", lambda x, n, i: 1500 + 3 * n, load=True),
    fake("same.a-b", lambda x, n, i: 11, condition='a "quoted" \\ text */ with /* marks'),
    fake("same.a_b", lambda x, n, i: 12),
    fake("wild.x", lambda x, n, i: 500 + 900 * (x % 7), parameter=BYTES),
    fake("wrong.negative", lambda x, n, i: 5, empty=40),
)
EXACT = {"take.full", "send.room", "copy.knee", "create.one_more", "same.a-b", "same.a_b"}
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic")
Point = tuple[str, float | None]
"""A function, and the x to ask it at."""


@pytest.fixture(scope="module")
def laws(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Export]:
    folder = tmp_path_factory.mktemp("laws")
    collect([FakeTarget(FAKES)], TECHNIQUE, Plan(), folder)
    return folder, export.select(analyse(storage.load(folder)))


def points(exported: Export) -> dict[Point, tuple[float, float, ExportedLaw]]:
    """Checks each measured point against the function, within the law's tolerance there."""
    found = {}
    for one in exported.functions:
        if one.argument is export.LOAD:
            (measured,) = one.analysis.measured
            (run,) = measured.runs
            assert run.series
            for length, raw in zip(run.series.lengths, run.series.means, strict=True):
                found[one.identifier, float(length)] = (raw - run.empty.mean, one)
        for measured in one.analysis.measured if one.argument is not export.LOAD else ():
            x = None if measured.parameter is None else float(measured.parameter)
            found[one.identifier, x] = (measured.net.estimate.value, one)
    return {
        point: (cycles, 0.0 if one.analysis.case.name in EXACT else one.law.max_residual, one)
        for point, (cycles, one) in found.items()
    }


def run_c(header: str, asked: Mapping[Point, object], folder: Path) -> dict[Point, float]:
    """Compiles the header into a program, and asks it."""
    (folder / "costs.h").write_text(header)
    calls = (f'printf("%.17g\\n", {name}({"" if x is None else repr(x)}));' for name, x in asked)
    lines = ["#include <stdio.h>", '#include "costs.h"', '#include "costs.h"', "int main(void) {"]
    (folder / "ask.c").write_text("\n".join([*lines, *calls, "return 0; }\n"]))
    subprocess.run(["gcc", *STRICT, "-o", "ask", "ask.c"], cwd=folder, check=True)
    said = subprocess.run([folder / "ask"], capture_output=True, text=True, check=True).stdout
    return dict(zip(asked, map(float, said.split()), strict=True))


def run_python(module: str, asked: Mapping[Point, object], folder: Path) -> dict[Point, float]:
    (folder / "costs.py").write_text(module)
    spec = importlib.util.spec_from_file_location("costs", folder / "costs.py")
    assert spec and spec.loader
    costs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(costs)
    return {(name, x): getattr(costs, name)(*(() if x is None else (x,))) for name, x in asked}


def run_json(document: str, asked: Mapping[Point, object], folder: Path) -> dict[Point, float]:
    functions = {one["name"]: one for one in json.loads(document)["functions"]}

    def at(name: str, x: float) -> float:
        if terms := functions[name]["terms"]:
            return sum(TERMS[one["kind"]](one, int(x)) * one["coefficient"] for one in terms)
        segments = functions[name]["segments"]
        one = next((one for one in segments if x <= one["end"]), segments[-1])
        return float(one["m"] * x + one["q"])

    return {(name, x): at(name, x or 0.0) for name, x in asked}


TERMS: dict[str, Callable[[dict[str, int], int], int]] = {
    "constant": lambda term, x: 1,
    "line": lambda term, x: x,
    "step": lambda term, x: x >= term["at"],
    "knee": lambda term, x: max(x - term["at"], 0),
    "residue": lambda term, x: x % term["period"] == term["at"],
    "stairs": lambda term, x: (x + term["at"]) // term["period"],
    "value": lambda term, x: x == term["at"],
}

RUN: dict[str, Callable[[str, Mapping[Point, object], Path], dict[Point, float]]] = {
    "c": run_c,
    "python": run_python,
    "json": run_json,
}


def misses(said: Mapping[Point, float], exported: Export) -> list[str]:
    """Points at which what is said is neither the law's nor what was measured."""
    wrong = []
    for point, (cycles, off, one) in points(exported).items():
        law = one.law.predict(point[1] or 0.0).value
        if abs(said[point] - cycles) > off + 1e-9 * cycles or said[point] != pytest.approx(
            law, rel=1e-12
        ):
            wrong.append(f"{point}: {said[point]}, measured {cycles}, law {law}")
    return wrong


@pytest.mark.parametrize("language", RUN)
def test_exported_laws_say_what_was_measured(
    language: str, laws: tuple[Path, Export], tmp_path: Path
) -> None:
    _, exported = laws
    asked = points(exported)
    assert len(asked) == 4 + 2 * 8 + 17 + 4
    said = RUN[language](export.find(language).render(exported), asked, tmp_path)
    assert misses(said, exported) == []


@pytest.mark.parametrize("language", RUN)
def test_a_coefficient_that_is_altered_is_noticed(
    language: str, laws: tuple[Path, Export], tmp_path: Path
) -> None:
    _, exported = laws
    text = export.find(language).render(exported)
    (room,) = (one for one in exported.functions if one.analysis.case.name == "send.room")
    (segment,) = room.law.segments
    for number in (segment.m, segment.q):
        written = f"{number!r}" if language == "json" else f"{number!r} * x"
        altered = text.replace(f"{number!r}", repr(number * 1.001))
        assert altered != text, written
        said = RUN[language](altered, points(exported), tmp_path)
        assert any("send_room" in one for one in misses(said, exported))


def test_what_has_no_law_is_left_out_with_its_reason(laws: tuple[Path, Export]) -> None:
    _, exported = laws
    reasons = {one.case: one.reason for one in exported.omitted}
    assert set(reasons) == {"wild.x", "wrong.negative"}
    assert "below zero" in reasons["wrong.negative"] and "describe" in reasons["wild.x"]
    for language in RUN:
        text = export.find(language).render(exported)
        assert "cycles_wild" not in text and all(one in text for one in reasons)


def test_identifiers_are_words_and_no_two_are_alike(laws: tuple[Path, Export]) -> None:
    names = [one.identifier for one in laws[1].functions]
    assert len(set(names)) == len(names) and all(name.isidentifier() for name in names)
    assert {"cycles_same_a_b", "cycles_same_a_b_2"} <= set(names)


def test_the_law_with_a_knee_has_its_segments(laws: tuple[Path, Export]) -> None:
    (knee,) = (one for one in laws[1].functions if one.analysis.case.name == "copy.knee")
    assert len(knee.law.segments) == 2
    assert "if (x <= " in export.find("c").render(laws[1])


def test_the_header_compiles_for_the_target(laws: tuple[Path, Export], tmp_path: Path) -> None:
    (tmp_path / "costs.h").write_text(export.find("c").render(laws[1]))
    (tmp_path / "use.c").write_text(
        '#include "costs.h"\nunsigned use(void) { return (unsigned)cycles_send_room(64); }\n'
    )
    for compiler in (["gcc"], ["arm-none-eabi-gcc", "-mcpu=arm7tdmi", "-ffreestanding"]):
        command = [*compiler, *STRICT, "-O2", "-c", "use.c", "-o", "use.o"]
        subprocess.run(command, cwd=tmp_path, check=True)
    # A constant x is reckoned by the compiler: nothing of a library is asked for.
    symbols = subprocess.run(
        ["arm-none-eabi-nm", "use.o"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert " U " not in symbols.stdout


def test_the_module_knows_its_conditions_and_refuses_other_x(
    laws: tuple[Path, Export], tmp_path: Path
) -> None:
    path = tmp_path / "costs.py"
    path.write_text(export.find("python").render(laws[1]))
    program = (
        "import costs; print(costs.CONDITIONS['board'], costs.CONDITIONS['image_sha256'][:4]); "
        "print(costs.cycles_send_room(64)); costs.cycles_send_room(1000)"
    )
    done = subprocess.run(
        ["python3", "-I", "-c", f"import sys; sys.path.insert(0, '.'); {program}"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.split()[:2] == ["lpc2148", "abab"]
    assert float(done.stdout.split()[2]) == pytest.approx(538)
    assert "x is 1 to 128 byte by 1" in done.stderr and done.returncode == 1


def test_the_verb_writes_files_and_names_what_there_is(
    laws: tuple[Path, Export], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(laws[0])
    assert execute(["export", folder, "--to", "c"]) == 0
    assert capsys.readouterr().out == export.find("c").render(laws[1])
    target = tmp_path / "costs.h"
    assert execute(["export", folder, "--to", "c", "--out", str(target)]) == 0
    assert capsys.readouterr().out == f"7 laws in {target}, 2 cases left out\n"
    assert target.read_text() == export.find("c").render(laws[1])
    assert execute(["export", folder, "--to", "ada"]) == 1
    assert "there is no ada among the languages: c, json, python" in capsys.readouterr().err


def test_what_cannot_be_written_whole_leaves_what_was_there(
    laws: tuple[Path, Export], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "costs.h"
    target.write_text("as it was")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, usual[1]))
    try:
        assert execute(["export", str(laws[0]), "--to", "c", "--out", str(target)]) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert "costs.h cannot be written: File too large" in capsys.readouterr().err
    assert target.read_text() == "as it was" and list(tmp_path.iterdir()) == [target]


def test_what_a_program_pays_for_the_call_stands_beside_each_law(
    laws: tuple[Path, Export],
) -> None:
    folder, exported = laws
    empty = float(OVERHEAD)
    assert {one.empty_call for one in exported.functions} == {empty}
    header = export.find("c").render(exported)
    assert header.count(f"_EMPTY_CALL {empty!r}\n") == len(exported.functions)
    assert header.count(f"without the {empty:g} cycles of an empty call") == len(exported.functions)
    (folder / "costs.h").write_text(header)
    program = (
        '#include "costs.h"\n\n'
        "double both(void);\ndouble both(void)\n"
        "{ return cycles_take_full() + CYCLES_TAKE_FULL_EMPTY_CALL; }\n"
    )
    (folder / "sum.c").write_text(program)
    subprocess.run(["gcc", *STRICT, "-c", "sum.c"], cwd=folder, check=True)
    document = json.loads(export.find("json").render(exported))
    assert {one["empty_call"] for one in document["functions"]} == {empty}


def test_what_a_stopped_campaign_did_not_measure_is_left_out(laws: tuple[Path, Export]) -> None:
    found = analyse(storage.load(laws[0]))
    (first, *others) = found.cases
    stopped = replace(found, cases=tuple(others), missing=((0, first.case.name, None),))
    (told,) = (one for one in export.select(stopped).omitted if one.case == first.case.name)
    assert told.reason == "not measured yet: the campaign was stopped"


def test_no_law_at_all_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    collect([FakeTarget((FAKES[-1],))], TECHNIQUE, Plan(), tmp_path / "wrong")
    assert execute(["export", str(tmp_path / "wrong"), "--to", "c"]) == 1
    assert "there is no law to export" in capsys.readouterr().err


def test_the_laws_of_a_board_say_what_the_board_measured(tmp_path: Path) -> None:
    with open_target(
        Selection("lpc2148-lab", "freertos", settings={"code": "lab"}, cases="queues")
    ) as target:
        collect([target], TECHNIQUE, Plan("queue_[rs]*"), tmp_path / "board")
    exported = export.select(analyse(storage.load(tmp_path / "board")))
    assert {"cycles_queue_send_room", "cycles_queue_receive_one_message"} <= {
        one.identifier for one in exported.functions
    }
    for language, run in RUN.items():
        said = run(export.find(language).render(exported), points(exported), tmp_path)
        assert misses(said, exported) == []
