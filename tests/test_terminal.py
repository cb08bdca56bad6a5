"""Output of verbs at 80 columns: short, one line a case, no number broken."""

import io
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from fake_target import CASES, FakeCase, FakeTarget, fake
from rich.console import Console

from cyclescope import plugins
from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.cli import execute
from cyclescope.report.terminal import MOST_LINES, aligned, cut, fitting
from cyclescope.results import files, storage
from cyclescope.results.manifest import Failed

BIG = 123_456


def many(count: int) -> list[FakeCase]:
    """So many cases; the last takes longest, and no two take as long."""
    return [
        fake(
            f"case_{number}.of_a_long_enough_name_for_a_line", lambda x, n, i, own=number: BIG + own
        )
        for number in range(count)
    ]


TOO_BIG = fake("big", lambda x, n, i: 0, needs_bytes=lambda length: 51_200)
"""A case that no target can measure."""


def measured(folder: Path, fakes: Sequence[FakeCase]) -> Path:
    """Results of these cases; without any, of one that does not fit."""
    collect([FakeTarget(fakes or [TOO_BIG])], TECHNIQUE, Plan(lengths=(10,)), folder)
    return folder


def printed(capsys: pytest.CaptureFixture[str], *command: str, code: int = 0) -> list[str]:
    assert execute(command) == code
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines), default=0) <= 80
    assert not any(re.fullmatch(r"\s*\d{1,3}(,\d{3})*\s*", line) for line in lines)
    return lines


