"""The commands on the pages exist: verbs, their options, values of one word, make targets."""

import re
import shlex
from functools import cache
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from cyclescope.cli import program

ROOT = Path(__file__).parent.parent
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "DESIGN.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]

BLOCK = re.compile(r"^```sh\n(.*?)^```$|(?<=\n\n)((?: {4}.*\n)+)", re.M | re.S)
INLINE = re.compile(r"`((?:cyclescope|make) [^`]+)`")
COMMAND = re.compile(r"^(?:\.venv/bin/)?(cyclescope|make) (.+)")


def commands(text: str) -> list[list[str]]:
    """The words of each command in blocks of shell and between backticks, without comments."""
    text = re.sub(r"<!--=.*?<!--/-->", "", text, flags=re.S)
    lines = [" ".join(one.split()) for one in INLINE.findall(text)]
    for fenced, indented in BLOCK.findall(text):
        joined = (fenced or indented).replace("\\\n", " ")
        lines += [line.strip() for line in joined.splitlines()]
    found = []
    for line in lines:
        if COMMAND.match(line):
            words = shlex.split(line.replace("…", ""), comments=True)
            found.append([word.strip("[]") for word in words if word not in ("|", "[", "]")])
    return found


@cache
def verbs() -> dict[str, set[str]]:
    """The verbs of the program, each with its options."""
    group = typer.main.get_command(program.application())
    assert isinstance(group, TyperGroup)
    context = typer.Context(group)
    commands = {name: group.get_command(context, name) for name in group.list_commands(context)}
    return {
        name: {one for parameter in command.params for one in parameter.opts} | {"-h", "--help"}
        for name, command in commands.items()
        if command is not None
    }


@cache
def targets() -> set[str]:
    """The targets of the Makefile."""
    return set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(), re.M))


def problems(words: list[str]) -> list[str]:
    """Parts of a command that do not exist."""
    called, *arguments = words
    if called.endswith("make"):
        if "-C" in arguments:
            return []
        named = [one for one in arguments if "=" not in one and not one.startswith("-")]
        return [f"make {one}" for one in named if one not in targets()]
    verb, *rest = arguments
    if verb.startswith("--"):
        return [] if verb in ("--help", "--version", "--debug") else [verb]
    if not re.fullmatch(r"[a-z]+", verb):
        return []  # a placeholder such as VERB
    if verb not in verbs():
        return [verb]
    named = [one.partition("=")[0] for one in rest if re.match(r"--[a-z]", one)]
    return [f"{verb} {one}" for one in named if one not in verbs()[verb]]


@pytest.mark.parametrize("name", NAMES)
def test_every_command_of_a_page_exists(name: str) -> None:
    found = commands((ROOT / name).read_text())
    assert [one for words in found for one in problems(words)] == []


def test_commands_are_found_in_every_form() -> None:
    text = (
        "Use `make pages` or `cyclescope show DIR --json`.\n\n```sh\n.venv/bin/cyclescope run \\\n"
        "    --board x   # note\n```\n\n    cyclescope list boards\n\nEnd.\n"
    )
    assert commands(text) == [
        ["make", "pages"],
        ["cyclescope", "show", "DIR", "--json"],
        [".venv/bin/cyclescope", "run", "--board", "x"],
        ["cyclescope", "list", "boards"],
    ]


@pytest.mark.parametrize(
    "line", ["make paegs", "cyclescope charakterize", "cyclescope show DIR --jsn"]
)
def test_a_command_that_does_not_exist_is_a_problem(line: str) -> None:
    (words,) = commands(f"Text.\n\n    {line}\n\n")
    assert problems(words)


def test_the_readme_has_the_two_commands_and_the_verbs_work_shows() -> None:
    found = commands((ROOT / "README.md").read_text())
    assert ["make", "characterize"] in found and ["make", "test"] in found
    assert {words[1] for words in found if words[0].endswith("cyclescope")} >= {"explain", "time"}


