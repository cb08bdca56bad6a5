"""The report in a real browser: rows, drawn plots, no errors, nothing asked of the network."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_target import FakeTarget
from playwright.sync_api import Browser, Page, sync_playwright

from cyclescope.campaign import Plan, collect
from cyclescope.reports import html
from cyclescope.studies.characterize import analyse
from cyclescope.techniques.direct import TECHNIQUE

CHROMIUM_OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.fail("chromium is missing: run scripts/setup.sh test, or apt-get install chromium")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_OPTIONS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    results = collect([FakeTarget()], TECHNIQUE, Plan(), folder / "results")
    path = folder / "report.html"
    path.write_text(html.render(analyse(results), results))
    return path


class Visit:
    """One page opened, and what it complained about or asked for."""

    def __init__(self, browser: Browser, path: Path, scheme: str = "light") -> None:
        self.page: Page = browser.new_page(color_scheme=scheme)  # type: ignore[arg-type]
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.as_uri())
        self.page.wait_for_selector(".plot .main-svg", state="attached")


def test_every_case_has_its_row_and_its_plots(browser: Browser, report: Path) -> None:
    page = Visit(browser, report).page
    rows = page.locator("#cases tbody tr")
    assert rows.count() == 8
    assert rows.nth(0).inner_text().split("\t")[1:] == [
        "260", "312 ± 0", "0", "–", "312", "–", "5.200",
    ]  # fmt: skip
    kinds = page.eval_on_selector_all(".plot", "all => all.map(one => one.dataset.figure)")
    assert sum(kind.endswith(":histogram") for kind in kinds) == 8
    assert sum(kind.endswith(":series") for kind in kinds) == 8
    assert sorted(kind for kind in kinds if kind.endswith(":fit")) == [
        "malloc:fit", "queue-receive:fit", "queue-send:fit", "task-create:fit",
    ]  # fmt: skip
    assert page.locator(".plot .main-svg:first-child").count() == len(kinds)


def test_a_constant_draws_one_labelled_bar(browser: Browser, report: Path) -> None:
    page = Visit(browser, report).page
    constants = {"semaphore-take": "260 × 312 cycles", "malloc": "2,080 × 220 cycles"}
    for case, label in constants.items():
        plot = page.locator(f'[data-figure="{case}:histogram"]')
        assert plot.locator(".bars .point path").count() == 1
        assert plot.locator(".bars .bartext").text_content() == label


def test_thirty_bins(browser: Browser, report: Path) -> None:
    page = Visit(browser, report).page
    plot = page.locator('[data-figure="semaphore-give:histogram"]')
    assert plot.locator(".bars").count() == 5  # the series apart
    assert plot.locator(".bars").first.locator(".point").count() == 30


def test_nothing_is_asked_of_the_network_and_nothing_complains(
    browser: Browser, report: Path
) -> None:
    visit = Visit(browser, report)
    visit.page.locator("summary").click()
    visit.page.locator("#cases a").last.click()
    assert visit.requests == [report.as_uri()]
    assert visit.complaints == []


def test_dark_and_print(browser: Browser, report: Path) -> None:
    def ink(page: Page) -> list[int]:
        text = '[data-figure="semaphore-take:histogram"] .xtitle'
        fill = page.eval_on_selector(text, "one => getComputedStyle(one).fill")
        return [int(part) for part in re.findall(r"\d+", fill)[:3]]

    light, dark = Visit(browser, report).page, Visit(browser, report, "dark").page
    assert max(ink(light)) < 80
    assert min(ink(dark)) > 180
    dark.emulate_media(media="print")
    dark.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert max(ink(dark)) < 80
