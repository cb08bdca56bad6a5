"""Pages, tables and comparisons of peripheral results, from a transfer that was recorded once."""

import io
import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from recorded_transfer import documents, recorded, study
from refusals import refused
from rich.console import Console
from visit import Visit

from cyclescope.cli import execute
from cyclescope.results import result_type
from cyclescope.results.result_type import Asked
from cyclescope.studies.compare.gate import EXIT_CODE
from cyclescope.studies.peripheral.choices import Direction, LineDriver
from cyclescope.studies.peripheral.comparing import PeripheralsCompared
from cyclescope.studies.peripheral.report import page
from cyclescope.studies.peripheral.report.sections.stacks import icicle
from cyclescope.studies.peripheral.results import FailedTransfer
from cyclescope.studies.peripheral.setting import TransferSetting

FIRST = TransferSetting(size=100)
MANY = tuple(
    TransferSetting(size=size, driver=driver, direction=direction)
    for size in (100, 1000, 16_000)
    for driver in (LineDriver.PDC, LineDriver.PIO)
    for direction in Direction
)
LOST = FailedTransfer(name=FIRST.name, sentence="the peer was ended: measure again", code="x")


def settings_of(count: int) -> tuple[TransferSetting, ...]:
    return {0: (), 1: (FIRST,), len(MANY): MANY}[count]


@pytest.fixture(scope="module", params=[0, 1, len(MANY)])
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    study(folder, settings_of(request.param), failed=[LOST] if request.param else [])
    path = folder / "report.html"
    path.write_text(result_type.of(folder).analyse(folder).page())
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 800, 1400])
def test_the_page_fits_complains_of_nothing_and_asks_for_nothing(
    browser: Browser, report: Path, width: int, scheme: str
) -> None:
    visit = Visit(browser, report, scheme, viewport={"width": width, "height": 900})
    for plot in visit.page.locator(".plot:visible").all():
        plot.scroll_into_view_if_needed()
        expect(plot.locator("svg.picture")).to_be_attached()
    for one in visit.page.locator("details").all():
        one.locator("> summary").click()
    assert visit.overflowing() == []
    assert visit.complaints == []
    assert visit.requests == [report.as_uri()]


