"""Verbs of the program: each option is declared once, and a verb reads as a table of contents."""

import ast
import inspect
import typing
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.models import OptionInfo

from cyclescope import plugins
from cyclescope.cli.board_options import PREFIX

PACKAGE = Path(__file__).parent.parent / "python" / "cyclescope"
VERBS = plugins.questions("command")
MOST_LINES = 40

MEANINGS = {
    "--board": ["any target", "a virtual board, with no recording and no host"],
    "--energy": ["of a measurement, metered", "of an estimate"],
    "--kernel": ["the kernel", "one or several"],
    "--library": ["the C library", "a library that a fragment is linked with"],
    "--load": ["bytes into memory", "a share of the processor"],
    "--optimise": ["the kernel", "the fragment, by a compiler's own option"],
    "--out": [
        *("a folder of results", "one that explanations are added to", "a file"),
        "a folder for figures and a page",
    ],
    "--seed": ["of layouts", "of moments", "of switches and their rig"],
    "--tasks": ["a number of tasks", "a file of them"],
}
"""Names with several meanings: each has so many declarations, and the verbs that mean the same
thing share one."""


def written(declared: OptionInfo) -> list[str]:
    """The names in a declaration; typer keeps the first of them where a default would be."""
    first = [declared.default] if isinstance(declared.default, str) else []
    return [*first, *(declared.param_decls or ())]


def options(verb: str) -> Iterator[tuple[str, OptionInfo]]:
    """The names of a verb's options with their declarations; a board's settings have none."""
    command = plugins.load_entry(verb, "command").command
    for one in inspect.signature(command).parameters.values():
        if not one.name.startswith(PREFIX):
            (declared,) = typing.get_args(one.annotation)[1:]
            if isinstance(declared, OptionInfo):
                names = [one for one in written(declared) if one.startswith("--")]
                assert names, f"{verb}: the declaration of {one.name} does not name the option"
                yield from ((name, declared) for name in names)


def declarations() -> dict[str, dict[int, OptionInfo]]:
    """The declarations of each name by their identity."""
    found: dict[str, dict[int, OptionInfo]] = defaultdict(dict)
    for verb in VERBS:
        for name, declared in options(verb):
            found[name][id(declared)] = declared
    return found


def test_an_option_is_declared_once_for_each_meaning() -> None:
    found = declarations()
    assert len(found) > 50
    counts = {name: len(declared) for name, declared in found.items() if len(declared) > 1}
    assert counts == {name: len(meanings) for name, meanings in MEANINGS.items()}


@pytest.mark.parametrize("name", MEANINGS)
def test_help_tells_the_meanings_of_a_name_apart(name: str) -> None:
    texts = [one.help for one in declarations()[name].values()]
    assert all(texts) and len(set(texts)) == len(texts)


def test_an_option_that_is_declared_again_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    again = typing.Annotated[bool, OptionInfo(param_decls=("--json",), help="Print JSON.")]

    def command(json: again = False) -> None:  # type: ignore[valid-type]
        pass

    monkeypatch.setattr(plugins.load_entry("report", "command"), "command", command)
    assert len(declarations()["--json"]) == 2


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_reads_as_a_table_of_contents(verb: str) -> None:
    tree = ast.parse((PACKAGE / "studies" / verb / "command.py").read_text())
    lines = {
        node.name: node.end_lineno - node.lineno + 1
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.end_lineno
    }
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}
