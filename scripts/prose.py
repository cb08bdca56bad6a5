"""Rejects the words of RULES, history and long sentences in prose.

usage: scripts/prose.py [--longer-than WORDS] [PATH …]

Prose is Markdown, comments, docstrings, messages and help. Without PATH, checks every tracked file.
Prints one line for each finding, as FILE:LINE, and exits with 1 if there is any. `--longer-than`
lists the sentences of more than WORDS words instead. CONTRIBUTING.md, "Language", has the reasons.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]

EXEMPT = ("scripts/prose.py", "tests/test_prose.py")
"""Files that quote rejected words."""

HISTORY = ("CHANGELOG.md", "changes")
"""Where history belongs: the rules of PAST leave these out."""

LONGEST_WORDS = 28
"""Words of the longest sentence allowed. Write sentences under 20; few need more."""

RULES = {
    r"tell(s|ing)?|told": "reports, notifies, passes, distinguishes",
    r"cures?": "remedy, hint",
    r"who\s+watch(es)?|watchers?": "observer, instrument",
    r"stretch(es)?": "interval, slice",
    r"turns?": "iteration",
    r"wish(es|ed)?": "stop request",
    r"terms": "thresholds, summands",
    r"signs": "diagnostics",
    r"arrangements?": "experiment design",
    r"stair(case)?s?": "fetch-line periodicity, steps",
    r"suspect(s|ed)?": "candidate factor",
    r"apart": "unclustered, separately, distinguish",
    r"(set|sets|setting)\s+aside": "rejected",
    r"placements?": "background-task state",
    r"(hold|holds|held|holding)\s+(the|its|these)\s+bytes": "track writes",
    r"awaited": "breakpoint",
    r"attention|quiet_until": "next check, horizon",
    r"rooms?": "capacity, space, encoding space",
    r"company": "helper tasks",
    r"(a|an|the|its|each|every|of)\s+closings?": "resource base",
    r"members?": "plugins, fields",
    r"kinds?\s+of\s+results?": "result type",
    r"in\s+words|words\.py": "text",
    r"obs\.\s+max": "max (observed)",
}
"""Rejected words, as patterns of whole words, and what to write instead."""

PAST = {
    r"formerly|previously|nowadays|until\s+now|since\s+version": "what holds, without history",
    r"used\s+to": "what holds, without history",
    r"no\s+longer|any\s?more": "not",
    r"(than|as|unlike)\s+(before|in\s+the\s+past)": "what holds, without history",
    r"(earlier|previous)\s+(versions?|releases?)": "what holds, without history",
}
"""Words of history, which belongs in CHANGELOG.md."""

ALLOWED = (
    r"(is|are|be|was|were|been|being|not|only)\s+used\s+to",  # for a purpose
    r"(as|than)\s+before\s+(the|a|an|it|its|each|this|that)",  # an order of events
    r"in\s+turn",
    r"(in|by)\s+terms\s+of",
    r"(sum\s+of|few)\s+terms|terms\s+of\s+(a|the|its|this)\s+(sum|law|formula|model|series|line)",
    r"apart\s+from|(far|close|cycles?|ticks?|copies|counts?|bytes|lines|layouts|ns|ms)\s+apart",
    r"sample[-\s]and[-\s]hold",
    r"signs?\s+(of|extension|bit)",
    r"is\s+not\s+a\s+member|struct\s+members?|members?\s+of\s+(a|the)\s+(struct|structure|union)",
)
"""Technical uses of these words."""

CLAUSE = re.compile(
    r"(?:\A\s*|[.!?:;]\s+|\n\s*\n\s*|\n\s*(?:[#>*+-]+|\d+\.)\s+|\|\s*)[*_\"“]*"
    r"((?:Who|What)(?:ever)?\s(?!to\s)[^.?!|]*)([.?!|]|\Z)"
)
"""A sentence that begins with Who or What; it is rejected unless it is a question."""

SENTENCE_END = re.compile(
    r"\n\s*\n|\n\s*(?=(?:[-*+]|\d+\.)\s)|\n(?=#)|\|"  # paragraphs, items, headings, cells
    r"|(?<=\S) {3,}(?=\S)|(?<=:)\s*\n|(?<=[.!?])[\"”’)*_]*\s+(?=[^a-z\s])"
)
"""Where a sentence ends. Inline code counts as one word, and may begin a sentence."""

WORD = re.compile(r"\S*\w\S*")

EXAMPLE = re.compile(r"(?m)^\s*>>>.*(?:\n(?!\s*\n).*)*|^ {4,}(?:\S+  |cyclescope ).*$")
"""Examples and columns of a docstring: no sentences."""

MARKDOWN_CODE = (
    r"(?ms)^```.*?^```",
    r"(?s)<!--=.*?<!--/-->",  # written by `make pages`
    r"(?s)<!-- begin of what make.*?<!-- end of it -->",
    r"(?s)<!--.*?-->",
    r"(?m)(?<=\n\n)(?: {4,}.*\n|\n)+",
)
"""Parts of a page that are no prose."""

C_TOKENS = re.compile(
    r"(?P<comment>(?:[ \t]*//[^\n]*\n?)+|/\*.*?\*/)"
    r"|(?P<string>\"(?:\\.|[^\"\\])*\")"
    r"|'(?:\\.|[^'\\\n])'",
    re.S,
)
HASH_TOKENS = re.compile(
    r"(?P<string>\"\"\".*?\"\"\"|\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*')"
    r"|(?P<comment>(?:^[ \t]*#[^\n]*\n?)+|[ \t]#[^\n]*)",
    re.S | re.M,
)
TOKENS = {
    **dict.fromkeys((".rs", ".c", ".h", ".cpp", ".S", ".ld", ".js", ".css"), C_TOKENS),
    **dict.fromkeys((".toml", ".mk", ".sh", ".yml", ".txt"), HASH_TOKENS),
}
"""How comments and strings look, by the file's suffix."""


