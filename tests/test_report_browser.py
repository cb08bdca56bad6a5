"""The report in a real browser: it sorts, filters, opens rows; asks nothing of the network."""

import re
from pathlib import Path

import pytest
from fake_target import FakeTarget
from playwright.sync_api import Browser, Locator, Page, expect
from visit import Visit

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.studies.characterize.result_type import CharacterizationAnalysis
from cyclescope.studies.explain import explanation
from cyclescope.studies.explain.explanation import (
    ExplainedInterruptsOff,
    Explanation,
    FunctionCost,
    InstructionCost,
    Spent,
)


def explained(conditions: str, case: str = "semaphore-take") -> Explanation:
    """Made up, for the page alone: where a case spends its cycles."""
    spent, nothing = Spent(instructions=300, fetch_stalls=12), Spent()
    code = (
        InstructionCost(address=0x100, text="push {r4, lr}", executions=1, spent=spent),
        InstructionCost(address=0x104, text="bx <lr>", executions=0, spent=nothing),
    )
    take = FunctionCost(name="take", address=0x100, entries=1, spent=spent, code=code)
    off = ExplainedInterruptsOff(
        longest_cycles=40, begin=0x100, end=0x104, begin_at="take+0x0", end_at="take+0x4",
        entered_off=False, returned_off=False, longest_of_series_cycles=40,
    )  # fmt: skip
    return Explanation(
        conditions=conditions, case=case, parameter=None, length=10, index=0,
        raw_cycles=321, overhead_cycles=9, net_cycles=312, call_cycles=312, empty_call_cycles=0,
        beside_cycles=0, spent=spent, functions=(take,), interrupts_off=off,
    )  # fmt: skip


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    results = collect([FakeTarget()], TECHNIQUE, Plan(), folder / "results")
    for case in ("semaphore-take", "semaphore-give"):
        explanation.save(results.folder, explained(results.conditions.fingerprint(), case))
    path = folder / "report.html"
    path.write_text(CharacterizationAnalysis(results).page())
    return path


class ReportVisit(Visit):
    """A visit to a report: its cases."""

    def names(self) -> list[str]:
        """The cases that are shown, in order."""
        shown = self.page.locator("#cases tbody:visible > tr.row th button")
        return shown.all_inner_texts()

    def open(self, case: str) -> Locator:
        """Clicks the row of a case, away from its button, and gives what opened."""
        row = self.page.locator(f"#case-{case} > tr.row")
        row.locator("td").last.click()
        return self.page.locator(f"#more-{case}")

    def plot(self, case: str) -> Locator:
        """The first plot of a case, drawn."""
        plot = self.open(case).locator(".plot").first
        expect(plot.locator("svg.picture")).to_be_attached()
        return plot


def test_every_case_has_its_row(browser: Browser, report: Path) -> None:
    visit = ReportVisit(browser, report)
    row = visit.page.locator("#case-semaphore-take > tr.row td")
    assert row.all_inner_texts() == ["260", "312", "0", "–", "312", "–", "5.200"]
    assert len(visit.names()) == 8
    assert visit.page.locator("svg.picture").count() == 0, "drawn before it was opened"


@pytest.mark.parametrize(
    ("case", "kinds"),
    [
        ("semaphore-give", ["histogram", "series"]),
        ("queue-receive", ["histogram", "fit", "series"]),
        ("queue-send", ["fit"]),
        ("task-create", ["fit"]),
    ],
)
def test_a_row_opens_with_its_plots(
    browser: Browser, report: Path, case: str, kinds: list[str]
) -> None:
    more = ReportVisit(browser, report).open(case)
    expect(more).to_be_visible()
    plots = more.locator(".plot")
    for plot in plots.all():
        plot.scroll_into_view_if_needed()
    there = plots.evaluate_all("all => all.map(one => one.dataset.figure)")
    assert there == [f"{case}:{kind}" for kind in kinds]
    expect(plots.locator("svg.picture")).to_have_count(len(kinds))


def test_the_code_that_many_cases_execute_stands_in_the_page_once(report: Path) -> None:
    assert report.read_text().count("push {r4, lr}") == 1


def test_a_row_closes_again(browser: Browser, report: Path) -> None:
    visit = ReportVisit(browser, report)
    expect(visit.open("malloc")).to_be_visible()
    expect(visit.open("malloc")).to_be_hidden()


def test_what_opens_fits_a_narrow_window(browser: Browser, report: Path) -> None:
    visit = ReportVisit(browser, report, viewport={"width": 390, "height": 900})
    box = visit.open("malloc").locator("td > div").first.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= 390


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("semaphore-take", "all 260 samples: 312 cycles"),
        ("malloc", "all 2,080 samples: 220 cycles"),
        ("queue-send", "at each x all 260 samples are equal"),
        (
            "task-create",
            "in each series all samples are equal: series of 10 1,530, series of 25 1,575, "
            "series of 50 1,650, series of 75 1,725, series of 100 1,800 cycles",
        ),
    ],
)
def test_equal_samples_are_said_and_not_drawn(
    browser: Browser, report: Path, case: str, said: str
) -> None:
    more = ReportVisit(browser, report).open(case)
    expect(more.locator(".equal")).to_have_text(said)
    expect(more.locator('[data-figure$=":histogram"], [data-figure$=":series"]')).to_have_count(0)


def test_thirty_bins_with_the_series_apart(browser: Browser, report: Path) -> None:
    plot = ReportVisit(browser, report).plot("semaphore-give")
    bars = plot.locator(".bars")
    assert bars.count() == 5
    assert bars.first.locator("rect").count() == 30
    assert plot.locator(".legend button").all_text_contents() == [
        f"series of {length}" for length in (10, 25, 50, 75, 100)
    ]
    heights = bars.locator("rect").evaluate_all(
        "all => all.map(one => +one.getAttribute('height'))"
    )
    assert sum(height > 0 for height in heights) == 15, "three times in each of five series"


