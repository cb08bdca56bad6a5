"""Imports of the lab point one way: folders in DESIGN.md's order, questions without a circle."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

import pytest

from cyclescope import plugins

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "python" / "cyclescope"
Name = tuple[str, ...]
Edge = tuple[Name, Name]
"""An import: the importing file and what it imports, as parts of their names in the package."""


@cache
def edges() -> tuple[Edge, ...]:
    """Every import between two files of the package."""
    return tuple(edge for path in PACKAGE.rglob("*.py") for edge in imports(path, path.read_text()))


def imports(path: Path, text: str) -> Iterator[Edge]:
    """The imports of one file of the package."""
    own = path.relative_to(PACKAGE).with_suffix("").parts
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            prefix = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            parts = [f"{prefix}{one.name}".split(".") for one in node.names]
            yield from ((own, tuple(one[1:])) for one in parts if one[0] == "cyclescope")


def order() -> list[str]:
    """The folders of the package as DESIGN.md has them, the lowest first."""
    (line,) = re.findall(r"^ {4}(stats → .*)$", (ROOT / "DESIGN.md").read_text(), re.M)
    return list(line.split(" → "))


def plugin_folders() -> set[Name]:
    """The folders whose files the package finds by name, `plugins.load("cyclescope.…", …)`."""
    text = "".join(path.read_text() for path in PACKAGE.rglob("*.py"))
    named = re.findall(r'plugins\.(?:load|names)\(\s*"cyclescope\.([\w.]+)"', text)
    return {tuple(one.split(".")) for one in named}


def part(name: Name) -> Name:
    """The question that a file of `studies` lies in; an entry is a part of its own."""
    return name[1:3] if set(name[2:3]) & set(plugins.ENTRIES) else name[1:2]


def check(found: Iterable[Edge]) -> None:
    """The rule: imports point down, plugins do not know each other, questions make no circle."""
    height = {name: number for number, name in enumerate(order())}
    siblings, graph = plugin_folders(), defaultdict[Name, set[Name]](set)
    for own, used in found:
        assert height.get(own[0], -1) >= height.get(used[0], -1), (own, used)
        for depth in (len(one) for one in siblings if own[: len(one)] == used[: len(one)] == one):
            assert own[: depth + 1] == used[: depth + 1], (own, used)
        if own[0] == used[0] == "studies" and part(own) != part(used):
            graph[part(own)].add(part(used))
    TopologicalSorter(graph).prepare()


def test_imports_follow_the_rule() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if any(path.glob("*.py"))}
    assert folders | {"__main__"} == set(order())
    assert len(plugin_folders()) > 5
    check(edges())


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("stats/summary.py", "from cyclescope.firmware import build"),
        ("errors.py", "import cyclescope.cli.output"),
        ("cli/output.py", "from cyclescope.studies.show import command"),
        ("studies/explain/measure.py", "from cyclescope.studies.compare import analyse"),
        ("studies/switch/rig.py", "from cyclescope.studies.switch import result_type"),
        ("laws/models/linear.py", "from cyclescope.laws.models import constant"),
        ("targets/replay.py", "from cyclescope.targets.host import cpu"),
    ],
)
def test_a_wrong_import_is_found(path: str, text: str) -> None:
    (wrong,) = imports(PACKAGE / path, text)
    assert (PACKAGE / path).exists()
    with pytest.raises((AssertionError, CycleError)):
        check([*edges(), wrong])


def test_the_engine_has_one_door() -> None:
    assert len({own for own, used in edges() if used[0] == "_engine"}) == 1


def test_no_two_classes_have_one_name() -> None:
    trees = (ast.parse(path.read_text()) for path in PACKAGE.rglob("*.py"))
    nodes = (node for tree in trees for node in ast.walk(tree))
    names = sorted(node.name for node in nodes if isinstance(node, ast.ClassDef))
    assert [first for first, second in pairwise(names) if first == second] == []
