"""The file, the commands and the numbers of docs/how-to/fragments.md hold as written."""

import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from cyclescope.firmware import build as firmware
from cyclescope.firmware.configuration import Configuration
from cyclescope.firmware.fragment.plan import Point
from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.firmware.program import Program

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "how-to" / "fragments.md").read_text()
PROGRAM = ".venv/bin/cyclescope"
SUM = ROOT / "examples" / "fragments" / "sum_of_squares.c"


def test_the_page_works_as_written(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    commands = 0
    for kind, block in re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        if kind == "c":
            (tmp_path / "largest.c").write_text(block)
            continue
        for line in block.splitlines():
            arguments = shlex.split(line)
            assert arguments[0] == PROGRAM
            done = subprocess.run(
                [sys.executable, "-m", "cyclescope", *arguments[1:]],
                cwd=tmp_path, capture_output=True, text=True,
            )  # fmt: skip
            assert done.returncode == 0, f"{line}: {done.stderr}"
            commands += 1
    assert commands == 2
    for name in ("sum", "largest"):
        assert (tmp_path / "results" / name / "report.html").exists()


@pytest.mark.parametrize(
    ("choice", "capacity"),
    [
        (Configuration(kernel="bare"), 2_000),
        (Configuration(kernel="bare", settings={"code": "sram", "isa": "thumb"}), 1_000),
        (Configuration("lpc2148-lab", "bare", settings={"code": "lab"}), 20_000),
    ],
)
def test_there_is_room_for_what_the_page_says(choice: Configuration, capacity: int) -> None:
    plans = (("plan", (Point(3),)),)
    source = FragmentSource(SUM, plans, "sum_of_squares(values, 8)")
    built = firmware.build(replace(choice, fragment=source))
    assert built.facts.sample_capacity == capacity and f"{capacity:,} " in PAGE
    symbols = Program(built.elf.read_bytes()).symbols
    assert symbols["svc_stack_top"] - symbols["svc_stack_end"] == 4096 and "4,096 bytes" in PAGE
