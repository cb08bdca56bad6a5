"""Writes docs/reference/errors.md, the code of every error, from the sources: `make codes`.

usage: scripts/error_codes.py
"""

import ast
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from cyclescope.errors import CyclescopeError

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "python" / "cyclescope"
PAGE = ROOT / "docs" / "reference" / "errors.md"

HEAD = """\
# Codes of errors

For programs and people that react to an error: the code of every error, and its sentence.

Code: `python/cyclescope/errors.py`, `scripts/error_codes.py`.

Every error has a code, which names its cause. With `--json` it is on stdout beside the sentence:
`{"error": SENTENCE, "code": CODE}`. In Python it is `CyclescopeError.code`. A code stays when its
sentence is reworded: let programs compare codes, and people read sentences. `…` stands for what
differs from one error to the next. `make codes` writes this page from the sources.

| code | sentence |
|---|---|
"""

CLASSES = """
## Codes of classes

An error that is raised without a code of its own has the code of its class.

| code | exit code | meaning |
|---|---|---|
"""

MEANINGS = {
    "board-file-wrong": "a key of the board file is wrong, and why (docs/reference/boards.md)",
    "board-stopped": "what stopped the board while the lab waited for its serial line",
    "build-failed": "what the compiler or make said, in a sentence",
    "cannot-write": "… cannot be written: …",
    "cannot-write-build": "…/build cannot be written: …",
    "cyclescope-error": "the engine refuses a board file, an image or an argument",
    "folder-in-use": "another cyclescope writes into the folder",
    "host-fragment-failed": "what went wrong while the fragment ran on the host",
    "targets-not-known": "a jump goes where the code alone does not show: leave --blocks out",
    "task-set-wrong": "a key of the task set is wrong, and why (docs/how-to/schedule.md)",
    "uart-file-cannot-be-written": "--uart …: … cannot be written: …",
    "work-stopped": "another process failed, so this one stops",
}
"""Meanings of codes whose sentences say too little where they are raised."""


def calls() -> Iterator[tuple[str, ast.Call, dict[str, ast.expr]]]:
    """Every making of an error in the sources: class, call, constants of its file."""
    made = {one.__name__ for one in classes()} | {"needed"}
    for path in sorted(SOURCES.rglob("*.py")):
        tree = ast.parse(path.read_text())
        texts = dict(_texts(tree))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func).rpartition(".")[2]
                if name in made:
                    yield name, node, texts


def raised() -> dict[str, list[str]]:
    """Sentences of each code that the sources give at a raise, in the order of the files."""
    sentences: dict[str, list[str]] = defaultdict(list)
    for _, call, texts in calls():
        for one in call.keywords:
            if one.arg == "code" and isinstance(one.value, ast.Constant):
                sentences[str(one.value.value)].append(_sentence(call.args[-1], texts))
    return sentences


def _texts(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The constants of a module."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value


def _sentence(node: ast.expr, texts: dict[str, ast.expr]) -> str:
    """A sentence with … for each of its values."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_sentence(part, texts) for part in parts)
        case ast.FormattedValue(value=ast.Name(id=name)) | ast.Name(id=name) if name in texts:
            return _sentence(texts[name], {})
        case ast.Call(args=[ast.Constant(value=str(text)), *_]):
            return f"{text}…"
    return "…"


def cause(sentence: str) -> str:
    """The part of a sentence that names the cause, without the place before and the remedy."""
    parts = re.split(r"[:;] ", sentence)
    return next((one for one in parts if len(one.replace("…", "").split()) > 2), sentence)


def classes() -> list[type[CyclescopeError]]:
    """Every class of errors in the sources, by its code."""
    for module in pkgutil.walk_packages([str(SOURCES)], "cyclescope."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    found = [CyclescopeError]
    for one in found:
        found += [
            below for below in one.__subclasses__() if below.__module__.startswith("cyclescope")
        ]
    return sorted(found, key=lambda one: one.code)


def page() -> str:
    """The page: a line for each code, then one for each class."""
    given = raised()
    meanings = {code: told[0] for code, told in given.items()} | {
        code: told for code, told in MEANINGS.items() if code in given
    }
    rows = [f"| `{code}` | {_cell(told)} |\n" for code, told in sorted(meanings.items())]
    own = [
        f"| `{one.code}` | {one.exit_code} | {_cell(MEANINGS.get(one.code) or _summary(one))} |\n"
        for one in classes()
    ]
    return HEAD + "".join(rows) + CLASSES + "".join(own)


def _summary(one: type) -> str:
    return (one.__doc__ or "").splitlines()[0]


def _cell(text: str) -> str:
    return re.sub(r"([|<\[*_])", r"\\\1", text)


if __name__ == "__main__":
    PAGE.write_text(page())
