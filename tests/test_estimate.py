"""`cyclescope estimate`: figures, where they go, other settings, and what it refuses."""

import json
from math import hypot
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from refusals import told_code
from visit import Visit

from cyclescope.cli import execute
from cyclescope.firmware.configuration import Configuration
from cyclescope.studies.estimate.calls.laws import CaseLaw, Laws
from cyclescope.studies.estimate.training_errors import training_errors
from cyclescope.targets.virtual import board as boards

PROGRAM = """
#include <string.h>
static unsigned char block[256];
static unsigned mixed(unsigned x) { return (x ^ x >> 7) + 0x9E3779B9u; }
static unsigned twice(unsigned x) { return mixed(mixed(x)); }
int main(int argc, char **argv) {
    unsigned x = argc;
    for (int i = 0; i < 2000; i++)
        x = i & 1 ? mixed(x) : twice(x);
    for (int i = 0; i < 50; i++)
        memset(block, (int)x, argc > 1 ? strlen(argv[1]) : 64);
    return argc > 2;
}
"""
MEMSET_CYCLES = 90.0
WITHOUT_WAITS = {"board": "lpc2148-lab", "code": "lab", "isa": "arm", "kernel": "bare"}


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program, in the folder in which the verb works."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "app.c"
    file.write_text(PROGRAM)
    return file


@pytest.fixture
def laws(tmp_path: Path) -> Path:
    """Laws in a file: 90 cycles for a memset, 5 more or less."""
    law = CaseLaw("memset.aligned", (16.0, 64.0), (5.0, 5.0), ((64.0, 0.0, MEMSET_CYCLES),))
    file = tmp_path / "laws.json"
    file.write_text(json.dumps(Laws("", WITHOUT_WAITS, {law.case: law}).document()))
    return file


@pytest.fixture
def no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a board was made")

    monkeypatch.setattr(boards, "Board", refuse)
    monkeypatch.setattr(boards, "make_board", refuse)


def told(capsys: pytest.CaptureFixture[str], *command: str, exit_code: int = 0) -> Any:
    assert execute(["estimate", *command[:-1], "--json", command[-1]]) == exit_code
    return json.loads(capsys.readouterr().out)


