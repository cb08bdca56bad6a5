"""The picture of a graph in a real browser: legible in light, dark and on paper."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.studies.blocks.analyse import analyse_blocks
from cyclescope.studies.blocks.found import BlocksFound
from cyclescope.studies.blocks.measure import PLANS, measure
from cyclescope.studies.blocks.report.cfg_svg import draw
from cyclescope.target.target import Selection
from cyclescope.targets import open_target

LOOP = Path(__file__).parent.parent / "examples" / "blocks" / "loop.c"


@pytest.fixture(scope="module")
def singular() -> BlocksFound:
    """Whole executions alone: some blocks only have a time together."""
    source = FragmentSource(LOOP, PLANS)
    selection = Selection(
        board="lpc2148", kernel="bare", settings={"code": "sram"}, fragment=source
    )
    with open_target(selection) as target:
        measured = measure(target, rounds=20)
    return analyse_blocks(measured.model_copy(update={"equations": measured.equations[:1]}))


@pytest.mark.parametrize(
    ("scheme", "medium", "ink"),
    [("light", "screen", "dark"), ("dark", "screen", "light"), ("dark", "print", "dark")],
)
def test_ink_suits_the_page_and_nothing_is_cut_off(
    browser: Browser, singular: BlocksFound, scheme: str, medium: str, ink: str
) -> None:
    page = browser.new_page(color_scheme=scheme)  # type: ignore[arg-type]
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.emulate_media(media=medium)  # type: ignore[arg-type]
    page.set_content(f"<!doctype html><body>{draw(singular)}</body>")
    outer = page.locator("svg.cfg").bounding_box()
    assert outer
    for text in page.locator("svg.cfg text").all():
        box = text.bounding_box()
        assert box
        assert box["x"] >= outer["x"] and box["x"] + box["width"] <= outer["x"] + outer["width"] + 1
        red, green, blue = _rgb(text.evaluate("element => getComputedStyle(element).fill"))
        if text.evaluate("element => element.closest('.node') !== null"):
            assert (red + green + blue < 3 * 128) == (ink == "dark")
    edge = page.locator("svg.cfg .edge path").first
    assert edge.evaluate("element => getComputedStyle(element).fill") == "none"
    coloured = page.locator("svg.cfg .group0").count()
    assert coloured == sum(name.startswith("B") for group in singular.groups for name in group)
    assert complaints == []
    page.close()


def test_a_block_shows_its_instructions_to_the_pointer(
    browser: Browser, singular: BlocksFound
) -> None:
    page = browser.new_page()
    page.set_content(draw(singular))
    titles = page.locator("svg.cfg .node title").all_text_contents()
    assert titles == ["\n".join(block.listing) for block in singular.measured.blocks]
    page.close()


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = map(int, re.findall(r"\d+", colour)[:3])
    return red, green, blue