@pytest.mark.parametrize("count", [0, 1, 226])
def test_a_summary_has_at_most_forty_lines(
    count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = measured(tmp_path / "results", many(count))
    lines = printed(capsys, "show", str(folder))
    assert len(lines) <= MOST_LINES
    cases = f"{count} case{'' if count == 1 else 's'} measured"
    assert any(line.startswith(f"{cases} (") and "0 failed" in line for line in lines)
    slowest = [line for line in lines if line.startswith("case_")]
    assert len(slowest) == min(count, 5)
    if count:
        assert slowest[0].startswith(f"case_{count - 1}.") and f"{BIG + count - 1:,}" in slowest[0]
    assert len(printed(capsys, "show", str(folder), "--full")) > (MOST_LINES if count > 9 else 0)


@pytest.mark.parametrize("count", [1, 226])
def test_a_comparison_has_at_most_forty_lines(
    count: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    first = measured(Path("first"), many(count))
    slower = [replace(one, net=lambda x, n, i: 2 * BIG) for one in many(count)]
    second = measured(Path("second"), slower)
    lines = printed(capsys, "compare", str(first), str(second), "--why")
    assert len(lines) <= MOST_LINES
    assert lines[:2] == [f"A  {first}", f"B  {second}"]
    cases = f"{count} case{'' if count == 1 else 's'}"
    assert any(line.startswith(f"{cases} slower in B; mean ratio K = ") for line in lines)
    same = printed(capsys, "compare", str(first), str(first))
    assert f"{cases} equal within chance; mean ratio K = 1.000" in same
    full = printed(capsys, "compare", str(first), str(second), "--why", "--full")
    assert len(full) > (MOST_LINES if count > 9 else 0)


def test_folders_without_measured_cases_are_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(measured(tmp_path / "results", []))
    assert printed(capsys, "compare", folder, folder, code=1) == []


def test_failures_are_always_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = measured(tmp_path / "results", [*many(30), fake("odd", lambda x, n, i: 1, empty=14)])
    names = [f"broken_{number}" for number in range(60)]
    failed = [
        Failed(layout_number=0, case=name, parameter=x, reason=f"{name} answers nothing")
        for name in names
        for x in (1, 2)
    ]
    manifest = storage.load(folder).manifest.model_copy(update={"failed": tuple(failed)})
    files.save(folder / files.MANIFEST, manifest)
    told = " ".join(printed(capsys, "show", str(folder), code=1))
    assert "60 failed" in told and "error: odd: the net time is -4 cycles" in told
    for name in names:
        assert f"error: {name}: failed in 2 runs: {name} answers nothing" in told


def test_extremes_doubts_and_refusals_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = measured(tmp_path / "results", [*CASES, TOO_BIG])
    text = "\n".join(printed(capsys, "show", str(folder)))
    assert re.search(r"^task-create +1,530 +25\.500$", text, re.MULTILINE)
    assert "1 refused" in text and "refused: big: series of 10 do not fit" in text
    assert "What to doubt" in text and "vpb-access" in text


@pytest.mark.parametrize("count", [0, 1, 226])
def test_cases_are_listed_one_a_line(
    count: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("cyclescope.targets.open_target", lambda selection: FakeTarget(many(count)))
    lines = printed(capsys, "list", "cases")
    if count:
        assert lines.pop() == "--full prints what is cut."
    assert [line.split()[0] for line in lines] == [one.case.name for one in many(count)]
    whole = printed(capsys, "list", "cases", "--full")
    assert not any("…" in line or "--full" in line for line in whole)


def test_the_host_is_listed_among_the_boards(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "list", "boards")
    assert [line.split()[0] for line in lines if not line.startswith(" ")][-1] == "host"
    assert "500 KB flash" in " ".join(lines) and "32 KB SRAM" in " ".join(lines)


def test_kernels_of_the_host_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "list", "kernels")
    assert [line.split()[0] for line in lines] == ["bare", "freertos", "posix"]
    assert ["--board host" in line for line in lines] == [False, False, True]


def test_names_that_do_not_fit_keep_their_ends() -> None:
    names = [f"configQUEUE_REGISTRY_SIZE={size}" for size in (4, 8, 16)]
    console = Console(width=40, record=True, file=io.StringIO())
    console.print(aligned(("Option", "adds"), [(name, "+1") for name in names], width=30))
    lines = console.export_text().splitlines()
    assert all(len(line) <= 30 for line in lines)
    ends = [line.split()[0].rpartition("_")[2] for line in lines[1:]]
    assert ends == ["SIZE=4", "SIZE=8", "SIZE=16"]


def test_options_that_a_board_lacks_are_not_listed(capsys: pytest.CaptureFixture[str]) -> None:
    def listed(*more: str) -> bool:
        lines = printed(capsys, "list", "options", *more)
        return any(line.startswith("configUSE_NEWLIB_REENTRANT") for line in lines)

    assert listed() and not listed("--board", "atmega2560")


@pytest.mark.parametrize("verb", ["switch", "realtime"])
def test_a_board_without_an_alarm_is_refused_by_name(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute([verb, "--board", "atmega2560", "--out", str(tmp_path / "out")]) == 1
    assert f"which the program {verb} needs" in capsys.readouterr().err


def test_a_cut_text_ends_between_words() -> None:
    assert cut("x = 1 … 128 byte", 40) == "x = 1 … 128 byte"
    assert cut("x = 1 … 128 byte", 11) == "x = 1 … …"
    for columns in range(3, 17):
        assert len(cut("x = 1 … 128 byte", columns)) <= columns


def test_columns_grow_for_numbers_and_take_from_those_that_can_spare() -> None:
    assert fitting((6, 6), [("1", "33,398")]) == (6, 7)
    widths = fitting((40, 40), [("x", "9" * 45)])
    assert widths == (34, 46) and sum(widths) == 80


VERBS = plugins.questions("command")


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_help_has_a_short_form_and_names_no_type_of_a_flag(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [verb] if verb else []
    short = printed(capsys, *asked, "-h")
    assert short == printed(capsys, *asked, "--help")
    assert "<bool>" not in "\n".join(short)
    without_ranges = [re.sub(r"\[.*?\]", "", line) for line in short]
    assert [one for one in without_ranges if one.count("<") != one.count(">")] == []


def test_help_of_the_program_has_a_line_for_each_verb(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "-h")
    assert len(lines) <= MOST_LINES
    named = [line.split()[1] for line in lines if re.match("│ [a-z]", line)]
    assert named == sorted(VERBS)


def completed(words: str, at: int) -> list[str]:
    """Returns the completions of bash for the word `at` of a command line."""
    done = subprocess.run(
        [sys.executable, "-m", "cyclescope"],
        env={"COMP_WORDS": words, "COMP_CWORD": str(at), "_CYCLESCOPE_COMPLETE": "complete_bash",
             "PATH": ""},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.split()


def test_a_shell_completes_verbs_options_and_values(capsys: pytest.CaptureFixture[str]) -> None:
    assert completed("cyclescope s", 1) == ["schedule", "show", "switch"]
    assert "--layouts" in completed("cyclescope characterize --", 2)
    assert completed("cyclescope list ", 2) == ["boards", "kernels", "options", "cases"]
    assert execute(["--show-completion", "bash"]) == 0
    assert "_CYCLESCOPE_COMPLETE" in capsys.readouterr().out
