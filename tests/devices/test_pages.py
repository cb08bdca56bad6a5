"""Every device of the board and every unverified rule has its page in docs/timing/."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "timing"
BOARDS = [
    board
    for path in sorted((ROOT / "boards").glob("*/board.toml"))
    if "memory" in (board := tomllib.loads(path.read_text())) and "extends" not in board
]


def parts_of(board: dict[str, Any]) -> list[dict[str, Any]]:
    """Its memories, buses and devices."""
    return [thing for part in ("memory", "bus", "device") for thing in board[part]]


def test_every_kind_of_device_and_of_memory_timing_has_a_page_that_the_index_names() -> None:
    index = (PAGES / "README.md").read_text()
    kinds = {device["kind"] for board in BOARDS for device in board["device"]} - {"unmodelled"}
    kinds |= {thing["timing"]["kind"] for board in BOARDS for thing in parts_of(board)
              if "timing" in thing}  # fmt: skip
    for kind in kinds:
        assert (PAGES / f"{kind}.md").exists()
    for page in PAGES.glob("*.md"):
        assert page.name == "README.md" or f"({page.name})" in index


def rules_of_energy(energy: dict[str, Any]) -> Iterator[str]:
    for entry in energy.values():
        entries = entry if isinstance(entry, list) else [entry]
        yield from (one["rule"] for one in entries if isinstance(one, dict) and "rule" in one)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board["name"])
def test_every_unverified_rule_is_used_and_stands_on_the_page_that_its_text_names(
    board: dict[str, Any],
) -> None:
    ids = {rule for thing in parts_of(board) for rule in thing.get("rules", ())}
    timings = [one["timing"] for one in board["memory"] if "timing" in one]
    ids |= {timing["prefetch_rule"] for timing in timings if "prefetch_rule" in timing}
    ids |= set(rules_of_energy(board.get("energy", {})))
    assert ids == {rule["id"] for rule in board["rule"]}
    for rule in board["rule"]:
        (page,) = re.findall(r"docs/(\S+\.md)", rule["text"])
        assert f"`{rule['id']}`" in (PAGES.parent / page).read_text()


def test_links_and_files_named_on_the_pages_exist() -> None:
    for page in [*PAGES.glob("*.md"), PAGES.parent / "explanation" / "energy.md"]:
        text = page.read_text()
        for link in re.findall(r"\]\(([^)#]+)\)", text):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
        for file in re.findall(r"`((?:tests|engine|boards|python)/[\w./-]+)`", text):
            assert (ROOT / file).exists(), f"{page.name}: {file}"
