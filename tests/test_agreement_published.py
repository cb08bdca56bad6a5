"""Published figures of real boards: what each must have, and how they become a page."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "benches"))

from agreement import published, published_page  # noqa: E402
from agreement.data import About, Agreement, Case  # noqa: E402
from agreement.page import judged  # noqa: E402

REPORT: dict[str, Any] = {
    "part": "a part", "kernel": "a kernel", "compiler": "cc 1", "flags": "-O2",
    "conditions": "fast", "address": "example.org/report", "core_hz": 1000, "board": "lpc2148",
    "settings": {"isa": "arm"},
    "figure": [{"what": "a call", "line": "Score: 10/s", "per_second": 10, "cases": ["a", "b"]}],
}  # fmt: skip


def call(value: float, half_width: float | None, n: int) -> dict[str, Any]:
    return {"n": n, "net_cycles": {"value": value, "half_width": half_width}}


def test_the_number_of_every_figure_stands_in_its_quoted_line() -> None:
    figures = [figure for report in published.reports() for figure in report.figure]
    assert len(figures) >= 16
    for figure in figures:
        assert str(figure.number) in re.findall(r"\d+", figure.line), figure


@pytest.mark.parametrize("key", ["address", "compiler", "flags", "figure"])
def test_a_report_without_one_of_these_is_refused(key: str) -> None:
    published.Report.model_validate(REPORT)
    empty: Any = [] if key == "figure" else ""
    for wrong in ({k: v for k, v in REPORT.items() if k != key}, REPORT | {key: empty}):
        with pytest.raises(ValidationError) as refused:
            published.Report.model_validate(wrong)
        assert [one["loc"] for one in refused.value.errors()] == [(key,)]


def test_a_figure_is_a_rate_or_a_time() -> None:
    wrong = {"what": "a call", "line": "10 20", "cases": ["a"]}
    for numbers in ({}, {"per_second": 10, "took_cycles": 20}):
        with pytest.raises(ValueError, match="per_second or took_cycles"):
            published.Figure.model_validate(wrong | numbers)
    assert published.Figure.model_validate(wrong | {"took_cycles": 20}).cycles(1000) == 20
    assert published.Figure.model_validate(wrong | {"per_second": 10}).cycles(1000) == 100


def test_a_report_is_shown_only_if_its_board_is_here(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = REPORT | {"board": "none-such"}
    both = [published.Report.model_validate(one) for one in (REPORT, absent)]
    monkeypatch.setattr(published, "reports", lambda: both)
    assert [one.board for one in published.here()] == ["lpc2148"]


def test_cycles_of_calls_are_added_and_beside_the_published_ones() -> None:
    ours = published.added([call(30, 2, 12), call(90, None, 7)])
    assert ours == (120, 2, 7)
    conditions = {
        "kernel_version": "V1", "compiler": "gcc", "compiler_version": "12",
        "flags": ["-O2", "-Wall", "-DX=1", "-O2", "-marm"],
    }  # fmt: skip
    report = published.Report.model_validate(REPORT)
    text = published_page.sections([published.Beside(report, [ours], conditions)])
    assert "| a call | `Score: 10/s` | 100.0 | 120.0 ± 2.0 (n = 7) | 1.20 |" in text
    assert "`-O2 -marm`; isa arm." in text and "example.org/report" in text


def test_a_judges_row_counts_its_failures() -> None:
    about = About("core", "board", "somebody", "cycles")
    cases = [Case("one", 10, 10), Case("two", 10, 11)]
    row = judged(Agreement("set", cases, tolerance=0), about)
    assert row.startswith("core | `board` | somebody | cycles | 2 | 1 | 0 | 5.000 % | 10.00 %")
    assert row.endswith("[1](#every-failure)")
    assert judged(Agreement("set", cases[:1], tolerance=0), about).endswith("none")
