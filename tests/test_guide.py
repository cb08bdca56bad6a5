"""The guide does what it says: its commands and its case, as written, in a copy of the tree."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from cyclescope.results import storage
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.studies.characterize.report.rows import INTERVALS, headings

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "docs" / "tutorial" / "guide.md").read_text()
COLUMNS = (ROOT / "docs" / "reference" / "columns.md").read_text()
PROGRAM = ".venv/bin/cyclescope"


def copy_tree(to: Path) -> None:
    for folder in ("firmware", "boards", "python"):
        shutil.copytree(ROOT / folder, to / folder)
    (to / "build").mkdir()
    (to / "build" / "packages").symlink_to(ROOT / "build" / "packages")


def run(command: str, tree: Path) -> str:
    arguments = shlex.split(command)
    assert arguments[0] == PROGRAM
    environment = {**os.environ, "PYTHONPATH": str(tree / "python")}
    done = subprocess.run(
        [sys.executable, "-m", "cyclescope", *arguments[1:]],
        cwd=tree, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


def test_the_guide_works_as_written(tmp_path: Path) -> None:
    copy_tree(tmp_path)
    (path,) = re.findall(r"^`(firmware/\S+\.c)`:$", GUIDE, re.MULTILINE)
    told: dict[str, str] = {}
    for kind, block in re.findall(r"^```(\w+)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL):
        if kind == "c":
            assert len([line for line in block.splitlines() if line.strip()]) <= 10
            (tmp_path / path).write_text(block)
        else:
            told |= {line: run(line, tmp_path) for line in block.splitlines()}
    listed = run(f"{PROGRAM} list cases --json", tmp_path)
    assert '"queue_count.empty"' in listed
    for name in ("mine", "mine-thumb-24", "mine-sram"):
        results = storage.load(tmp_path / "results" / name)
        assert {one.case.name for one in results.runs} == {"queue_count.empty"}
        plain = results.runs[0]
        assert plain.layout.number == 0 and plain.cycles("call").size == 110
        found = analyse(results)
        for heading in headings(found):
            assert f"\n| {heading.removesuffix(f' {INTERVALS[found.basis]}')} |" in COLUMNS
    (truth,) = [text for line, text in told.items() if " truth " in line]
    assert re.search(r"queue_count\.empty .*\+0\s*$", truth, re.MULTILINE)
    (own,) = [text for line, text in told.items() if "explain queue_count" in line]
    assert "uxQueueMessagesWaiting" in own
