"""Draws docs/pictures/report.png: the head of a report of `characterize`, as a browser shows it.

usage: python benches/pictures/report.py [RESULTS]

Without RESULTS, times the queues and semaphores of FreeRTOS first. Needs Debian's chromium.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs" / "pictures" / "report.png"
PROGRAM = Path(sys.executable).parent / "cyclescope"
WIDTH, HEIGHT = 1000, 760
MOST_BYTES = 150_000
"""A page with the picture must open quickly."""


def measure(folder: Path) -> Path:
    """Times the cases of the picture into a folder below `folder`; returns that folder."""
    results = folder / "results"
    cases = ("--case", "queue_*", "--case", "semaphore_*")
    command = [PROGRAM, "characterize", *cases, "--out", results, "--json"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return results


def draw(report: Path) -> None:
    """Writes the picture of a report's first screen. Exits if there is no chromium."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("chromium is missing: run scripts/setup.sh test")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(report.resolve().as_uri())
        page.wait_for_load_state("networkidle")
        page.screenshot(path=PICTURE)
        browser.close()
    size = PICTURE.stat().st_size
    if size > MOST_BYTES:
        sys.exit(f"{PICTURE.name} has {size:,} bytes, more than {MOST_BYTES:,}")


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        given = Path(sys.argv[1]) if len(sys.argv) > 1 else measure(Path(temporary))
        draw(given / "report.html")


if __name__ == "__main__":
    main()
