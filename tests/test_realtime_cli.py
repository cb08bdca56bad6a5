"""`cyclescope realtime` on the virtual LPC2148, from build to report."""

import json
from pathlib import Path

import pytest

from cyclescope.cli import execute
from cyclescope.studies.realtime import storage
from cyclescope.studies.realtime.indicators import PAPERS, Indicator

SHORT = ["--samples", "40", "--indicator", "interrupt", "--indicator", "hardware"]


def test_from_build_to_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "results"
    assert execute(["realtime", "--samples", "60", "--out", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    runs = {one["trial"]["indicator"]: one for one in told["runs"]}
    assert set(runs) == {*PAPERS, Indicator.HARDWARE}
    for indicator in PAPERS:
        truth = runs[indicator]["truth"]
        assert truth["equal"] == truth["n"] >= 60, f"{indicator} is not what really passed"
    hardware = runs["hardware"]["truth"]
    # TIMER1 notes the first edge of its clock behind the rise (docs/explanation/realtime.md).
    assert (hardware["least"], hardware["greatest"]) == (-1, -1)
    for indicator in (Indicator.PREEMPTION, Indicator.INTERRUPT, Indicator.SHUFFLING):
        assert sum(one["calls"] for one in runs[indicator]["load"]) > 100
    assert all(0 < one["kept"]["value"] < 10 for one in runs.values())
    assert all(one["worst"]["timeline"]["spans"] for one in runs.values())
    for one in runs.values():
        assert one["requested_load_percent"] == 50
        assert abs(one["measured_load_percent"] - 50) <= 2.5
        assert abs(one["true_load_percent"] - 50) <= 2.5
        assert len(one["kept"]["replicates"]) == 8 and one["kept"]["half_width"] >= 0
    assert "not_on_part" in told["conditions"]
    assert Path(told["report"]).stat().st_size > 50_000
    assert execute(["show", str(out)]) == 0


def test_the_same_command_gives_the_same_bytes_and_two_modes_compare(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("once", "again"):
        assert execute(["realtime", *SHORT, "--out", str(tmp_path / name)]) == 0
    once, again = (
        [path.read_bytes() for path in sorted((tmp_path / name).rglob("*.*"))]
        for name in ("once", "again")
    )
    assert once == again
    assert execute(["realtime", *SHORT, "--mam", "0", "--out", str(tmp_path / "mam0")]) == 0
    capsys.readouterr()
    folders = [str(tmp_path / name) for name in ("once", "mam0")]
    assert execute(["compare", *folders, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told["differing"]) >= {"memory", "image_sha256"}
    assert [row["trial"]["indicator"] for row in told["rows"]] == ["interrupt", "hardware"]
    for row in told["rows"]:
        shortest = [row[which]["times"]["summary"]["minimum"] for which in ("first", "second")]
        assert shortest[0] < shortest[1], "without the accelerator every path is longer"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--samples", "0"], "--samples 0 is too small: choose 1 or more"),
        (["--time", "0"], "--time 0 leaves no samples"),
        (["--time", "inf"], "--time has no end"),
        (["--tasks", "65536"], "--tasks 65536 is too large: choose 65535 or less"),
        (["--load", "101"], "--load 101 is too large: choose 100 or less"),
        (["--indicator", "wake_up"], "wake_up is not available"),
        (["--indicator", "speed"], "--indicator speed is not known: choose one of switching, "),
        (["--replace", "--resume"], "choose one"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], sentence: str
) -> None:
    assert execute(["realtime", *options, "--out", str(tmp_path / "results")]) in (1, 2)
    told = capsys.readouterr().err
    assert sentence in told
    assert "Traceback" not in told


def test_more_tasks_than_fit_are_refused_and_the_rest_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "results")
    one = ["--indicator", "shuffling", "--samples", "20", "--out", out]
    assert execute(["realtime", *one]) == 0
    assert execute(["realtime", *one, "--tasks", "500", "--placement", "delayed"]) == 1
    assert "500 extra tasks need" in " ".join(capsys.readouterr().out.split())
    assert len(storage.load(tmp_path / "results").runs) == 1
