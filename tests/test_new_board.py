"""A board outside the checkout, made by the commands of docs/how-to/new-board.md, as written."""

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from refusals import refused

from cyclescope.cli import execute
from cyclescope.cli.board_options import settings_of
from cyclescope.firmware import boards
from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.results import storage
from cyclescope.studies.blocks.model import suitable_model
from cyclescope.studies.errors.measure import examine_place, places
from cyclescope.studies.switch.measure import SwitchPlan, measure
from cyclescope.studies.switch.rig import RigSettings
from cyclescope.studies.time.analyse import analyse
from cyclescope.studies.time.findings import FragmentStudy
from cyclescope.target.code_fetches import CodeFetches
from cyclescope.target.target import Selection

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
        ('name = "vpbdiv"', 'name = "VPB"', "firmware.setting.5.name: "),
        ('name = "vpbdiv"\n', "", "firmware.setting.5.name: Field required"),
        ("values = [1, 2, 4]", "values = 4", "firmware.setting.5.values: "),
        ("values = [1, 2, 4]", "values = []", "firmware.setting.5.values: "),
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


@pytest.mark.parametrize("text", ["firmware = 3", "[firmware]\nsetting = 3"])
def test_a_table_that_is_none_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text(f'extends = "{boards.USUAL}"\n{text}\n')
    with refused("firmware-table-wrong", naming=[file]):
        boards.firmware_of(str(file))
    assert settings_of(str(file)) == settings_of(boards.USUAL)


def test_settings_are_offered_as_the_check_finds_them() -> None:
    for name in boards.with_settings():
        checked = boards.firmware_of(name).settings
        offered = settings_of(name)
        assert offered.keys() == checked.keys()
        for one in offered.values():
            assert vars(checked[one.name]) == {**vars(checked[one.name]), **one._asdict()}


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


SQUARES = FragmentSource(
    ROOT / "examples" / "fragments" / "sum_of_squares.c", (), "sum_of_squares(values, 8)"
)
OTHER_NAMES = {"mam": "readahead", "mamtim": "pause", "vpbdiv": "divider", "timer1": "counter"}


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A board outside whose accelerator, clock divider and counter have names of their own."""
    folder = tmp_path_factory.mktemp("outside") / "other_board"
    shutil.copytree(ROOT / "boards" / "lpc2148", folder)
    file, makefile = folder / "board.toml", folder / "board.mk"
    head, table, energy = re.split(r"(?=^\[firmware\]$|^# Energy)", file.read_text(), flags=re.M)
    # Signals of the chip, such as timer1.interrupt, keep their names.
    named = re.compile(rf"\b({'|'.join(OTHER_NAMES)})\b(?!\.)")
    table = named.sub(lambda found: OTHER_NAMES[found[1]], table)
    file.write_text(head.replace('"lpc2148"', '"other_board"', 1) + table + energy)
    facts = re.compile(r"memory\.(\w+)=|(vpbdiv)=")
    makefile.write_text(
        facts.sub(
            lambda found: found[0].replace(found[1] or found[2], OTHER_NAMES[found[1] or found[2]]),
            makefile.read_text(),
        )
    )
    (folder / "timers" / "timer1").rename(folder / "timers" / "counter")
    timer = folder / "timers" / "counter" / "timer.h"
    timer.write_text(timer.read_text().replace('"timer1"', '"counter"'))
    assert not named.search(table) and 'name = "readahead"' in file.read_text()
    return str(file)


def timed(board: str, folder: Path, *more: str) -> FragmentStudy:
    """Times the fragment there."""
    call = ["time", str(SQUARES.file), "--call", str(SQUARES.call), "--board", board, *more]
    assert execute([*call, "--out", str(folder)]) == 0
    return analyse(storage.load(folder))


def test_other_names_of_an_accelerator_give_the_same_period_doubt_and_time(
    other: str, tmp_path: Path
) -> None:
    found, usual = timed(other, tmp_path / "other"), timed("lpc2148", tmp_path / "usual")
    conditions = found.conditions
    assert (conditions.board, conditions.memory) == ("other_board", {"readahead": 2, "pause": 3})
    assert conditions.code_fetches == CodeFetches(line_bytes=16, call_bytes=4, doubt_cycles=3)
    assert conditions.code_fetches == usual.conditions.code_fetches
    assert found.fragment.period == 4 and found.steps and found.steps.expected == 4
    assert found.truth and found.truth.least < found.truth.execution < found.truth.most
    estimates = [one.techniques[0].estimated.execution for one in (found, usual)]
    assert estimates[0] == estimates[1] and found.techniques[0].bias == pytest.approx(0)
    assert suitable_model(conditions) == "edges"


def test_switched_off_it_leaves_no_doubt(other: str, tmp_path: Path) -> None:
    off = timed(other, tmp_path, "--readahead", "0").conditions
    assert off.code_fetches.doubt_cycles == 0 and suitable_model(off) == "blocks"
    slow = timed(other, tmp_path / "slow", "--readahead", "1", "--pause", "5").conditions
    assert slow.code_fetches.doubt_cycles == 5


@pytest.mark.parametrize(("divider", "rounds"), [(1, 10), (2, 50)])
def test_a_counter_slower_than_the_core_is_coarse(
    divider: int, rounds: int, other: str, tmp_path: Path
) -> None:
    """The image says at which rate it counts, so the names do not matter."""
    found = timed(other, tmp_path, "--timer", "counter", "--divider", str(divider))
    assert found.conditions.resolution_cycles == (divider if divider > 1 else 0)
    assert found.techniques[0].observed.times.shape[0] == rounds


def test_errors_measures_in_the_places_of_its_file(other: str, tmp_path: Path) -> None:
    there = places(other, ("squares",))
    assert len(there) == 30 and {one.timer for one in there} == {"measurement", "counter", "pin"}
    (place,) = [one for one in there if one.name == "squares-thumb-flash-MAM2-counter"]
    assert place.memory.settings == {"code": "flash", "readahead": 2, "pause": 3}
    found = examine_place(other, place, SQUARES, tmp_path / "results")
    assert found.least < found.truth < found.most
    assert found.biases["straight_line"] == pytest.approx(0, abs=1e-9)


def test_the_analytic_switch_of_another_chip_is_refused(other: str, tmp_path: Path) -> None:
    with refused("switch-of-other-chip"):
        point = boards.energy_of(other).points[-1]
        plan = SwitchPlan((4,), 1, 1, 0, 1, RigSettings())
        measure(Selection(other, "bare", settings={"clock": 60}), point, plan)


@cache
def digest(folder: Path) -> str:
    """Returns the build's name of the folder."""
    done = subprocess.run(["sha256sum"], input=f"{folder}\n", capture_output=True, text=True)
    return done.stdout[:16]


def test_boards_that_come_with_the_lab_have_what_they_name() -> None:
    for name in boards.with_firmware():
        there = boards.firmware_of(name)
        assert there.wire and there.pin
        if there.settings["isa"].default == "arm":
            assert there.roomier and there.line and there.alarm and there.transmitter
        assert {"code", "isa", "timer"} <= there.settings.keys()
        for one in there.settings.values():
            assert one.default is None or one.default in one.values