def test_a_bar_says_what_it_is_all_over(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(result_type.of(study(tmp_path / "r", [FIRST])).analyse(tmp_path / "r").page())
    visit = Visit(browser, path, viewport={"width": 1400, "height": 900})
    plot = visit.page.locator('[data-figure="stacks:call"]')
    plot.scroll_into_view_if_needed()
    picture = plot.locator("svg.picture")
    box = picture.bounding_box()
    assert box
    for share in (0.2, 0.8):
        picture.hover(position={"x": box["width"] * share, "y": 32})
        expect(plot.locator(".hint")).to_contain_text("a system call: ")


def cells(html: str) -> list[str]:
    """Texts of the page's table cells."""
    return [one.split("</td>")[0] for one in html.split("<td>")[1:]]


def rendered(folder: Path) -> str:
    return result_type.of(folder).analyse(folder).page()


def test_numbers_of_the_page_are_those_of_the_documents(tmp_path: Path) -> None:
    found = cells(rendered(study(tmp_path, [FIRST])))
    kept = documents()
    steady = kept["load"]["steady"]
    numbers = [one["instructions_per_byte"] for one in steady["classes"] if one["instructions"]]
    numbers += [steady["active"]["instructions_per_byte"], steady["active"]["cycles_per_byte"]]
    numbers += [kept["energy"]["total"]["nj_per_byte"]]
    numbers += [kept["load"]["budget"]["measured"]["needed_mhz"]]
    counts = [one["accesses"] for one in kept["accesses"]["devices"]]
    counts += [one["accesses"] for one in kept["accesses"]["classes"]]
    counts += [one["bytes"] for one in kept["overhead"]["origins"].values()]
    counts += [one["max"] for one in kept["latency"]["bytes"]["stages"].values()]
    for text in [*(f"{one:,.1f}" for one in numbers), *(f"{one:,}" for one in counts)]:
        assert text in found, text


def test_another_number_is_another_page(tmp_path: Path) -> None:
    changed = documents()
    changed["load"]["steady"]["active"]["instructions_per_byte"] = 98_765.4
    other = study(tmp_path / "b", [FIRST], {FIRST.name: changed})
    assert "98,765" in rendered(other)
    assert "98,765" not in rendered(study(tmp_path / "a", [FIRST]))


@pytest.mark.parametrize("missing", ["all", *recorded()["documents"]])
def test_a_page_does_without_an_analysis(tmp_path: Path, missing: str) -> None:
    left = {name: one for name, one in documents().items() if missing not in ("all", name)}
    folder = study(tmp_path, [FIRST], {FIRST.name: left})
    html = rendered(folder)
    assert "Differences from the paper" in html
    assert f'data-figure="{missing}:' not in html
    result_type.of(folder).analyse(folder).show(Console(file=io.StringIO()))


def test_a_transfer_that_is_not_whole_says_so(tmp_path: Path) -> None:
    folder = study(tmp_path, [FIRST], identical=False, overruns=1234)
    html = rendered(folder)
    assert "1 of 1 transfers did not arrive whole, with 1,234 overruns" in html
    assert "not whole" in cells(html)


def test_a_transfer_that_could_not_be_measured_says_why(tmp_path: Path) -> None:
    folder = study(tmp_path, [FIRST], failed=[LOST])
    assert LOST.sentence in rendered(folder)
    assert LOST.sentence in printed(folder)


def printed(folder: Path) -> str:
    console = Console(file=io.StringIO(), width=80)
    result_type.of(folder).analyse(folder).summarise(console)
    return str(console.file.getvalue())  # type: ignore[attr-defined]


@pytest.mark.parametrize("count", [0, 1, len(MANY)])
def test_a_summary_has_at_most_forty_lines(tmp_path: Path, count: int) -> None:
    text = printed(study(tmp_path, settings_of(count)))
    assert len(text.splitlines()) <= 37
    assert max(map(len, text.splitlines())) <= 80


def test_the_transfer_nearest_to_the_papers_comes_first(tmp_path: Path) -> None:
    html = rendered(study(tmp_path, MANY))
    assert "<h3>Table 1: pdc download, 1,000 bytes</h3>" in html
    assert "Table 1: pio upload, 1,000 bytes" in html
    assert "Table 1: pdc download, 100 bytes" not in html


def test_misprints_of_the_paper_stand_on_the_page(tmp_path: Path) -> None:
    found = cells(rendered(study(tmp_path, [])))
    assert "1,570" in found and "1,526" in found


def test_a_tree_keeps_its_cycles_as_a_picture() -> None:
    entry = documents()["stacks"]["entries"][0]
    traces = icicle(entry)["data"]
    bars = [
        (int(y), base, base + x)
        for one in traces
        for y, base, x in zip(one["y"], one["base"], one["x"], strict=True)
    ]
    assert (0, 0, entry["inclusive_cycles"]) in bars
    for depth, begin, end in bars:
        if depth:
            assert any(d == depth - 1 and b <= begin and end <= e for d, b, e in bars)
        same = sorted((b, e) for d, b, e in bars if d == depth)
        assert all(one[1] <= other[0] for one, other in pairwise(same))


def compared(first: Path, second: Path, *rules: str) -> PeripheralsCompared:
    return PeripheralsCompared(first, second, Asked(fail_if=rules))


def costlier(by: float) -> Mapping[str, Any]:
    """Documents of a transfer that takes more active cycles per byte."""
    changed = documents()
    changed["load"]["steady"]["active"]["cycles_per_byte"] *= by
    return changed


def test_equal_results_do_not_differ(tmp_path: Path) -> None:
    sides = [study(tmp_path / side, MANY) for side in "ab"]
    document = compared(*sides, "slower:1%", "faster:1%", "missing").document()
    assert len(document["pairs"]) == len(MANY)
    assert document["gate"]["broken"] == ()
    quantities = [one for pair in document["pairs"] for one in pair["quantities"]]
    assert all(one["difference"] == 0 for one in quantities)
    assert len(quantities) > 20 * len(MANY)


@pytest.mark.parametrize(
    ("by", "rule", "breaks"),
    [
        (1.06, "slower:5%", True),
        (1.04, "slower:5%", False),
        (0.94, "faster:5%", True),
        (0.96, "faster:5%", False),
        (1.06, "faster:5%", False),
    ],
)
def test_the_gate_breaks_where_the_limit_is(
    tmp_path: Path, by: float, rule: str, breaks: bool
) -> None:
    first = study(tmp_path / "a", [FIRST])
    second = study(tmp_path / "b", [FIRST], {FIRST.name: costlier(by)})
    found = compared(first, second, rule)
    assert found.exit_code == (EXIT_CODE if breaks else 0)
    (pair,) = found.document()["pairs"]
    ratios = {one["name"]: one["ratio"] for one in pair["quantities"]}
    assert ratios["active cycles"] == pytest.approx(by)


def test_missing_transfers_and_lost_files_break_the_gate(tmp_path: Path) -> None:
    first = study(tmp_path / "a", MANY)
    second = study(tmp_path / "b", MANY[1:])
    assert compared(first, second, "missing").exit_code == EXIT_CODE
    assert compared(first, second, "slower:5%").exit_code == 0
    lost = study(tmp_path / "c", MANY, identical=False)
    found = compared(first, lost, "slower:5%")
    assert found.exit_code == EXIT_CODE
    assert len(found.document()["gate"]["broken"]) == len(MANY)


def more_energy(by: float) -> Mapping[str, Any]:
    """Documents of a transfer that takes more energy per byte, in as many cycles."""
    changed = documents()
    changed["energy"]["total"]["nj_per_byte"] *= by
    return changed


@pytest.mark.parametrize(
    ("changes", "energy", "rule", "broken"),
    [
        ({}, 1.0, "more", []),
        ({"overruns": 1}, 1.0, "more", ["overruns"]),
        ({"overruns": 1}, 1.0, "more:5%", ["overruns"]),
        ({"lost_to_board": 2, "retransmissions": 3}, 1.0, "more", ["lost", "repeated"]),
        ({"bytes_to_board": 186}, 1.0, "more", ["bytes over the line"]),
        ({"bytes_to_board": 186}, 1.0, "more:5%", []),
        ({"bytes_to_board": 184}, 1.0, "more", []),
        ({}, 1.0001, "more", ["energy"]),
        ({}, 1.04, "more:5%", []),
        ({}, 1.06, "more:5%", ["energy"]),
        ({}, 1.06, "slower:1%", []),
    ],
)
def test_more_bytes_losses_or_energy_break_the_gate(
    tmp_path: Path, changes: dict[str, int], energy: float, rule: str, broken: list[str]
) -> None:
    first = study(tmp_path / "a", [FIRST])
    second = study(tmp_path / "b", [FIRST], {FIRST.name: more_energy(energy)}, **changes)
    found = compared(first, second, rule)
    assert found.exit_code == (EXIT_CODE if broken else 0)
    document = found.document()
    said = document["gate"]["broken"]
    assert len(said) == len(broken)
    assert all(name in sentence for name, sentence in zip(broken, said, strict=True))
    (pair,) = document["pairs"]
    assert len(pair["differences"]) == len(changes) + (energy != 1.0)


def test_a_rule_on_what_one_result_lacks_breaks(tmp_path: Path) -> None:
    without = {name: one for name, one in documents().items() if name != "energy"}
    first = study(tmp_path / "a", [FIRST])
    second = study(tmp_path / "b", [FIRST], {FIRST.name: without})
    (sentence,) = compared(first, second, "more").document()["gate"]["broken"]
    assert "energy" in sentence
    neither = study(tmp_path / "c", [FIRST], {FIRST.name: without})
    assert compared(second, neither, "more").exit_code == 0


def test_one_file_by_two_drivers_is_compared(tmp_path: Path) -> None:
    first = study(tmp_path / "a", [FIRST])
    other = FIRST.model_copy(update={"driver": LineDriver.PIO})
    (pair,) = compared(first, study(tmp_path / "b", [other])).document()["pairs"]
    assert pair["differing"] == {"driver": [LineDriver.PDC, LineDriver.PIO]}


def test_a_comparison_has_a_page_and_at_most_forty_lines(browser: Browser, tmp_path: Path) -> None:
    first, second = (study(tmp_path / side, MANY) for side in "ab")
    found = compared(first, second, "slower:5%")
    path = tmp_path / "compared.html"
    path.write_text(found.page())
    visit = Visit(browser, path, viewport={"width": 400, "height": 900})
    assert visit.overflowing() == []
    assert visit.complaints == []
    console = Console(file=io.StringIO(), width=80)
    found.summarise(console)
    text = str(console.file.getvalue())  # type: ignore[attr-defined]
    assert len(text.splitlines()) <= 37
    assert "gate passed" in text


def test_wrong_comparisons_are_refused(tmp_path: Path) -> None:
    first = study(tmp_path / "a", [FIRST])
    with refused("rule-not-for-peripheral"):
        compared(first, first, "form")
    with refused("option-not-for-peripheral"):
        PeripheralsCompared(first, first, Asked(why=True))
    with refused("no-transfer-in-both"):
        compared(first, study(tmp_path / "b", [FIRST.model_copy(update={"size": 101})]))


def test_compare_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = study(tmp_path / "a", [FIRST])
    second = study(tmp_path / "b", [FIRST], {FIRST.name: costlier(1.5)})
    arguments = ["compare", str(first), str(second)]
    assert execute([*arguments, "--json", "--fail-if", "slower:5%"]) == EXIT_CODE
    document = json.loads(capsys.readouterr().out)
    assert document["gate"]["judged"] == 1
    assert execute([*arguments, "--report", str(tmp_path / "c.html")]) == 0
    assert "B / A" in (tmp_path / "c.html").read_text()


def test_json_has_every_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = study(tmp_path, [FIRST])
    assert execute(["show", str(folder), "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["transfers"]
    assert one["analyses"] == documents()


def test_every_section_is_on_the_page(tmp_path: Path) -> None:
    html = rendered(study(tmp_path, [FIRST]))
    assert html.count("<h2>") == len(page.SECTIONS) + 2, "without lines beside each other"
