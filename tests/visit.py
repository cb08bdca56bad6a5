"""A visit to a page in a real browser."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

NARROW_PX = 1000
OVERFLOWING = """(narrow) => [...document.querySelectorAll("body *")].filter((one) => {
  if (one.closest("svg") || !one.getClientRects().length) return false;
  if (innerWidth < narrow && one.closest("table.small, .scroll:not(:has(#cases))")) return false;
  const scrolls = getComputedStyle(one).display !== "inline"
    && one.clientWidth && one.scrollWidth > one.clientWidth + 1;
  return scrolls || one.getBoundingClientRect().right > innerWidth + 1;
}).map((one) => `${one.tagName}.${one.className} ${one.scrollWidth}`)"""


class Visit:
    """One page opened, and what it complained about or asked for."""

    def __init__(self, browser: Browser, path: Path, scheme: str = "light", **options: Any) -> None:
        self.page: Page = browser.new_page(color_scheme=scheme, **options)  # type: ignore[arg-type]
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.as_uri())

    def wait_for_pictures(self) -> None:
        """Return when every plot of the page holds its picture.

        Locators wait outside the page: its policy forbids evaluating a string within it.
        """
        expect(self.page.locator(".plot").first).to_be_attached()
        expect(self.page.locator(".plot:not(:has(*))")).to_have_count(0)

    def overflowing(self) -> list[str]:
        """Elements that reach beyond the window, or whose content reaches beyond themselves.

        In a narrow window a table other than that of the cases may scroll on its own.
        """
        found: list[str] = self.page.evaluate(OVERFLOWING, NARROW_PX)
        return found
