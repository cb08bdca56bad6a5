"""The lint of prose finds rejected words in every language, and only in prose."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SPECIFICATION = importlib.util.spec_from_file_location("prose", ROOT / "scripts" / "prose.py")
assert SPECIFICATION and SPECIFICATION.loader
prose = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(prose)

REJECTED = (
    "The board tells the core.",
    "It was told so.",
    "The sentence names cause and cure.",
    "Whoever reads must wait. The one who watches sees it.",
    "A watcher was added.",
    "The longest stretch without interrupts.",
    "One turn of the loop.",
    "A wish to stop.",
    "The terms of the comparison.",
    "The signs against it.",
    "The arrangement of points.",
    "A staircase of times.",
    "The strongest suspect.",
    "Samples apart are counted.",
    "Nine were set aside.",
    "The placement of the extra tasks.",
    "The bus holds these bytes.",
    "The address is awaited.",
    "The core gives attention.",
    "There is no room for it.",
    "The company of the case.",
    "It takes the closing of the task.",
    "The members are found by name.",
    "A kind of results.",
    "The condition in words.",
    "The column obs. max.",
    "First. What the board saw is compared.",
    "Who holds a lock waits.",
    "It is no longer slow.",
    "It was previously slow.",
    "It is faster than before.",
    "The lab used to fail.",
    " ".join(["many"] * 29) + ".",
)

KEPT = (
    "Each in turn, in terms of cycles.",
    "The sum of terms, and the signs of the differences.",
    "Copies lie two lines apart, apart from the first.",
    "A sample-and-hold circuit, and a struct member.",
    "What does a call cost?",
    "The lab reports what it measured.",
    "A file is used to store it, as before each call.",
    " ".join(["many"] * 26) + ".",
)

FILES = {
    "page.md": "# Page\n\nText: {}\n",
    "module.py": 'def f():\n    """Adds. {}"""\n',
    "comment.py": "x = 1\n# Note: {}\n",
    "message.py": 'raise ValueError("sorry: {}")\n',
    "lib.rs": "/// Adds.\n/// Then: {}\npub fn f() {{}}\n",
    "message.rs": 'fn f() {{ panic!("sorry: {}"); }}\n',
    "case.c": "int x;\n/* Note: {} */\n",
    "board.toml": "[a]\n# Note: {}\n",
    "text.toml": 'text = "Note: {}"\n',
    "Makefile": "all: ## Note: {}\n",
    "page.html": "<p>Note: {}</p>\n",
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("sentence", REJECTED)
def test_a_rejected_word_is_found(name: str, sentence: str) -> None:
    assert prose.findings(name, FILES[name].format(sentence))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("sentence", KEPT)
def test_a_technical_use_stays(name: str, sentence: str) -> None:
    assert prose.findings(name, FILES[name].format(sentence)) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "page.md",
            "Text.\n\n```sh\ntell it\n```\n\n    tell it\n\nThe `room` of [it](terms.md).\n",
        ),
        ("page.md", "Text <!--= shown() -->\ntell it\n<!--/--> goes on.\n"),
        ("module.py", 'room = {"room": tell(room)}\n'),
        ("lib.rs", "fn turn(room: &'a str) -> Stretch { tell(room) }\n"),
        ("case.c", "static int room = turn(company);\n"),
    ],
)
def test_code_is_no_prose(name: str, text: str) -> None:
    assert prose.findings(name, text) == []


def test_a_finding_has_its_line_and_may_span_two() -> None:
    (found,) = prose.findings("module.py", '"""Adds.\n\nNine were set\naside.\n"""\n')
    assert (found.line, found.words, found.instead) == (3, "set aside", "rejected")


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("One `a b c` two. Three four!\n\nFive", [3, 2, 1]),
        ("# A head\nOne two.\n\n* three four\n* five:\n  six\n", [2, 2, 2, 1, 1]),
        ("| one two | three |\n|---|--:|\n", [2, 1]),
        ("See [it there](a/b.md) at 3.5 ms, e.g. now.\n", [8]),
        ("name      what it is\n", [1, 3]),
    ],
)
def test_a_sentence_ends_at_a_stop_an_item_and_a_cell(text: str, lengths: list[int]) -> None:
    (piece,) = prose.markdown(text)
    assert [len(words) for _, words in prose.sentences(piece[1])] == lengths


def test_history_stays_in_the_changelog() -> None:
    text = "It is faster than before.\n"
    assert prose.findings("DESIGN.md", text)
    assert not prose.findings("CHANGELOG.md", text) and not prose.findings("changes/x.md", text)


def test_sentences_of_a_length_are_listed_with_their_lines() -> None:
    text = "One.\n\nTwo words.\n" + "Many " * 21 + ".\n"
    (found,) = prose.long_sentences("page.md", text, 20)
    assert found.line == 4 and found.instead == "21 words as several sentences"


def test_the_repository_is_clean() -> None:
    names = prose.tracked()
    assert names and list(prose.check(names)) == []
