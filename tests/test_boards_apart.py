"""The lab knows no board: what is peculiar to one stands in its file."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "python" / "cyclescope"
PECULIAR = re.compile("mam|vpbdiv|timer1|lpc2", re.IGNORECASE)
"""Settings and parts of the one chip whose board comes with Cyclescope."""
ALLOWED = {
    "firmware/boards.py": {"lpc2148", "lpc2148-lab"},  # the boards that are meant by default
    # Names of what is shipped, by the flash accelerator.
    "studies/estimate/calls/shipped.py": {"mam"},
    "studies/estimate/source/prices.py": {"mam"},
    "studies/estimate/ways.py": {"mam"},
    "target/code_fetches.py": {"mam", "mamtim"},  # of results made before lines were recorded
}
APART = PACKAGE / "studies" / "switch"
"""The paper's own analysis of that chip: its flash, its PLL and its cycles are the subject."""


def words(path: Path) -> Iterator[str]:
    """Names and strings of a file's code; docstrings and comments are none."""
    tree = ast.parse(path.read_text())
    texts = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            yield node.value
        for field in ("id", "attr", "arg", "name", "module"):
            if isinstance(word := getattr(node, field, None), str):
                yield word


def test_no_code_names_what_one_board_has() -> None:
    found = {
        str(path.relative_to(PACKAGE)): peculiar
        for path in PACKAGE.rglob("*.py")
        if not path.is_relative_to(APART)
        and (peculiar := {word for word in words(path) if PECULIAR.search(word)})
    }
    assert found == ALLOWED


def test_templates_name_nothing_of_one_board_either() -> None:
    pages = [path for kind in ("*.html", "*.md") for path in PACKAGE.rglob(kind)]
    assert len(pages) > 5
    named = [path for path in pages if PECULIAR.search(path.read_text())]
    assert [path for path in named if not path.is_relative_to(APART)] == []


def test_the_search_finds_names_and_strings_and_passes_docstrings(tmp_path: Path) -> None:
    file = tmp_path / "one.py"
    file.write_text('"""MAM."""\nx = settings["mam"]\ndef f(vpbdiv): return f"no {a} on LPC2148"\n')
    assert {word for word in words(file) if PECULIAR.search(word)} == {
        "mam", "vpbdiv", " on LPC2148",
    }  # fmt: skip