def test_every_verb_is_on_a_page() -> None:
    shown = {
        words[1]
        for page in PAGES
        for words in commands(page.read_text())
        if words[0].endswith("cyclescope") and len(words) > 1
    }
    assert shown >= verbs().keys() - {"errors"}  # `make time-errors` runs that one


LINK = re.compile(r"\]\(([^)#\s]+)(?:#([^)\s]*))?\)")


def anchor(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


@pytest.mark.parametrize("name", NAMES)
def test_every_link_and_anchor_of_a_page_exists(name: str) -> None:
    page = ROOT / name
    for target, fragment in LINK.findall(page.read_text()):
        if re.match(r"\w+:", target):
            continue
        path = page.parent / target
        assert path.exists(), target
        if fragment:
            headings = re.findall(r"^#+ (.*)$", path.read_text(), re.M)
            assert fragment in map(anchor, headings), f"{target}#{fragment}"


@pytest.mark.parametrize("name", [one for one in NAMES if one.startswith("docs/")])
def test_every_page_names_its_code(name: str) -> None:
    text = (ROOT / name).read_text()
    if name == "docs/README.md":
        assert all(f"]({one.removeprefix('docs/')})" in text or "timing/" in one for one in NAMES
                   if one.startswith("docs/") and one != name)  # fmt: skip
        return
    (line,) = re.findall(r"^Code: (.*)\.$", text, re.M)
    paths = re.findall(r"`([^`]+)`", line)
    assert paths
    for path in paths:
        assert list(ROOT.glob(re.sub(r"<\w+>", "*", path))), path


@pytest.mark.parametrize("name", [one for one in NAMES if one.startswith("docs/")])
def test_a_page_opens_with_what_it_answers(name: str) -> None:
    title, opening = (ROOT / name).read_text().split("\n\n")[:2]
    assert title.startswith("# ")
    assert re.match(r"[A-Z]\w*\b", opening) and not opening.startswith("Code"), opening


NOT_MODULES = {"cyclescope.conditions", "cyclescope.CLASS", "cyclescope.architectures"}
"""A key of Parquet files, a class of JUnit XML, a group of entry points."""

FOLDERS = "docs|python|engine|firmware|boards|benches|tests|scripts|examples|bindings"
MADE = {"firmware/kernels/freertos/cases/queue_count.c", "firmware/lpc2148-bare"}
"""Made by a reader: the case of the guide, and a build of firmware."""


@pytest.mark.parametrize("name", NAMES)
def test_every_module_and_path_that_a_page_names_exists(name: str) -> None:
    text = (ROOT / name).read_text()
    for module in set(re.findall(r"`(cyclescope(?:\.\w+)+)`", text)) - NOT_MODULES:
        path = ROOT / "python" / module.replace(".", "/")
        assert any(one.exists() for one in (path, path.with_suffix(".py"))) or (
            path.parent.with_suffix(".py").exists()  # a name in a module
        ), module
    for path in set(re.findall(rf"(?<![\w/.])((?:{FOLDERS})/[\w./<>*-]*\w>?)", text)) - MADE:
        pattern = re.sub(r"<\w+>", "*", path)
        assert any(list((ROOT / base).glob(pattern)) for base in ("", "python/cyclescope")), path


def test_the_glossary_has_one_meaning_for_each_term() -> None:
    text = (ROOT / "docs" / "reference" / "glossary.md").read_text()
    terms = [found.lower() for found in re.findall(r"^\| (?!term |---)([^|]+) \|", text, re.M)]
    assert len(terms) > 100 and len(set(terms)) == len(terms)


SOURCES = ("python", "engine", "bindings", "firmware", "boards", "benches", "examples", "tests")


def test_every_page_that_a_source_names_exists() -> None:
    for folder in SOURCES:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".pyi", ".rs", ".c", ".h", ".S", ".toml", ".mk"):
                for page in re.findall(r"\bdocs/[\w/.-]+\.md", path.read_text()):
                    assert (ROOT / page).exists(), f"{path.relative_to(ROOT)}: {page}"
