"""A board outside the checkout, made by the commands of docs/how-to/new-board.md, as written."""

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from cyclescope.cli import execute
from cyclescope.firmware import boards
from cyclescope.results import storage

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "how-to" / "new-board.md").read_text()
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of the board beside the one where the commands ran, and what they printed."""
    folder = tmp_path_factory.mktemp("outside") / "checkout"
    folder.mkdir()
    for name in ("boards", "firmware"):
        (folder / name).symlink_to(ROOT / name)
    program = f"{sys.executable} -m cyclescope"
    text = "\n".join(BLOCKS).replace(".venv/bin/cyclescope", program)
    done = subprocess.run(
        ["bash", "-e", "-c", text],
        cwd=folder,
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder.parent / "my_board", done.stdout


def test_the_page_makes_a_board_that_characterize_measures(said: tuple[Path, str]) -> None:
    results = storage.load(said[0].parent / "checkout" / "results" / "my_board")
    conditions = results.conditions
    assert (conditions.board, conditions.real) == ("my_board", True)
    assert (conditions.core_hz, conditions.memory) == (50_000_000, {"mam": 2, "mamtim": 3})
    names = {run.case.name for run in results.runs}
    assert "semaphore_take.binary_full" in names and len(names) >= 2
    assert not results.manifest.failed and not results.manifest.refused


def test_its_settings_are_the_options_of_the_verb(said: tuple[Path, str]) -> None:
    assert "10, 20 … 60 MHz" in said[1] and "12, 24, 36" not in said[1]


def test_its_times_are_the_truth(said: tuple[Path, str]) -> None:
    assert re.search(r"semaphore_take\.binary_full .*\+0\s*$", said[1], re.MULTILINE)


def test_no_image_names_the_folder(said: tuple[Path, str]) -> None:
    homes = list((ROOT / "build" / "firmware").glob(f"my_board-*-{digest(said[0])}"))
    assert len(homes) == 2
    for home in homes:
        assert str(said[0]).encode() not in (home / "image.elf").read_bytes()


def test_the_wire_and_the_crystal_are_those_of_the_file(
    said: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the wire where the firmware does not speak nothing answers."""
    wrong = tmp_path / "wrong"
    shutil.copytree(said[0], wrong)
    file = wrong / "board.toml"
    file.write_text(file.read_text().replace('{ to = "uart1.rxd"', '{ to = "uart0.rxd"'))
    assert execute(["list", "cases", "--board", str(file)]) == 1
    assert "no answer" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("key", "other", "sentence"),
    [
        ("wire = ", "# wire = ", "names no wire: add [firmware] wire"),
        ('variable = "MAM"', 'variable = "m a m"', "firmware.setting.2.variable: "),
        ("wire = ", "wires = ", "firmware.wires: Extra inputs are not permitted"),
    ],
)
def test_a_mistake_in_the_table_is_one_sentence(
    key: str,
    other: str,
    sentence: str,
    said: tuple[Path, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "wrong" / "board.toml"
    shutil.copytree(said[0], file.parent)
    file.write_text(file.read_text().replace(key, other))
    assert execute(["list", "cases", "--board", str(file)]) == 1
    error = capsys.readouterr().err
    assert sentence in error and error.count("\n") == 1


def test_a_setting_of_another_board_is_refused(
    said: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "less" / "board.toml"
    shutil.copytree(said[0], file.parent)
    table = re.search(r'\[\[firmware.setting\]\]\nname = "vpbdiv"\n.*?\n\n', file.read_text(), re.S)
    assert table
    file.write_text(file.read_text().replace(table[0], ""))
    assert execute(["list", "cases", "--board", str(file), "--vpbdiv", "2"]) == 1
    assert "has no setting --vpbdiv: leave it out" in capsys.readouterr().err


@cache
def digest(folder: Path) -> str:
    """Returns the build's name of the folder."""
    done = subprocess.run(["sha256sum"], input=f"{folder}\n", capture_output=True, text=True)
    return done.stdout[:16]


def test_boards_that_come_with_the_lab_have_what_they_name() -> None:
    for name in boards.with_firmware():
        there = boards.firmware_of(name)
        assert there.wire and there.line and there.alarm and there.pin and there.roomier
        assert {"code", "isa", "timer"} <= there.settings.keys()
        for one in there.settings.values():
            assert one.default is None or one.default in one.values