@pytest.mark.usefixtures("no_board")
def test_own_code_and_calls_are_priced_without_a_board(
    source: Path, laws: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(capsys, str(source), "--laws", str(laws), "--way=blocks")
    (blocks,) = found["ways"]
    calls = blocks["cycles"] - blocks["cycles_without_calls"]
    assert calls == pytest.approx(50 * MEMSET_CYCLES)
    assert blocks["share_of_calls"] == pytest.approx(calls / blocks["cycles"], abs=1e-4)
    known = training_errors(Configuration("lpc2148-lab", "bare", {"code": "lab"}), "O2")
    off = hypot(250, known.own * blocks["cycles_without_calls"], known.calls * calls)
    assert blocks["interval"]["high_cycles"] - blocks["cycles"] == pytest.approx(off, abs=1)
    assert blocks["milliseconds"] == pytest.approx(blocks["cycles"] / 60_000, rel=1e-3)
    assert blocks["unpriced"] == []
    assert any("laws.json" in text or "laws of calls: laws" in text for text in blocks["used"])
    tree = found["tree"]
    assert (tree["name"], round(tree["cycles"])) == ("main", blocks["cycles"])
    below = {one["name"]: one for one in tree["below"]}
    assert below["memset"]["call"] and below["memset"]["cycles"] == 50 * MEMSET_CYCLES
    times, _, of_calls = found["lines"][str(source)]["11"]
    assert (times, of_calls) == (50, 50 * MEMSET_CYCLES)
    lines = found["lines"][str(source)].values()
    assert sum(own for _, own, _ in lines) == pytest.approx(blocks["cycles_without_calls"], abs=2)
    without = told(capsys, str(source), "--without-calls", "--way=blocks")["ways"][0]
    assert without["cycles"] == blocks["cycles_without_calls"]


def test_an_estimate_is_near_the_run_here_and_with_other_settings(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ways = ("--way=blocks", "--way=run")
    others = ("--what-if", "isa=thumb level=O0", "--what-if", "code=flash mam=0 clock=12")
    found = told(capsys, str(source), "--without-calls", *others, *ways)
    every = [*found["ways"], *found["what_if"]]
    assert [one["way"] for one in every] == ["blocks", "run"] * 3
    for blocks, run in zip(every[::2], every[1::2], strict=True):
        assert blocks["cycles"] == pytest.approx(run["cycles_without_calls"], rel=0.05)
    assert every[4]["core_hz"] == 12_000_000
    assert every[2]["cycles"] > 2 * every[0]["cycles"]


def test_arguments_and_inputs_reach_the_program(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["estimate", str(source), "--way=blocks", "--without-calls", "--json"]
    assert execute([*command, "--", "--board", "-x"]) == 1, "the program's own status is reported"
    found = json.loads(capsys.readouterr().out)
    assert (found["arguments"], found["status"]) == (["--board", "-x"], 1)
    assert any("ended with status 1" in one for one in found["doubts"])


def test_calls_without_laws_are_named(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unusual = ("--board=at91x40", "--code=rom", "--romwaits=7")
    (blocks,) = told(capsys, str(source), "--way=blocks", *unusual)["ways"]
    assert [(one["callee"], one["times"]) for one in blocks["unpriced"]] == [("memset", 50)]
    assert any("no laws are shipped" in one for one in blocks["doubts"])


def test_laws_that_are_shipped_are_named(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = ("--board=lpc2148-lab", "--code=lab", "--isa=arm")
    (blocks,) = told(capsys, str(source), "--way=blocks", *there)["ways"]
    assert blocks["unpriced"] == []
    assert any("lpc2148-lab-lab-arm-bare" in one for one in blocks["used"])


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["--what-if", "mam"], "what-if-unreadable"),
        (["--what-if", "colour=red"], "no-such-key"),
        (["--input", "nothing"], "no-such-input"),
        (["--host-source", "app.c"], "option-is-no-pair"),
        (["--host-source", "app.c=nothing.c"], "no-such-source"),
        (["--way", "source", "--level", "O3"], "no-source-prices"),
        (["--level", "O9"], "no-such-optimisation"),
        (["--board", "nowhere"], "no-such-board"),
        (["--laws", "app.c"], "no-laws-of-calls"),
        (["--energy", "--clock", "12"], "no-estimated-energy"),
        (["--energy", "--board", "atmega2560"], "no-estimated-energy"),
    ],
)
def test_wrong_options_are_refused(
    source: Path, capsys: pytest.CaptureFixture[str], command: list[str], code: str
) -> None:
    exit_code = 2 if code == "option-is-no-pair" else 1
    assert told_code(["estimate", "app.c", *command], capsys, exit_code) == code


def test_the_terminal_shows_tree_and_lines(
    source: Path, laws: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["estimate", "app.c", "--laws", str(laws), "--way=blocks", "--tree", "--lines"]
    assert execute(command) == 0
    text = capsys.readouterr().out
    assert "90 % interval" in text and "memset()" in text
    assert "x = i & 1 ? mixed(x) : twice(x);" in text
    (row,) = [line for line in text.splitlines() if line.startswith("memset ")]
    assert row.split()[1] == "4,500"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_a_flame_graph_that_opens(
    source: Path, laws: Path, browser: Browser, scheme: str
) -> None:
    out = source.parent / "out"
    command = ["estimate", "app.c", "--laws", str(laws), "--way=blocks", "--out", str(out)]
    assert execute([*command, "--what-if", "isa=thumb"]) == 0
    visit = Visit(browser, out / "report.html", scheme)
    bars = visit.page.locator("#flame button")
    names = bars.all_text_contents()
    assert {"main", "twice", "mixed", "memset"} >= set(names) >= {"main", "memset"}
    assert "100.0 %" in visit.page.locator("#told").inner_text()
    visit.page.locator("#flame button.call").first.click()
    assert visit.page.locator("#told").inner_text().startswith("memset(): 4,500 cycles")
    visit.page.locator("#whole").click()
    assert visit.page.locator("#told").inner_text().startswith("main:")
    assert visit.overflowing() == []
    assert visit.complaints == [] and len(visit.requests) == 1
    visit.page.close()


@pytest.mark.parametrize(
    ("text", "code", "naming"),
    [
        ("int main(void) { return 1 +; }", "source-does-not-parse", "bad.c:1"),
        ("int main(void) { int *p = 0; return *p; }", "counted-program-died", "bad.c:1"),
        ("int main(void) { volatile int x = 1; while (x); }", "counted-run-too-long", "bad.c:1"),
        (
            "#include <stdio.h>\nint main(void) { return getchar(); }",
            "program-reads-standard-input",
            "--",
        ),
        (None, "no-such-source", "bad.c"),
    ],
)
def test_bad_programs_are_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, code: str, naming: str
) -> None:
    file = tmp_path / "bad.c"
    if text is not None:
        file.write_text(text)
    command = ["estimate", str(file), "--limit", "1"]
    assert told_code(command, capsys) == code
    assert execute(command) == 1
    said = capsys.readouterr().err
    assert naming in said and said.startswith("cyclescope: ") and "Traceback" not in said


def test_energy_is_near_that_of_the_run_in_all_ways(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ways = ("--way=blocks", "--way=source", "--way=run")
    there = ("--board=lpc2148-lab", "--code=flash", "--mam=0", "--isa=arm")
    blocks, guess, run = told(capsys, str(source), *there, *ways, "--energy")["ways"]
    # 1.65 nJ of each cycle and 33 mW all the time, at 60 MHz, are the least.
    assert run["energy_uj"] > run["cycles"] * (1.65e-3 + 33e3 / 60e6) * 0.5
    assert blocks["energy_uj"] == pytest.approx(run["energy_uj"], rel=0.05)
    assert blocks["energy_of_calls_uj"] == pytest.approx(run["energy_of_calls_uj"], rel=0.1)
    for one in (blocks, guess):
        # Apart from time, the energy of a cycle is within a few percent.
        each, true = one["energy_uj"] / one["cycles"], run["energy_uj"] / run["cycles"]
        assert each == pytest.approx(true, rel=0.04)
        assert any(text.startswith("energy of a cycle") for text in one["used"])


@pytest.mark.usefixtures("no_board")
def test_energy_comes_only_where_it_is_asked_for_and_was_metered(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (plain,) = told(capsys, str(source), "--way=source")["ways"]
    assert plain["energy_uj"] is None and plain["energy_of_calls_uj"] is None
    asked = ("--way=blocks", "--energy", "--level=O3", "--what-if=clock=12")
    found = told(capsys, str(source), *asked)
    (here,), (slow,) = found["ways"], found["what_if"]
    assert here["energy_uj"] > here["energy_of_calls_uj"] > 0
    assert any("no programs of O3 were metered" in one for one in here["doubts"])
    assert slow["energy_uj"] is None
    assert any("no energies of cycles were metered" in one for one in slow["doubts"])


def test_other_settings_take_shipped_laws_or_say_that_there_are_none(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    others = ("--what-if", "isa=thumb", "--what-if", "code=flash mam=1")
    found = told(capsys, str(source), "--code=lab", *others, "--way=blocks")
    thumb, one = found["what_if"]
    assert "laws of calls: lpc2148-lab-lab-thumb-bare" in thumb["used"] and not thumb["doubts"]
    assert one["cycles"] == one["cycles_without_calls"]
    assert [text for text in one["doubts"] if "no laws are shipped for" in text]


def test_calls_take_as_many_cycles_at_another_clock(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = (str(source), "--code=lab", "--what-if", "clock=12", "--way=blocks", "--way=run")
    found = told(capsys, *command)
    estimated, true = found["what_if"]
    assert estimated["cycles"] == found["ways"][0]["cycles"] > estimated["cycles_without_calls"]
    assert true["cycles"] == found["ways"][1]["cycles"]
    assert not [one for one in estimated["doubts"] if "laws" in one]
