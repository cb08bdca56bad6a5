"""Standard output that is full, closed, or in ASCII; Ctrl-C; --debug: as processes see them."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-m", "cyclescope"]
ROOT = Path(__file__).parent.parent

COMMANDS = (
    ["list", "boards"],
    ["run", "--load", "/dev/null@0", "--until", "cycles=10"],
    ["schedule", str(ROOT / "examples" / "tasks" / "two_tasks.toml")],
    ["power", str(ROOT / "examples" / "power" / "joulescope.csv")],
    ["--version"],
    ["--help"],
)
"""One of each way to print: lines, tables, JSON, and what the framework prints by itself."""


def run(
    arguments: list[str], stdout: object = subprocess.PIPE, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *arguments],
        stdout=stdout,  # type: ignore[call-overload]
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("json_too", (False, True))
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_full_standard_output_is_one_sentence(command: list[str], json_too: bool) -> None:
    if json_too and command[0].startswith("--"):
        pytest.skip("the program's own options have no JSON")
    with open("/dev/full", "w") as full:
        ended = run([*command, *["--json"][:json_too]], stdout=full)
    assert ended.stderr == (
        "cyclescope: standard output cannot be written: No space left on device; free space there\n"
    )
    assert ended.returncode == 1


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_closed_standard_output_is_one_sentence(command: list[str]) -> None:
    ended = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *PROGRAM, *command],
        stderr=subprocess.PIPE, text=True, timeout=60,
    )  # fmt: skip
    assert ended.stderr.startswith("cyclescope: standard output is closed: ")
    assert ended.stderr.count("\n") == 1
    assert ended.returncode == 1


def test_a_reader_that_goes_away_is_one_sentence() -> None:
    ended = subprocess.run(
        ["bash", "-c", 'set -o pipefail; "$@" | true', "bash", *PROGRAM, *COMMANDS[0]],
        stderr=subprocess.PIPE, text=True, timeout=60,
    )  # fmt: skip
    if ended.returncode:  # the reader may still have taken what was written
        assert ended.stderr.startswith("cyclescope: standard output was closed by the program")
        assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_output_in_ascii_lacks_signs_and_nothing_else(command: list[str]) -> None:
    ended = run(command, PYTHONIOENCODING="ascii")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.isascii() and ended.stdout


def test_json_in_ascii_is_the_same_document() -> None:
    command = [*COMMANDS[2], "--json"]
    plain, ascii_only = run(command), run(command, PYTHONIOENCODING="ascii")
    assert json.loads(ascii_only.stdout) == json.loads(plain.stdout)


def test_debug_shows_where_an_error_came_from_and_keeps_its_sentence() -> None:
    plain, debugged = run(["show", "/nowhere"]), run(["show", "--debug", "/nowhere"])
    assert "Traceback" not in plain.stderr and plain.stderr.count("\n") == 1
    assert debugged.stderr.startswith("Traceback") and debugged.stderr.endswith(plain.stderr)
    assert debugged.returncode == plain.returncode == 1


def test_a_file_without_end_is_refused() -> None:
    for arguments in (["--image", "/dev/zero"], ["--load", "/dev/zero@0"]):
        ended = run(["run", *arguments])
        assert ended.returncode == 1
        assert "/dev/zero has more than 256 MiB" in ended.stderr and ended.stderr.count("\n") == 1


def test_a_count_of_five_thousand_digits_is_refused_briefly() -> None:
    for condition in ("cycles=", "instructions=", "cycles=-", "pc=", "nothing="):
        ended = run(["run", "--load", "/dev/null@0", "--until", condition + "9" * 5000])
        assert ended.returncode == 1
        assert len(ended.stderr) < 250 and ended.stderr.count("\n") == 1
    ended = run(["run", "--load", "/dev/null@0", "--until", "cycles=" + "0" * 5000 + "10"])
    assert ended.returncode == 0


def test_a_manifest_of_many_brackets_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("[" * 100_000)
    for verb in (["show"], ["report"], ["export", "--to", "c"]):
        ended = run([*verb, str(tmp_path)])
        assert ended.returncode == 1
        assert "is not JSON" in ended.stderr and ended.stderr.count("\n") == 1


@pytest.mark.parametrize("delay_ms", range(60, 700, 80))
def test_ctrl_c_at_any_moment_leaves_no_trace(delay_ms: int) -> None:
    """Once its modules are being loaded; before, it is the interpreter's."""
    command = [*PROGRAM, "schedule", str(ROOT / "examples" / "tasks" / "two_tasks.toml")]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        time.sleep(delay_ms / 1000)
        for _ in range(3):
            process.send_signal(signal.SIGINT)
            time.sleep(0.002)
        _, said = process.communicate(timeout=30)
    assert process.returncode in (130, -signal.SIGINT, 0), said
    assert said.count("\n") <= 1 and (said or process.returncode != 130)
    assert said == "" or said.startswith("cyclescope: interrupted")


def test_an_interruption_in_a_callback_of_c_is_kept_in_mind_without_a_word() -> None:
    program = (
        "import ctypes, os, signal\n"
        "from cyclescope import interruption\n"
        "with interruption.heeded():\n"
        "    callback = ctypes.CFUNCTYPE(None)(lambda: os.kill(os.getpid(), signal.SIGINT))\n"
        "    callback()\n"
        "    try:\n"
        "        interruption.check()\n"
        "    except KeyboardInterrupt:\n"
        "        print('kept')\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ended.stdout, ended.stderr) == ("kept\n", "")


@pytest.mark.parametrize("times", (1, 2, 3))
def test_ctrl_c_again_and_again_is_one_sentence(tmp_path: Path, times: int) -> None:
    loop = tmp_path / "loop.bin"
    loop.write_bytes(bytes.fromhex("010080e2fdffffea"))  # add r0, r0, #1; b .-4
    command = [*PROGRAM, "run", "--load", f"{loop}@0", "--until", "cycles=9000000000000"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(1.5)
        for _ in range(times):
            process.send_signal(signal.SIGINT)
            time.sleep(0.02)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert said.startswith("cyclescope: interrupted") and said.count("\n") == 1
