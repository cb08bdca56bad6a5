"""The report at each width, for no case, one and all: nothing sticks out, and it stays light."""

from pathlib import Path

import pytest
from fake_target import BYTES, FakeCase, FakeTarget, fake
from playwright.sync_api import Browser, expect
from visit import Visit

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.studies.characterize.result_type import CharacterizationAnalysis

CLASSES = ("queues", "semaphores", "event_groups", "stream_buffers", "scheduler", "")
MOST_BYTES = {0: 40_000, 1: 90_000, 226: 2_000_000}
"""Of a page, by the number of its cases. A library for plots alone would take 4,800,000."""


def numbered(number: int) -> FakeCase:
    """Every fourth case takes x bytes, every third scatters, every fifth is hit by a tick."""
    swept = {"parameter": BYTES} if number % 4 == 1 else {}
    return fake(
        f"case_{number:03}.with_a_name_as_long_as_the_longest_there_is",
        lambda x, n, i: 40 + 37 * number + (number % 9) * x + (i % 3) * (number % 3 == 1),
        call=f"xFunctionNumber{number // 2}WithALongName(handle, &value, portMAX_DELAY)",
        condition="from an ISR that ends with a switch to the waiting task of higher priority",
        function_class=CLASSES[number % len(CLASSES)],
        ticks=frozenset({3}) if number % 5 == 1 else frozenset(),
        **swept,
    )


@pytest.fixture(scope="module", params=sorted(MOST_BYTES))
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of so many cases, and in its folder's name how many."""
    folder = tmp_path_factory.mktemp("layout")
    cases = [numbered(number) for number in range(1, request.param + 1)]
    refused = fake("too_big", lambda x, n, i: 0, needs_bytes=lambda length: 51_200)
    results = collect([FakeTarget(cases or [refused])], TECHNIQUE, Plan(), folder / "results")
    path = folder / f"{request.param}.html"
    path.write_text(CharacterizationAnalysis(results).page())
    return path


def number_of_cases(report: Path) -> int:
    return int(report.stem)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 800, 1400])
def test_nothing_sticks_out_complains_or_asks(
    browser: Browser, report: Path, width: int, scheme: str
) -> None:
    visit = Visit(browser, report, scheme, viewport={"width": width, "height": 900})
    page = visit.page
    assert visit.overflowing() == []
    for button in page.locator("#cases tbody th button[aria-expanded=false]").all()[:6]:
        button.click()
    for plot in page.locator("#cases .plot:visible").all():
        plot.scroll_into_view_if_needed()
        expect(plot.locator("svg.picture")).to_be_attached()
    assert visit.overflowing() == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert visit.complaints == [] and visit.requests == [report.as_uri()]


def test_it_is_light(report: Path) -> None:
    assert report.stat().st_size < MOST_BYTES[number_of_cases(report)]


def test_it_opens_with_the_answer_and_its_conditions(browser: Browser, report: Path) -> None:
    page = Visit(browser, report).page
    answer = page.locator("header .answer")
    number = number_of_cases(report)
    told = {
        0: "No case was measured.",
        1: "takes 79 ± 0.1 cycles, 1.317 µs at x = 1 to 206 ± 0.1 cycles, 3.433 µs at x = 128, "
        "x = size in byte (n 2,040, spread 0.8).",
        226: "226 cases of 114 functions: a call takes from",
    }
    expect(answer).to_contain_text(told[number])
    expect(page.locator("header .under")).to_contain_text("lpc2148 (virtual) at 60 MHz")
    order = page.locator("header, h2").evaluate_all("all => all.map(one => one.tagName)")
    assert order[0] == "HEADER"
    expect(page.locator("h2").first).to_have_text("Measured under")
    expect(page.locator("#cases > tbody")).to_have_count(number)


def test_every_case_is_a_dot_of_its_class_that_opens_it(browser: Browser, report: Path) -> None:
    page = Visit(browser, report).page
    if number_of_cases(report) < 2:
        expect(page.locator(".classes")).to_have_count(0)
        return
    expect(page.locator(".classes .class:not(.axis)")).to_have_count(len(CLASSES))
    dots = page.locator(".classes .track a")
    expect(dots).to_have_count(226)
    places = dots.evaluate_all("all => all.map(one => parseFloat(one.style.left))")
    assert 0 <= min(places) < 10 and 90 < max(places) <= 100
    expect(page.locator(".largest li")).to_have_count(8)
    expect(page.locator(".largest li").first).to_contain_text("case_221.")
    expect(page.locator(".rising polyline")).to_have_count(8)
    target = page.locator(".largest a").first
    name = target.inner_text()
    target.click()
    expect(page.locator(f"[id='more-{name}']")).to_be_visible()


def test_one_case_is_open_already(browser: Browser, report: Path) -> None:
    page = Visit(browser, report).page
    opened = page.locator("tr.more:visible")
    expect(opened).to_have_count(1 if number_of_cases(report) == 1 else 0)


def test_on_a_phone_the_figures_stand_under_the_name(browser: Browser, report: Path) -> None:
    page = Visit(browser, report, viewport={"width": 400, "height": 900}).page
    if not number_of_cases(report):
        return
    row = page.locator("#cases tr.row").first
    name, *figures = row.locator("th, td").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.top, box.bottom])"
    )
    assert all(top >= name[1] - 1 for top, _ in figures)
    label = "one => getComputedStyle(one, '::before').content"
    labels = row.locator("td").evaluate_all(f"all => all.map({label})")
    assert labels[:3] == ['"n"', '"net cycles (exact, this image)"', '"σ"']
