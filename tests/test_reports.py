"""Texts of reports; no figure stands without its conditions."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from fake_target import CASES, FakeTarget, fake
from rich.console import Console

from cyclescope.campaign import executors
from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.report.plotted import rounded
from cyclescope.results import Results
from cyclescope.studies.characterize import analyse as characterize
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.studies.characterize.findings import Characterization
from cyclescope.studies.characterize.report import structured, summary, terminal
from cyclescope.studies.characterize.result_type import CharacterizationAnalysis
from cyclescope.target.code_fetches import CodeFetches

ODD = (
    fake("odd", lambda x, n, i: 1, empty=14),
    fake("nothing", lambda x, n, i: 0),
    fake("big", lambda x, n, i: 0, needs_bytes=lambda length: 51_200),
)


@pytest.fixture
def results(tmp_path: Path) -> Results:
    return collect([FakeTarget([*CASES, *ODD])], TECHNIQUE, Plan(), tmp_path / "results")


def table(results: Results) -> str:
    out = io.StringIO()
    terminal.show(analyse(results), Console(file=out, width=80))
    return out.getvalue()


def test_table_fits_eighty_columns_under_its_conditions(results: Results) -> None:
    text = table(results)
    assert max(len(line) for line in text.splitlines()) <= 80
    before, _, after = text.partition("net cycles")
    for condition in (
        "lpc2148 (virtual)",
        "60 MHz",
        "MAM 2",
        "-Os -mthumb",
        "V11.2.0",
        "direct:",
        "abababababababab",
        "not on the part: measurement timer",
    ):
        assert condition in before
    assert (
        "semaphore-take  xSemaphoreTake: binary, full\n"
        "   260                312     0             –        312      –        5.200" in after
    )


def test_another_layout_is_advised_only_where_code_is_read_in_lines(results: Results) -> None:
    def said(found: Characterization) -> str:
        out = io.StringIO()
        terminal.show(found, Console(file=out, width=80))
        summary.summarise(found, Console(file=out, width=80))
        return " ".join(out.getvalue().split())

    found = analyse(results)
    assert said(found).count("--layouts K") == 2
    conditions = found.conditions.model_copy(update={"fetches": CodeFetches()})
    anywhere = said(replace(found, conditions=conditions))
    assert "--layouts" not in anywhere
    assert "wherever the code lies" in anywhere


def test_table_tells_laws_refusals_doubts_and_errors(results: Results) -> None:
    text = " ".join(table(results).split())
    assert "queue-send: t = 2·x + 410 cycles" in text
    assert "q is at x = 0 byte, extrapolated" in text
    assert "big: series of 10, 25, 50, 75, 100 do not fit; they need up to 51,200 bytes" in text
    assert "unverified timing rules touched in every case: vpb-access (texts in the report)" in text
    assert "error: odd: the net time is -4 cycles, below zero" in text
    assert "indistinguishable from zero" in text
    assert "WCET" not in text


def test_structured_report_is_strict_json(results: Results) -> None:
    content = json.loads(json.dumps(structured.document(analyse(results)), allow_nan=False))
    send = next(one for one in content["cases"] if one["name"] == "queue-send")
    assert send["law"]["coefficients"][0]["estimate"]["value"] == pytest.approx(2)
    assert len(send["measured"]) == 8
    assert content["conditions"]["image_sha256"] == "ab" * 32
    assert content["problems"][0].startswith("odd: ")


def test_page_is_one_file_and_the_same_whoever_makes_it(
    results: Results, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = CharacterizationAnalysis(results).page()
    monkeypatch.setattr(characterize, "MANY", 3)
    with executors.local(2) as executor:
        for jobs in (2, 3, 100):
            assert page == CharacterizationAnalysis(results, executor, jobs).page()
    without_namespace = page.replace("http://www.w3.org/2000/svg", "")
    assert "http://" not in without_namespace
    assert "https://" not in without_namespace
    assert "configTICK_RATE_HZ" in page


def test_names_from_a_target_cannot_become_markup(tmp_path: Path) -> None:
    evil = fake('</script><img src="http://x">', lambda x, n, i: 5)
    results = collect([FakeTarget([evil])], TECHNIQUE, Plan(), tmp_path / "results")
    page = CharacterizationAnalysis(results).page()
    assert "<img" not in page
    assert page.count("</script>") == 4


@pytest.mark.parametrize(("value", "shown"), [(5, "5"), (5.0, "5"), (1 / 3, "0.3333"), (0, "0")])
def test_numbers_of_pictures_have_the_digits_they_need(value: float, shown: str) -> None:
    assert json.dumps(rounded(value)) == shown
