"""Imports of the lab point one way: folders in this order, questions without a circle."""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "python" / "cyclescope"
FOLDERS = [
    "stats",
    "firmware",
    "target",
    "wire",
    "results",
    "laws",
    "campaign",
    "targets",
    "report",
    "cli",
    "studies",
]
"""A folder imports those before it, and the files beside them, which import none."""
START = ["__main__"]
ENTRIES = {"command", "result_type", "comparing"}
"""Files of a question that the program finds by name; only commands import them."""


Edge = tuple[tuple[str, ...], tuple[str, ...]]


@cache
def edges() -> tuple[Edge, ...]:
    """Every import between two files of the package: (who, what), as parts of their names."""
    return tuple(_edges())


def _edges() -> Iterator[Edge]:
    for path in PACKAGE.rglob("*.py"):
        own = path.relative_to(PACKAGE).with_suffix("").parts
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import | ast.ImportFrom):
                prefix = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
                parts = [f"{prefix}{one.name}".split(".") for one in node.names]
                yield from ((own, tuple(one[1:])) for one in parts if one[0] == "cyclescope")


def rank(name: tuple[str, ...]) -> int:
    """The height of a file: those beside the folders lie lowest, the program's start highest."""
    return [None, *FOLDERS, "__main__"].index(name[0] if name[0] in FOLDERS + START else None)


def test_folders_import_only_those_before_them() -> None:
    assert {own[0] for own, _ in edges() if len(own) > 1} <= set(FOLDERS)
    assert [(own, used) for own, used in edges() if rank(used) > rank(own[:-1] or own)] == []


def test_questions_use_each_other_without_a_circle() -> None:
    graph: dict[str, set[str]] = {}
    for own, used in edges():
        if own[0] == used[0] == "studies" and own[1] != used[1] and own[2] not in ENTRIES:
            graph.setdefault(own[1], set()).add(used[1])
        if used[0] == "studies" and own[1:2] != used[1:2]:
            assert "command" in own[2:3] or not ENTRIES & set(used[2:3]), (own, used)
    TopologicalSorter(graph).prepare()


def test_plugins_do_not_know_each_other() -> None:
    for folder in PACKAGE.rglob("*"):
        if folder.name in {"techniques", "models", "clusterings", "languages", "targets"}:
            for own, used in edges():
                parts = folder.relative_to(PACKAGE).parts
                depth = len(parts)
                if own[:depth] == used[:depth] == parts and own[depth] != "__init__":
                    assert own[depth] == used[depth], (own, used)


def test_the_engine_has_one_door() -> None:
    doors = {own for own, used in edges() if used[0] == "_engine"}
    assert doors == {("targets", "virtual", "board")}


def test_no_two_classes_have_one_name() -> None:
    places: dict[str, list[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(str(path.relative_to(PACKAGE)))
    assert {name: there for name, there in places.items() if len(there) > 1} == {}
