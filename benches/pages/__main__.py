"""Writes the measured figures of README.md and docs/ anew: `make pages`.

A figure stands between `<!--= EXPRESSION -->` and `<!--/-->`; a page shows what is between. The
expression is one of `figures.py`, in Python. Where its text has several lines it is a table or the
output of a command. Campaigns are run as they are needed, each once, into build/pages.

usage: python benches/pages [--check] [FILE …]   (--check: evaluates nothing, only reads the marks)
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benches"))

from pages import figures  # noqa: E402

MARK = re.compile(r"(<!--= (?P<expression>.*?) -->)(?P<text>.*?)(<!--/-->)", re.DOTALL)


def documents() -> list[Path]:
    """What may hold figures."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def renew(text: str) -> str:
    """The text with each figure as its expression gives it now."""

    def value(found: re.Match[str]) -> str:
        made = str(eval(found["expression"], vars(figures).copy()))
        between = f"\n{made}\n" if "\n" in made else made
        return f"{found[1]}{between}{found[4]}"

    return MARK.sub(value, text)


def main() -> None:
    paths = [Path(name) for name in sys.argv[1:] if name != "--check"] or documents()
    for path in paths:
        before = path.read_text()
        if before.count("<!--= ") != len(MARK.findall(before)):
            sys.exit(f"{path}: a mark <!--= … --> has no end <!--/--> behind it")
        if "--check" in sys.argv:
            continue
        after = renew(before)
        if after != before:
            path.write_text(after)
            print(f"{path}: written anew")


if __name__ == "__main__":
    main()
