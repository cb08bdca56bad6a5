"""Reads what the host's compiler made of a program: its tree after optimisation, with counts.

The text is GCC's dump `-fdump-tree-optimized-lineno-blocks-details` (GIMPLE in SSA form).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

PLACE = re.compile(r"\[([^\[\]\s]+):(\d+):(\d+)(?: discrim \d+)?\] ")
BLOCK = re.compile(r";;   basic block (\d+), loop depth (\d+)(?:, count (.*))?")
EDGE = re.compile(r";;(?:    succ:)? +(\d+|EXIT) \[(always|[\d.]+%)?.*?count:(\d+ \([^()]*\))")
COUNT = re.compile(r"(\d+) \(([^()]*)\)")
STARTS = re.compile(r";;   starting at line (\d+)")
HEADER = re.compile(r"^(?:[A-Za-z_].*?)?\b([A-Za-z_][\w.]*) \((.*)\)$")
DECLARED = re.compile(r"^  (?:static |const )*([^;=]*?[ *])([A-Za-z_][\w.$]*)((?:\[\d*\])*);$")
PHI = re.compile(r"^# (\S+) = PHI <(.*)>$")
PHI_PART = re.compile(r"(?:^|, )(.+?)\((\d+)\)(?=, |$)")
SSA = re.compile(r"(?<![\w.$\"])([A-Za-z_][\w.$]*_\d+|_\d+)(?:\(D\))?(?![\w.$\"])")
"""A value: of a variable, of a part `whole$part` of one, or of a step of an expression."""
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
VIEWED = re.compile(r"VIEW_CONVERT_EXPR<[^<>]+>\(([^()]+(?:\(D\))?)\)")
LEAVES = 1
"""The number of the block behind a function's last one."""
JUMPS = "[jumps]"
"""Behind a call that is a jump: the function that it is of returns in its caller's place."""


Place = tuple[str, int, int]
"""File, line and column."""


@dataclass(frozen=True)
class Statement:
    """A statement of a block, without its place in the text, and that place."""

    text: str
    place: Place


@dataclass(frozen=True)
class Choice:
    """A value that a block takes from the block before it."""

    name: str
    sources: dict[int, str]


@dataclass
class GimpleBlock:
    """A block, how often it executed, and how often each way out of it was taken."""

    number: int
    depth: int
    count: int
    statements: list[Statement] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    ways: dict[int, int] = field(default_factory=dict)
    likely: dict[int, float] = field(default_factory=dict)
    """The share of each way as a compiler without counts guesses it."""


@dataclass
class GimpleFunction:
    """A function after optimisation; `types` are those of its names."""

    name: str
    parameters: tuple[str, ...]
    types: dict[str, str] = field(default_factory=dict)
    arrays: dict[str, bool] = field(default_factory=dict)
    """Variables that lie in memory if they are not in SSA form: True for those in static memory."""
    blocks: list[GimpleBlock] = field(default_factory=list)
    near: frozenset[str] = frozenset()
    """Functions that the compiler knows to be code of this file when it comes to this one."""

    def type_of(self, name: str) -> str:
        """The type of a value in SSA form."""
        if name in self.types:
            return self.types[name]
        return self.types.get(name.rpartition("_")[0], "int")

    @property
    def entered(self) -> int:
        return self.blocks[0].count if self.blocks else 0


def values(text: str) -> list[str]:
    """The SSA names in a text."""
    return SSA.findall(text)


def read(text: str) -> Iterator[GimpleFunction]:
    """All functions of a dump."""
    for part in text.split("\n;; Function ")[1:]:
        found = _function(part.splitlines())
        if found is not None:
            yield found


def _function(lines: list[str]) -> GimpleFunction | None:
    braces = [number for number, line in enumerate(lines) if line == "{"]
    if not braces:
        return None
    header = HEADER.match(PLACE.sub("", lines[braces[0] - 1]))
    if header is None:
        return None
    parameters = tuple(one.strip() for one in header.group(2).split(",") if one.strip())
    found = GimpleFunction(lines[0].split(" (")[0], parameters)
    for one in parameters:
        type_, _, name = one.rpartition(" ")
        found.types[name] = type_
    _body(found, lines[braces[0] + 1 :])
    return found


def _body(found: GimpleFunction, lines: Iterable[str]) -> None:
    block: GimpleBlock | None = None
    place: Place = ("", 0, 0)
    for line in lines:
        if line == "}":
            return
        if match := BLOCK.match(line):
            number, depth, count = match.groups()
            block = GimpleBlock(int(number), int(depth), _count(count))
            found.blocks.append(block)
        elif block is None:
            _declared(found, line)
        elif line.startswith(";;"):
            if (match := EDGE.match(line)) and "pred:" not in line and "prev" not in line:
                _way(block, match)
            elif (match := STARTS.match(line)) and place[0]:
                place = (place[0], int(match.group(1)), 0)
        elif line.strip():
            place = _statement(block, line, place)


def _way(block: GimpleBlock, match: re.Match[str]) -> None:
    if match.string.startswith(";;    succ:") or block.ways:
        way, share, count = match.groups()
        to = LEAVES if way == "EXIT" else int(way)
        block.ways[to] = _count(count)
        block.likely[to] = float(share[:-1]) / 100 if share and share[0] != "a" else 1.0


def _count(text: str | None) -> int:
    """Executions; those that the compiler guessed, for functions that never ran, are none."""
    match = COUNT.match(text or "")
    if match is None:
        return 0
    return 0 if "locally" in match.group(2) else int(match.group(1))


def _declared(found: GimpleFunction, line: str) -> None:
    match = DECLARED.match(PLACE.sub("", line))
    if match:
        type_, name, array = match.groups()
        found.types[name] = type_.strip() + array
        found.arrays[name] = line.lstrip().startswith("static ")


def _statement(block: GimpleBlock, line: str, place: Place) -> Place:
    text = line.strip()
    if text.startswith("#"):
        if match := PHI.match(PLACE.sub("", text)):
            parts = PHI_PART.findall(match.group(2))
            sources = {int(origin): value for value, origin in parts}
            block.choices.append(Choice(match.group(1), sources))
        return place
    if match := PLACE.match(text):
        place = (match.group(1), int(match.group(2)), int(match.group(3)))
    text = VIEWED.sub(r"\1", PLACE.sub("", TEXT.sub('""', text)))
    if "CLOBBER" not in text and not text.startswith(("goto <bb", "else", "<L", "{", "}")):
        block.statements.append(Statement(text, place))
    return place
