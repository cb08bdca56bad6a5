"""The commands of `time` in README.md and docs/how-to/questions.md work as written."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cyclescope.quantity import ROUNDING

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", ROOT / "docs" / "how-to" / "questions.md")
EXAMPLES = sorted((ROOT / "examples").glob("*/*.c"))
IN_EXAMPLES = [
    command
    for file in EXAMPLES
    for command in re.findall(r"^ \*     cyclescope (time .*)$", file.read_text(), re.MULTILINE)
]
COMMANDS = sorted(
    {
        shlex.join(shlex.split(command, comments=True))
        for page in PAGES
        for command in re.findall(
            r"^    \.venv/bin/cyclescope (time .*)$", page.read_text(), re.MULTILINE
        )
    }
)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_a_page_works_as_written(command: str, tmp_path: Path) -> None:
    told, arguments = run(command, tmp_path)
    if "host" not in arguments:
        off = abs(told["execution"]["value"] - told["truth"]["execution"])
        assert off <= told["execution"]["half_width"] + ROUNDING
    if "--blocks" in arguments:
        assert_block_times(told["blocks"]["times"])


@pytest.mark.parametrize("command", sorted({*IN_EXAMPLES} - {*COMMANDS}))
def test_a_command_of_an_example_works_as_written(command: str, tmp_path: Path) -> None:
    run(command, tmp_path)


def run(command: str, tmp_path: Path) -> tuple[dict[str, Any], list[str]]:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    arguments = shlex.split(command, comments=True)
    done = subprocess.run(
        [sys.executable, "-m", "cyclescope", *arguments, "--out", "out", "--json"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["execution"]["value"] > 0
    return told, arguments


def assert_block_times(times: list[dict[str, float]]) -> None:
    known = [one for one in times if one["truth_cycles"] is not None]
    held = [abs(one["off_by_cycles"]) <= one["half_width_95_cycles"] + ROUNDING for one in known]
    assert len(known) > 20 and sum(held) >= 0.95 * len(held)
    assert all(one["cycles"] > 0 for one in times)


def test_the_pages_and_the_examples_show_the_verb() -> None:
    assert (len(COMMANDS), len(IN_EXAMPLES)) == (4, 4)
