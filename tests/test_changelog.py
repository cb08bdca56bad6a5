"""Fragments of changes become a section of the changelog, once and in order."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SPECIFICATION = importlib.util.spec_from_file_location("log", ROOT / "scripts" / "changelog.py")
assert SPECIFICATION and SPECIFICATION.loader
changelog = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(changelog)

BEFORE = "# Changelog\n\n## Unreleased\n\n* Old entry.\n\n## 0.1.0 (2026-01-01)\n\n* First.\n"


def test_fragments_come_before_older_entries_of_the_release() -> None:
    after = changelog.collect(BEFORE, ["One,\nwith more.\n", "* Two.\n"], "0.2.0", "2026-02-01")
    assert after == (
        "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-01)\n\n* One,\n  with more.\n* Two.\n"
        "* Old entry.\n\n## 0.1.0 (2026-01-01)\n\n* First.\n"
    )


@pytest.mark.parametrize(
    ("text", "version", "message"),
    [
        (BEFORE, "", "nothing is no version"),
        (BEFORE, "soon", "soon is no version"),
        (BEFORE, "0.1.0", "already has 0.1.0"),
        ("# Changelog\n", "0.2.0", "no heading"),
    ],
)
def test_a_release_that_cannot_be_made(text: str, version: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        changelog.collect(text, [], version, "2026-02-01")


def test_main_rewrites_the_file_and_deletes_the_fragments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "changes").mkdir()
    (tmp_path / "changes" / "new.md").write_text("New entry.\n")
    (tmp_path / "CHANGELOG.md").write_text(BEFORE)
    monkeypatch.setattr(changelog, "ROOT", tmp_path)
    changelog.main("0.2.0")
    assert "* New entry.\n* Old entry." in (tmp_path / "CHANGELOG.md").read_text()
    assert list((tmp_path / "changes").iterdir()) == []


@pytest.mark.parametrize(
    "path", sorted((ROOT / "changes").glob("*.md")), ids=lambda path: path.name
)
def test_a_fragment_is_one_short_entry(path: Path) -> None:
    text = path.read_text().strip()
    prose = [line for line in text.splitlines() if not line.startswith("|")]
    assert text and not text.startswith("#") and len(prose) <= 12
