"""The command line: what it prints, where errors go, and its exit codes."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from fake_target import CASES, FakeTarget, fake
from refusals import told_code

from cyclescope import plugins
from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.cli import execute, output
from cyclescope.firmware.boards import FOLDER


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    collect([FakeTarget()], TECHNIQUE, Plan(), tmp_path / "recording")
    return tmp_path / "recording"


def test_sentences_are_printed_in_lines_of_the_terminals_width(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "/" + "a-folder/" * 12
    output.print_wrapped(f"{'a rule ' * 30}in {path}")
    assert capsys.readouterr().out.count("\n") == 1, "a file or a pipe has whole sentences"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    output.print_wrapped(f"{'a rule ' * 30}in {path}")
    *lines, last = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 and max(map(len, lines)) <= 80
    assert last == path, "a path stays whole"


def test_characterize_writes_results_report_and_table(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert execute(["characterize", "--board", f"replay:{recording}", "--out", str(out)]) == 0
    told = capsys.readouterr()
    assert execute(["show", str(out), "--json"]) == 0
    calls = sum(one["n"] for one in json.loads(capsys.readouterr().out)["cases"])
    assert f"8 cases measured ({calls:,} calls), 0 refused, 0 failed" in told.out
    assert f"results in {out}, report in {out}/report.html" in told.out.replace("\n", " ")
    assert told.err == ""  # no progress where there is no terminal
    assert (out / "manifest.json").read_bytes() == (recording / "manifest.json").read_bytes()
    assert (out / "report.html").stat().st_size > 50_000


def test_show_and_report_work_from_the_folder_alone(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(["show", str(recording)]) == 0
    assert "queue-send" in capsys.readouterr().out
    page = tmp_path / "page.html"
    assert execute(["report", str(recording), "--out", str(page)]) == 0
    assert page.read_text().startswith("<!doctype html>")


@pytest.mark.parametrize("option", [["--mam", "0"], ["--code", "sram"], ["--clock", "12"]])
def test_a_recording_has_the_conditions_it_was_measured_under(
    recording: Path, tmp_path: Path, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["characterize", "--board", f"replay:{recording}", "--out", str(tmp_path / "out")]
    assert told_code([*command, *option], capsys) == "recording-has-its-conditions"


def test_a_board_file_alone_has_no_firmware(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "mine.toml"
    board.write_text((FOLDER / "lpc2148" / "board.toml").read_text())
    command = ["characterize", "--board"]
    named: list[object] = [board, "lpc2148, lpc2148-lab", f"run --board {board} --image"]
    assert told_code([*command, str(board)], capsys, naming=named) == "no-firmware-for-board"
    named = ["nosuch", "lpc2148-lab, stm32f100-lab, stm32f100rb, host", "board.toml"]
    assert told_code([*command, "nosuch"], capsys, naming=named) == "no-such-board"


@pytest.mark.parametrize("verb", ["show", "report", "list", "characterize"])
def test_json_is_one_document(
    verb: str, recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replay = ["--board", f"replay:{recording}"]
    arguments = {
        "show": [str(recording)],
        "report": [str(recording)],
        "list": ["cases", *replay],
        "characterize": [*replay, "--case", "semaphore*", "--out", str(tmp_path / "out")],
    }
    assert execute([verb, *arguments[verb], "--json"]) == 0
    json.loads(capsys.readouterr().out)


def test_a_case_is_chosen_by_glob(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    choice = ["--case", "*-give", "--out", str(tmp_path / "out"), "--json"]
    assert execute(["characterize", "--board", f"replay:{recording}", *choice]) == 0
    content = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in content["cases"]] == ["semaphore-give"]


def test_errors_are_one_sentence_and_exit_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(["show", str(tmp_path)]) == 1
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert execute(["show", str(tmp_path), "--json"]) == 1
    as_json = capsys.readouterr()
    error = json.loads(as_json.out)
    assert told.err == as_json.err == f"cyclescope: {error['error']}\n"
    assert error["code"] == "no-results-folder"
    assert str(tmp_path) in error["error"] and "manifest.json" in error["error"]


def test_wrong_usage_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["characterize", "--code", "attic"]) == 2
    assert "attic" in capsys.readouterr().err
    assert execute(["dance"]) == 2


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("list", ["list", "WHAT", "boards", "kernels", "options", "cases"]),
        ("list all", ["list", "all", "boards", "kernels", "options", "cases"]),
        ("compare a", ["compare", "B"]),
        ("show", ["show", "DIR"]),
        ("export x", ["export", "--to", "LANGUAGE", "c", "json", "python"]),
        ("list boards b", ["list", "b", "cyclescope list -h"]),
        ("run /a.elf", ["run", "/a.elf", "--image /a.elf"]),
        ("characterize send", ["characterize", "send", "--case send"]),
        ("run --cycles 3", ["run", "--cycles", "--until cycles=N"]),
        ("report --full x", ["report", "--full", "cyclescope report -h"]),
        ("characterize --sed 1", ["characterize", "--sed", "--seed"]),
        ("--foo", ["cyclescope", "--foo", "cyclescope -h"]),
        ("shwo", ["shwo", "show"]),
        ("characterize --jobs", ["--jobs"]),
        ("characterize --jobs 0", ["--jobs 0", "1"]),
        ("characterize --jobs x", ["--jobs x", "10"]),
        ("realtime --load 101", ["--load 101", "100"]),
        ("realtime --time x", ["--time x", "0.5"]),
        ("characterize --code x", ["--code x", "flash", "sram"]),
        ("show x --json=1", ["--json", "="]),
        ("realtime --replace --resume", ["--replace", "--resume"]),
    ],
)
def test_wrong_usage_is_one_sentence_with_a_remedy(
    command: str, names: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(command.split()) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    begin, sentence = told.err.split(" ", 1)
    assert begin == "cyclescope:"
    for name in names:
        assert re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", sentence), (name, sentence)


WITHOUT_ENGINE = """
import sys
sys.modules["cyclescope._engine"] = None
from cyclescope.cli import execute
sys.exit(execute(sys.argv[1:]))
"""


def test_saved_results_are_shown_where_no_engine_is(recording: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", WITHOUT_ENGINE, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert "queue-send" in run("show", str(recording)).stdout
    told = run("list", "cases", "--json")
    assert told.returncode == 1
    assert json.loads(told.stdout)["code"] == "engine-not-built"
    assert "make build" in told.stderr and told.stderr.count("\n") == 1


LOADED = """
import sys
from cyclescope.cli import execute
code = execute(sys.argv[1:])
heavy = ("elftools", "numpy", "pyarrow", "pydantic", "rich", "scipy")
print(*(name for name in heavy if name in sys.modules), file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.parametrize(
    ("command", "loaded"),
    [
        ("--version", ""),
        ("--help", "rich"),
        ("run --load {file}@0x40000000 --entry 0x40000000 --until cycles=1", ""),
        ("run --load {file}@0x40000000 --entry 0x40000000 --until cycles=1 --json", ""),
        ("list boards", ""),
        ("list kernels --mam 1 --isa thumb", ""),
        ("list kernels --board at91x40 --mam 1 --romwaits 3", ""),
        ("characterize --board at91x40 --help", "rich"),
        *((f"{verb} --help", "rich") for verb in plugins.questions("command")),
    ],
)
def test_a_start_loads_only_what_its_verb_needs(command: str, loaded: str, tmp_path: Path) -> None:
    file = tmp_path / "zeros.bin"
    file.write_bytes(bytes(64))
    told = subprocess.run(
        [sys.executable, "-c", LOADED, *command.format(file=file).split()],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stderr.strip() == loaded


def test_without_a_verb_the_verbs_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute([]) == 0
    assert "characterize" in capsys.readouterr().out
    assert execute(["--version"]) == 0
    assert capsys.readouterr().out.strip().count(".") == 2


def test_code_lies_only_where_the_board_has_memory(capsys: pytest.CaptureFixture[str]) -> None:
    named = ["--code lab", "flash, sram", "(lpc2148-lab, stm32f100-lab)"]
    told = told_code(["characterize", "--code", "lab"], capsys, naming=named)
    assert told == "no-memory-for-code"


def test_boards_and_kernels_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["list", "boards", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [one["board"] for one in listed] == [
        *("at91x40", "atmega2560", "console", "lpc2148", "lpc2148-lab"),
        *("stm32f100-lab", "stm32f100rb"),
    ]
    assert all("not real" in listed[lab]["description"] for lab in (4, 5))
    assert execute(["list", "kernels"]) == 0
    assert "freertos" in capsys.readouterr().out


def test_a_report_that_cannot_be_written(
    recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    below_a_file = recording / "manifest.json" / "page.html"
    assert execute(["report", str(recording), "--out", str(below_a_file)]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_a_figure_that_must_not_be_used_exits_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = FakeTarget([*CASES, fake("odd", lambda x, n, i: 1, empty=14)])
    collect([target], TECHNIQUE, Plan(), tmp_path / "odd")
    assert execute(["show", str(tmp_path / "odd")]) == 1
    assert "error: odd: the net time is -4 cycles" in capsys.readouterr().out
    assert execute(["show", str(tmp_path / "odd"), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["problems"]


INTERRUPTED = """
import sys
sys.path.insert(0, sys.argv[2])
from fake_target import CASES, FakeTarget
from cyclescope import targets
from cyclescope.cli import execute

def wait_for_the_user(case, length):
    if case == CASES[2].case:
        print("waiting", flush=True)
        sys.stdin.read()

targets.open_target = lambda selection: FakeTarget(before_series=wait_for_the_user)
sys.exit(execute(["characterize", "--jobs", "1", "--out", sys.argv[1]]))
"""


def test_ctrl_c_says_what_is_kept_and_exits_130(tmp_path: Path) -> None:
    out = tmp_path / "out"
    program = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(out), str(Path(__file__).parent)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert program.stdout is not None
    assert program.stdout.readline() == "waiting\n"
    os.kill(program.pid, signal.SIGINT)
    _, told = program.communicate(timeout=60)
    assert program.returncode == 130
    assert told == (
        f"cyclescope: interrupted; 2 of 29 runs are kept in {out}, --resume makes the others\n"
    )
    assert execute(["show", str(out)]) == 0


@pytest.mark.parametrize("json_too", [False, True])
def test_ctrl_c_while_modules_load_ends_with_a_sentence(json_too: bool) -> None:
    """A module that sends the signal stands for a user who is faster than the imports."""
    loading = (
        "import os, signal, sys\n"
        "class Interrupts:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'cyclescope.cli.program': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupts())\n"
        f"sys.argv = ['cyclescope', 'list', 'boards'] + {['--json'] * json_too}\n"
        "from cyclescope.cli import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", loading], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "cyclescope: interrupted\n")
    if json_too:
        assert json.loads(done.stdout)["code"] == "interrupted"


@pytest.mark.parametrize("verb", [["run", "--image"], ["show"], ["time"]])
def test_a_name_that_is_not_utf8_is_refused(
    verb: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute([*verb, os.fsdecode(b"na\xffme")]) == 2
    assert capsys.readouterr().err == (
        "cyclescope: na\\udcffme is not UTF-8: rename the file or folder\n"
    )
