"""The page of estimates: the paper's own figures, errors beside truths, the picture."""

import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

BENCH = Path(__file__).parent.parent / "benches" / "paper_000"
sys.path.insert(0, str(BENCH))
import estimates  # noqa: E402
import estimates_page  # noqa: E402
import paper  # noqa: E402
import split  # noqa: E402
from configurations import REFERENCE  # noqa: E402
from split import GROUPS, group, trains  # noqa: E402

TRUTHS = json.loads((BENCH.parents[1] / "examples" / "programs" / "true_times.json").read_text())
NAMES = ("bitcount", "fft", "sha1", "crc32")


def rows(factor: float, half: float) -> dict[str, Any]:
    """Estimates that are the truth times a factor, with so wide an interval, for all ways."""
    found: dict[str, Any] = {}
    for name in NAMES:
        truth = TRUTHS[REFERENCE.name][name]
        cycles = factor * truth["cycles"]
        row = {
            "cycles": cycles,
            "without_calls": cycles / 2,
            "low": cycles * (1 - half),
            "high": cycles * (1 + half),
        }
        found[name] = {"blocks": estimates.with_errors(row, truth)}
    return {"openings": [], "rows": {REFERENCE.name: found}}


def table(name: str, document: dict[str, Any]) -> list[str]:
    return list(getattr(estimates_page.Tables(document, TRUTHS), name)())


def test_the_papers_means_follow_from_its_rows_only_with_calls() -> None:
    means = {words: found for words, found in paper.means().items()}
    assert [round(one, 1) for one in means["of the errors that its times give"]] == [43.2, 18.1]
    assert [round(one, 1) for one in means["of the errors that its rows print"]] == [37.4, 18.1]
    assert means["as its last row prints them"] == (35.4, 17.2)
    last = [row for row in paper.ROWS if abs(row.with_calls - row.printed_with) > 0.15]
    assert [row.job for row in last] == ["tiffdither"]
    assert all(abs(row.without - row.printed_without) > 0.15 for row in paper.ROWS)


def test_errors_are_of_the_whole_time_and_apart_of_own_code() -> None:
    truth = {"cycles": 1000, "calls": {"cycles": 400}, "energy_uj": 2.0}
    row = {"cycles": 1100, "without_calls": 630, "energy_uj": 1.9}
    found = estimates.with_errors(row, truth)
    assert found["error"] == pytest.approx(0.1)
    assert found["error_without_calls"] == pytest.approx(-0.37)
    assert found["error_of_own"] == pytest.approx(0.05)
    assert found["energy_error"] == pytest.approx(-0.05)


def test_training_and_held_back_programs_are_told_apart() -> None:
    lines = table("by_configuration", rows(1.02, 0.05))
    groups = [line.split("|")[3].strip() for line in lines[2:]]
    counts = [int(line.split("|")[4]) for line in lines[2:]]
    assert dict(zip(groups, counts, strict=True)) == {"training": 3, "opened": 1}
    assert all("2.0 %" in line for line in lines[2:])


@pytest.mark.parametrize(("half", "inside"), [(0.05, "100%"), (0.01, "0%")])
def test_coverage_counts_the_intervals_that_hold_the_truth(half: float, inside: str) -> None:
    for line in table("coverage", rows(1.02, half))[2:]:
        assert f" {inside} " in line and f" {half:.1%} " in line


def test_the_worst_are_named_first() -> None:
    document = rows(1.02, 0.05)
    document["rows"][REFERENCE.name]["fft"]["blocks"]["error"] = -0.2
    line = table("worst", document)[2]
    assert "fft" in line and "-20.0%" in line


def test_table_six_has_every_job_and_the_picture_a_bar_for_each_error() -> None:
    document = rows(1.1, 0.05)
    lines = table("table_six", document)
    assert len(lines) == 2 + len(paper.ROWS) + 1
    assert "43.2 %, 18.1 %" in lines[-1] and "n = 4" in lines[-1]
    root = ElementTree.fromstring(estimates_page.picture(document, TRUTHS))
    assert len(root.findall("{*}rect")) == 1 + 3 + len(paper.ROWS) + len(NAMES)


def test_held_back_programs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = ("checksum", "rays", "gcode", "forth", "maze")
    assert not any(map(trains, drawn))
    assert [group(one) for one in drawn] == ["opened"] * len(drawn)
    monkeypatch.setattr(split, "HELD_BACK", ("maze",))
    assert group("maze") == "held back"
    monkeypatch.setattr(sys, "argv", ["estimates", "--program", "route"])
    with pytest.raises(SystemExit) as refusal:
        estimates.main()
    assert "held back" in str(refusal.value)


def test_the_estimators_hash_is_of_its_own_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = tmp_path / "studies" / "estimate" / "own.py"
    code.parent.mkdir(parents=True)
    monkeypatch.setattr(estimates.cyclescope, "__file__", str(tmp_path / "__init__.py"))
    found = []
    for text in ("a = 1", "a = 2"):
        code.write_text(text)
        estimates.estimator_sha256.cache_clear()
        found.append(estimates.estimator_sha256())
    estimates.estimator_sha256.cache_clear()
    assert found[0] != found[1]


def test_calls_without_a_law_stand_with_their_greatest_share() -> None:
    document = rows(1.0, 0.05)
    for name, share in (("fft", 0.02), ("sha1", 0.3), ("crc32", 0.001)):
        found = document["rows"][REFERENCE.name][name]["blocks"]
        found["without_law"] = {"realloc": share}
    (line,) = table("unpriced", document)[2:]
    assert line == f"| `realloc` | 3 | 30.0% | sha1 | {REFERENCE.name} |"


def test_programs_with_a_tenth_of_their_time_in_calls_are_at_least_twelve() -> None:
    lines = table("in_calls", rows(1.0, 0.05))[2:]
    programs, groups = lines[: -len(GROUPS)], lines[-len(GROUPS) :]
    assert all(line.startswith("| so many of ") for line in groups)
    shares = [int(line.split("|")[3].strip(" %")) for line in programs]
    assert len(shares) >= 12 and min(shares) >= 10
    assert shares == sorted(shares, reverse=True)
    assert "| messages | opened | 98% |" in programs
