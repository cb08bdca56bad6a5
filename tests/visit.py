"""A visit to a page in a real browser."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page


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
