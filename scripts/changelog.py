"""Collects the fragments of changes/ into CHANGELOG.md under a new version: `make changelog`.

usage: scripts/changelog.py VERSION

A fragment is changes/NAME.md: the text of one entry. Fragments go, by name, before the entries
under "Unreleased"; all of them become the version's section, and the files are deleted.
"""

import re
import sys
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEADING = "## Unreleased\n"


def entry(text: str) -> str:
    """Returns a fragment as one bullet; a fragment that begins with bullets stays as it is."""
    lines = text.strip().splitlines()
    if lines[0].startswith("* "):
        return "\n".join(lines)
    return "\n".join([f"* {lines[0]}", *(f"  {line}".rstrip() for line in lines[1:])])


def collect(changelog: str, fragments: list[str], version: str, day: str) -> str:
    """Returns the changelog with a section for the version. Raises ValueError if it cannot."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ValueError(f"{version or 'nothing'} is no version: give VERSION=X.Y.Z")
    if f"\n## {version} " in changelog:
        raise ValueError(f"CHANGELOG.md already has {version}")
    before, heading, after = changelog.partition(HEADING)
    if not heading:
        raise ValueError('CHANGELOG.md has no heading "## Unreleased"')
    added = "".join(f"{entry(one)}\n" for one in fragments)
    return f"{before}{HEADING}\n## {version} ({day})\n\n{added}{after.lstrip()}"


def main(version: str) -> None:
    """Rewrites CHANGELOG.md and deletes the fragments."""
    files = sorted((ROOT / "changes").glob("*.md"))
    path = ROOT / "CHANGELOG.md"
    try:
        texts = [one.read_text() for one in files]
        path.write_text(collect(path.read_text(), texts, version, date.today().isoformat()))
    except ValueError as error:
        sys.exit(str(error))
    for one in files:
        one.unlink()
    print(f"CHANGELOG.md: {version} with {len(files)} fragments")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
