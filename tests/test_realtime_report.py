"""The page of real-time figures in a real browser: tables, pictures, no network, dark and print."""

import re
from pathlib import Path

import pytest
from fake_realtime import FakeRealtime
from playwright.sync_api import Browser, Page, expect
from visit import Visit

from cyclescope.results import result_type
from cyclescope.studies.realtime.campaign import Bounds, RealtimePlan, alike, collect, curves
from cyclescope.studies.realtime.indicators import BackgroundState, Indicator
from cyclescope.studies.realtime.storage import RealtimeWriter
from cyclescope.studies.realtime.target import Cyclictest


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    target = FakeRealtime()
    trials = [*alike(list(Indicator)[:5], 50, None, BackgroundState.DELAYED),
              *curves(target, (Indicator.SWITCHING, Indicator.SHUFFLING), 50, None)]  # fmt: skip
    plan = RealtimePlan(tuple(dict.fromkeys(trials)), Bounds(samples=150), replicates=2)
    results = collect(target, plan, folder)
    writer = RealtimeWriter(folder, results.manifest)
    writer.keep_cyclictest(
        trials[0],
        Cyclictest(version="2.50", command="cyclictest -q", cycles=6, minimum_us=2, average_us=3.5,
                   maximum_us=9, histogram=((2, 3), (9, 3)))
    )  # fmt: skip
    path = folder / "report.html"
    path.write_text(result_type.of(folder).analyse(folder).page())
    return path


def test_every_indicator_has_its_row_of_scores(browser: Browser, report: Path) -> None:
    page = Visit(browser, report).page
    rows = page.locator("table.scores").first.locator("tbody tr")
    expect(rows).to_have_count(6)  # shuffling of load 0 begins a curve
    cells = rows.first.locator("td").all_inner_texts()
    assert cells[:6] == ["300", "50.0 of 50 %", "0.201 ± <0.001", "0.201", "0.901", "0.201"]
    assert cells[-1] == "3.22 / 1.74"
    assert rows.last.locator("td").last.inner_text() == "–", "the paper has no hardware line"


def test_every_picture_is_drawn_in_sight_and_asks_nothing_of_the_network(
    browser: Browser, report: Path
) -> None:
    visit = Visit(browser, report)
    plots = visit.page.locator(".plot")
    expect(plots).to_have_count(6 * 4 + 3 + 1)
    for plot in plots.all():
        plot.scroll_into_view_if_needed()
        expect(plot.locator("svg.picture")).to_be_attached()
    assert visit.complaints == []
    assert visit.requests == [report.as_uri()]


def test_figure_9_has_three_curves_and_a_verdict_for_each(browser: Browser, report: Path) -> None:
    page = Visit(browser, report).page
    plot = page.locator('[data-figure="determinism:switching-load50"]')
    plot.scroll_into_view_if_needed()
    expect(plot.locator("g.scatter")).to_have_count(3)
    verdicts = page.locator(".verdicts li").all_inner_texts()
    assert len(verdicts) == 6
    assert ["grows" in one for one in verdicts] == [True, False, False] * 2
    assert all("constant" in one for one in verdicts[1:3])


def test_rejected_samples_and_seams_are_drawn(browser: Browser, report: Path) -> None:
    page = Visit(browser, report).page
    plot = page.locator('[data-figure="switching-load50:samples"]')
    plot.scroll_into_view_if_needed()
    names = plot.locator(".legend button")
    expect(names).to_have_text(["samples", re.compile("rejected by pauta: "), "seam"])


def test_the_timeline_has_a_track_for_each_task_and_isr(browser: Browser, report: Path) -> None:
    page = Visit(browser, report).page
    plot = page.locator('[data-figure="interrupt-load50:timeline"]')
    plot.scroll_into_view_if_needed()
    tracks = plot.locator(".ytick")
    expect(tracks).to_have_text(["test 0", "test 1", "tick", "interrupts masked"])
    expect(plot.locator(".note")).to_have_text(["start", "stop"])


def test_what_the_load_did_and_what_masked_interrupts(browser: Browser, report: Path) -> None:
    text = Visit(browser, report).page.locator("main").inner_text()
    assert "2,100" in text and "masks interrupts" in text
    assert "xQueueSend" in text and "vPortEnterCritical+0x8" in text
    assert "cyclictest 2.50 at the same time: 2 µs at least" in text


@pytest.mark.parametrize("width", [400, 1400])
def test_nothing_sticks_out_of_the_window(browser: Browser, report: Path, width: int) -> None:
    visit = Visit(browser, report, viewport={"width": width, "height": 20_000})
    visit.wait_for_pictures()
    assert visit.overflowing() == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") == width


def test_it_opens_with_the_longest_times(browser: Browser, report: Path) -> None:
    header = Visit(browser, report).page.locator("header")
    expect(header.locator(".answer")).to_have_text("The longest times seen, which bound nothing:")
    expect(header.locator("li")).to_have_count(6)
    expect(header.locator("li").first).to_contain_text("cycles")


def test_wide_pictures_are_wide_on_paper(browser: Browser, report: Path) -> None:
    page = Visit(browser, report).page
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for picture, width in (("tail", "340"), ("samples", "680"), ("timeline", "680")):
        drawn = page.locator(f'[data-figure="interrupt-load50:{picture}"] svg.picture')
        expect(drawn).to_have_attribute("width", width)


def test_dark_and_print(browser: Browser, report: Path) -> None:
    def ink(page: Page) -> list[int]:
        plot = page.locator('[data-figure="switching-load50:tail"]')
        plot.scroll_into_view_if_needed()
        expect(plot.locator(".xtitle")).to_be_attached()
        fill = plot.locator(".xtitle").evaluate("one => getComputedStyle(one).fill")
        return [int(part) for part in fill.strip("rgb()").split(",")[:3]]

    light, dark = (Visit(browser, report, scheme).page for scheme in ("light", "dark"))
    assert max(ink(light)) < 80
    assert min(ink(dark)) > 180
    dark.emulate_media(media="print")
    dark.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert max(ink(dark)) < 80