def test_rejected_samples_lie_at_the_edge_of_what_is_kept(browser: Browser, report: Path) -> None:
    visit = ReportVisit(browser, report)
    visit.plot("semaphore-give")
    series = visit.page.locator('[data-figure="semaphore-give:series"]')
    series.scroll_into_view_if_needed()
    expect(series.locator("path.up")).to_be_attached()
    named = series.locator(".legend button").last
    expect(named).to_have_text("rejected by tick: 5, the furthest at 1,189 cycles")
    assert series.locator(".ytick").all_text_contents()[-1] == "289", "the kept end at 289"
    named.click()
    expect(series.locator("path.up")).to_have_count(0)
    expect(named).to_have_attribute("aria-pressed", "false")


def test_what_lies_nearest_to_the_pointer_says_what_it_is(browser: Browser, report: Path) -> None:
    visit = ReportVisit(browser, report)
    plot = visit.plot("queue-send")
    picture = plot.locator("svg.picture")
    box = picture.bounding_box()
    assert box
    picture.hover(position={"x": box["width"] - 30, "y": 30})
    expect(plot.locator(".hint")).to_have_text("net mean: 128, 666")


def test_where_the_cycles_go(browser: Browser, report: Path) -> None:
    more = ReportVisit(browser, report).open("semaphore-take")
    expect(more).to_contain_text("312 cycles from entry to return")
    expect(more).to_contain_text("off for 40 cycles at the longest, from take+0x0 to take+0x4")
    listing = more.locator("details")
    listing.locator("summary").click()
    lines = listing.locator("tbody tr")
    assert " ".join(lines.nth(0).inner_text().split()) == "00000100 push {r4, lr} 1 312 300 12"
    assert lines.nth(1).inner_text().split() == ["00000104", "bx", "<lr>"]


def test_headings_sort_both_ways_and_the_unknown_comes_last(browser: Browser, report: Path) -> None:
    visit = ReportVisit(browser, report)
    heading = visit.page.locator("#cases thead th").nth(2)
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    assert visit.names() == [
        "malloc", "semaphore-give", "semaphore-take", "task-yield", "queue-receive", "queue-send",
        "give-wakes", "task-create",
    ]  # fmt: skip
    ascending = visit.names()
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert visit.names() == ascending[::-1]
    visit.page.locator("#cases thead th button").first.click()
    assert visit.names() == sorted(ascending)


def test_filter_looks_at_name_call_and_condition(browser: Browser, report: Path) -> None:
    visit = ReportVisit(browser, report)
    visit.page.get_by_label("Filter").fill("give higher")
    assert visit.names() == ["give-wakes"]
    expect(visit.page.locator("#count")).to_have_text("1 of 8 cases")
    visit.page.get_by_label("Filter").fill("")
    assert len(visit.names()) == 8


def test_all_of_it_can_be_done_from_the_keyboard(browser: Browser, report: Path) -> None:
    visit = ReportVisit(browser, report)
    keyboard = visit.page.keyboard
    visit.page.get_by_label("Filter").focus()
    keyboard.type("malloc")
    button = visit.page.locator("#case-malloc th button")
    for _ in range(30):
        if button.evaluate("one => one === document.activeElement"):
            break
        keyboard.press("Tab")
    keyboard.press("Enter")
    assert button.get_attribute("aria-expanded") == "true"
    expect(visit.page.locator("#more-malloc")).to_be_visible()
    keyboard.press("Space")
    expect(visit.page.locator("#more-malloc")).to_be_hidden()


def test_a_link_to_a_case_opens_it(browser: Browser, report: Path) -> None:
    page = browser.new_page()
    page.goto(f"{report.as_uri()}#case-malloc")
    expect(page.locator("#more-malloc svg.picture").first).to_be_visible()


def test_what_opens_out_of_sight_is_drawn_only_for_paper(browser: Browser, report: Path) -> None:
    page = ReportVisit(browser, report).page
    page.locator("#open").click()
    last = page.locator("#cases .plot").last
    page.locator("#cases .plot").first.scroll_into_view_if_needed()
    expect(page.locator("#cases .plot svg.picture").first).to_be_attached()
    assert last.locator("svg.picture").count() == 0
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert last.locator("svg.picture").count() == 1


def test_nothing_is_asked_of_the_network_and_nothing_complains(
    browser: Browser, report: Path
) -> None:
    visit = ReportVisit(browser, report)
    visit.page.locator("#open").click()
    expect(visit.page.locator("tr.more:visible")).to_have_count(8)
    for summary in visit.page.locator("summary").all():
        summary.click()
    visit.page.locator("#close").click()
    expect(visit.page.locator("tr.more:visible")).to_have_count(0)
    assert visit.requests == [report.as_uri()]
    assert visit.complaints == []


def test_dark_and_print(browser: Browser, report: Path) -> None:
    def ink(page: Page) -> list[int]:
        text = '[data-figure="semaphore-give:histogram"] .xtitle'
        fill = page.eval_on_selector(text, "one => getComputedStyle(one).fill")
        return [int(part) for part in re.findall(r"\d+", fill)[:3]]

    visits = ReportVisit(browser, report), ReportVisit(browser, report, "dark")
    for visit in visits:
        visit.plot("semaphore-give")
    light, dark = (visit.page for visit in visits)
    assert max(ink(light)) < 80
    assert min(ink(dark)) > 180
    dark.emulate_media(media="print")
    dark.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert max(ink(dark)) < 80
