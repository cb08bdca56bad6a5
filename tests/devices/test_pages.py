"""Every device of the board and every unverified rule has its page in docs/timing/."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "timing"
BOARD = tomllib.loads((ROOT / "boards" / "lpc2148" / "board.toml").read_text())


def test_every_kind_of_device_and_of_memory_timing_has_a_page_that_the_index_names() -> None:
    index = (PAGES / "README.md").read_text()
    kinds = {device["kind"] for device in BOARD["device"]} - {"unmodelled"}
    kinds |= {memory["timing"]["kind"] for memory in BOARD["memory"] if "timing" in memory}
    for kind in kinds:
        assert (PAGES / f"{kind}.md").exists()
    for page in PAGES.glob("*.md"):
        assert page.name == "README.md" or f"({page.name})" in index


def rules_of_energy(energy: dict[str, Any]) -> Iterator[str]:
    for entry in energy.values():
        entries = entry if isinstance(entry, list) else [entry]
        yield from (one["rule"] for one in entries if isinstance(one, dict) and "rule" in one)


def test_every_unverified_rule_is_used_and_stands_on_the_page_that_its_text_names() -> None:
    used = [BOARD[part] for part in ("memory", "bus", "device")]
    ids = {rule for things in used for thing in things for rule in thing.get("rules", ())}
    ids |= {memory["timing"]["prefetch_rule"] for memory in BOARD["memory"] if "timing" in memory}
    ids |= set(rules_of_energy(BOARD["energy"]))
    assert ids == {rule["id"] for rule in BOARD["rule"]}
    for rule in BOARD["rule"]:
        (page,) = re.findall(r"docs/(\S+\.md)", rule["text"])
        assert f"`{rule['id']}`" in (PAGES.parent / page).read_text()


def test_links_and_files_named_on_the_pages_exist() -> None:
    for page in [*PAGES.glob("*.md"), PAGES.parent / "explanation" / "energy.md"]:
        text = page.read_text()
        for link in re.findall(r"\]\(([^)#]+)\)", text):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
        for file in re.findall(r"`((?:tests|engine|boards|python)/[\w./-]+)`", text):
            assert (ROOT / file).exists(), f"{page.name}: {file}"