class Finding(NamedTuple):
    """One rejected use: its line in the file, the words, and what to write instead."""

    line: int
    words: str
    instead: str


def blank(found: re.Match[str]) -> str:
    """Returns as many blanks as the match has characters, with its line breaks."""
    return re.sub(r"[^\n]", " ", found[0])


def line_of(text: str, position: int) -> int:
    """Returns the line, from 1, of a position."""
    return text.count("\n", 0, position) + 1


def markdown(text: str) -> Iterator[tuple[int, str]]:
    """Yields a page without code, link targets and generated parts."""
    for pattern in MARKDOWN_CODE:
        text = re.sub(pattern, blank, text)
    text = re.sub(r"(?m)^(#+ .*)$", r"\1 |", text)  # a heading ends
    yield 1, re.sub(r"\]\([^)]*\)", lambda target: "\n" * target[0].count("\n"), text)


def python(text: str) -> Iterator[tuple[int, str]]:
    """Yields comments, docstrings without their examples, and each line of a literal."""
    for found in re.finditer(r"(?m)(?:^[ \t]*# .*\n?|^[ \t]*#\n)+|(?<=  )# .*", text):
        yield line_of(text, found.start()), found[0].replace("#", " ")
    yielded: set[ast.AST] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.JoinedStr):
            yielded |= set(node.values)
            parts = (one.value if isinstance(one, ast.Constant) else "0" for one in node.values)
            yield from enumerate("".join(map(str, parts)).split("\n"), node.lineno)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yielded.add(node.value)
            yield node.lineno, re.sub(EXAMPLE, blank, str(node.value.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in yielded:
            yield from enumerate(node.value.split("\n"), node.lineno)


def tokens(text: str, kinds: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Yields comments and strings of a language whose tokens are given."""
    for found in kinds.finditer(text):
        if found["comment"] is not None:
            marks = r"(?m)//[/!]?|/\*|\*/|^\s*\*|#"
            yield line_of(text, found.start()), re.sub(marks, blank, found["comment"])
        elif found["string"] is not None:
            yield line_of(text, found.start()), found["string"][1:-1]


def html(text: str) -> Iterator[tuple[int, str]]:
    """Yields the text of a page of the report without scripts, styles and tags."""
    yield 1, re.sub(r"(?s)<(script|style).*?</\1>|<[^>]*>|\{[{%].*?[%}]\}", blank, text)


def pieces(name: str, text: str) -> Iterator[tuple[int, str]]:
    """Yields pieces of prose of a file, each with its first line; nothing for other files."""
    path = Path(name)
    if path.suffix == ".md":
        yield from markdown(text)
    elif path.suffix in (".py", ".pyi"):
        yield from python(text)
    elif path.suffix == ".html":
        yield from html(text)
    elif path.name == "Makefile":
        yield from tokens(text, HASH_TOKENS)
    elif path.suffix in TOKENS:
        yield from tokens(text, TOKENS[path.suffix])


def sentences(piece: str) -> Iterator[tuple[int, list[str]]]:
    """Yields the words of each sentence, with the line it begins in, from 0."""
    piece = re.sub(r"`[^`]*`", lambda code: "CODE" + "\n" * code[0].count("\n"), piece)
    line = 0
    for text in re.split(f"({SENTENCE_END.pattern})", piece):
        blanks = len(text) - len(text.lstrip())
        if words := WORD.findall(text):
            yield line + text.count("\n", 0, blanks), words
        line += text.count("\n")


def prose(name: str, text: str) -> Iterator[tuple[int, str]]:
    """Yields the pieces of a file that have a blank, each with its first line."""
    yield from (one for one in pieces(name, text) if " " in one[1].strip())


def long_sentences(name: str, text: str, most: int) -> Iterator[Finding]:
    """Yields every sentence of a file of more than `most` words."""
    for first, piece in prose(name, text):
        for line, words in sentences(piece):
            if len(words) > most:
                shown = f"{' '.join(words[:6])} … {' '.join(words[-2:])}"
                yield Finding(first + line, shown, f"{len(words)} words as several sentences")


def findings(name: str, text: str) -> list[Finding]:
    """Returns every rejected use in a file, by line. Text without a blank is no prose."""
    found = set(long_sentences(name, text, LONGEST_WORDS))
    rules = RULES if within(name, HISTORY) else RULES | PAST
    for first, piece in prose(name, text):
        for allowed in (r"`[^`]*`", *(rf"(?i)\b(?:{one})\b" for one in ALLOWED)):
            piece = re.sub(allowed, blank, piece)
        for rule, instead in rules.items():
            for hit in re.finditer(rf"(?i)(?<![\w./-])(?:{rule})(?![\w/]|\.\w)", piece):
                at = first + line_of(piece, hit.start()) - 1
                found.add(Finding(at, " ".join(hit[0].split()), instead))
        for hit in CLAUSE.finditer(piece):
            if hit[2] != "?":
                at = first + line_of(piece, hit.start(1)) - 1
                found.add(Finding(at, " ".join(hit[1].split()[:4]), "a subject"))
    return sorted(found)


def tracked() -> list[str]:
    """Returns the files of the repository, relative to ROOT."""
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def within(name: str, folders: tuple[str, ...]) -> bool:
    """True if the file is one of these paths or lies below one."""
    return any(name == one or name.startswith(f"{one.rstrip('/')}/") for one in folders)


def check(names: list[str], longer_than: int | None = None) -> Iterator[str]:
    """Yields a line for each finding in these files, or for each sentence longer than this."""
    for name in names:
        path = ROOT / name
        if name in EXEMPT or path.is_symlink() or not path.is_file():
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        found = findings(name, text)
        if longer_than is not None:
            found = sorted(set(long_sentences(name, text, longer_than)))
        for line, words, instead in found:
            yield f"{name}:{line}: “{words}”: write {instead}"


def main(arguments: list[str]) -> int:
    """Prints the findings; returns the exit code."""
    longer_than = None
    if arguments[:1] == ["--longer-than"]:
        longer_than, arguments = int(arguments[1]), arguments[2:]
    chosen = tuple(arguments)
    names = [name for name in tracked() if not chosen or within(name, chosen)]
    found = list(check(names, longer_than))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
