"""Writes the measured figures of README.md and docs/ anew: `make pages`.

A figure stands between `<!--= EXPRESSION -->` and `<!--/-->`; a page shows what is between. The
expression is one of `figures.py`, in Python. Where its text has several lines it is a table or the
output of a command. Campaigns are run as they are needed, each once, into build/pages. A figure
that cannot be had stays as it is: it is named at the end with page and expression, and the exit
code is 1.

usage: python benches/pages [--check] [--keep] [FILE …]
  --check: evaluates nothing, only reads the marks
  --keep: takes campaigns that an earlier run left in build/pages
"""

import argparse
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benches"))

from pages import figures, runs  # noqa: E402

MARK = re.compile(r"(<!--= (?P<expression>.*?) -->)(?P<text>.*?)(<!--/-->)", re.DOTALL)


def documents() -> list[Path]:
    """Pages that may have figures."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def renew(text: str) -> tuple[str, list[str]]:
    """The text with each figure as its expression gives it now, and what could not be had."""
    failed: list[str] = []

    def value(found: re.Match[str]) -> str:
        expression = found["expression"]
        try:
            made = str(eval(expression, dict(figures.FUNCTIONS)))
        except Exception as error:  # any mark may fail in any way, and must not lose the others
            failed.append(f"{' '.join(expression.split())}: {error or type(error).__name__}")
            return found[0]
        between = f"\n{made}\n" if "\n" in made else made
        return f"{found[1]}{between}{found[4]}"

    return MARK.sub(value, text), failed


def main() -> None:
    parser = argparse.ArgumentParser(prog="benches/pages", description="Writes figures anew.")
    parser.add_argument("--check", action="store_true", help="only read the marks")
    parser.add_argument("--keep", action="store_true", help="take campaigns of an earlier run")
    parser.add_argument("files", nargs="*", type=Path)
    asked = parser.parse_args()
    runs.keep = asked.keep
    problems: list[str] = []
    for path in asked.files or documents():
        before = path.read_text()
        if before.count("<!--= ") != len(MARK.findall(before)):
            sys.exit(f"{path}: a mark <!--= … --> has no end <!--/--> behind it")
        if asked.check:
            continue
        after, failed = renew(before)
        name = os.path.relpath(path, ROOT)
        problems += [f"{name}: {one}" for one in failed]
        if after != before:
            path.write_text(after)
            print(f"{name}: written anew", flush=True)
    if problems:
        sys.exit("\n".join(["These figures stay as they were:", *problems]))


if __name__ == "__main__":
    main()
