"""Types of a dump's values: their bits, and whether they are signed or floating."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

TYPEDEF = re.compile(r"\btypedef\s+([^;{}()]+?)\b(\w+)\s*;")
CONSTANT = re.compile(r"\bconst\b[^;=(){}*]*?\b(\w+)\s*(?:\[[^\]]*\]\s*)+=")
ATTRIBUTE = re.compile(r"__attribute__\s*\(\(.*?\)\)", re.DOTALL)
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')
FUNCTION = re.compile(r"(\w+)\s*\(")
PACKED = re.compile(r"__attribute__\s*\(\(\s*(?:__packed__|packed)\b.*?\)\)", re.DOTALL)
ANYWHERE = re.compile(r"\btypedef\b([^;{}]*\b(?:__)?aligned(?:__)?\s*\(\s*1\s*\)[^;{}]*);")
TAG = re.compile(r"\s*(\w+)\s*[;{]")
BEFORE = re.compile(r"\b(?:struct|union)\s+(\w+)?\s*$")
REGISTER = re.compile(r"\bregister\b([^;(){}]*)")
NAMED = re.compile(r"(\w+)\s*(?:=.*|\[.*)?$", re.DOTALL)
SIZED = re.compile(r"\bu?int(?:_least|_fast)?(8|16|32|64)_t\b")
STATIC = re.compile(r"\bstatic\b[^;{}=()]*?(\w+)\s*\(")
WORDS = ("const", "volatile", "register", "__restrict", "restrict")


@dataclass(frozen=True)
class Width:
    """Bits of a value, and its kind: `i` signed, `u` unsigned, `f` floating."""

    bits: int
    kind: str


WORD = Width(32, "i")
POINTER = Width(32, "u")


@dataclass
class Types:
    """Types by name, as the program defines them."""

    defined: Mapping[str, str] = field(default_factory=dict)
    constants: frozenset[str] = frozenset()
    """Arrays that lie with the code."""
    registers: frozenset[str] = frozenset()
    """Variables that functions declare with `register`: `function variable`."""
    packed: frozenset[str] = frozenset()
    """Structures, unions and other types whose values may lie at any address."""
    _known: dict[str, Width] = field(default_factory=dict)

    def width(self, name: str) -> Width:
        """The width of a type; aggregates count as words."""
        if name not in self._known:
            self._known[name] = self._found(name)
        return self._known[name]

    def _found(self, name: str, depth: int = 0) -> Width:
        if "*" in name:
            return POINTER
        words = [one for one in re.sub(r"\[.*", "", name).split() if one not in WORDS]
        text = " ".join(words)
        if match := SIZED.fullmatch(text):
            return Width(int(match.group(1)), "u" if text.startswith("u") else "i")
        if len(words) == 1 and text in self.defined and depth < 10:
            return self._found(self.defined[text], depth + 1)
        unsigned = "unsigned" in words
        if "double" in words:
            return Width(64, "f")
        if "float" in words:
            return Width(32, "f")
        if "_Bool" in words or (words and words[-1] == "char"):
            # A plain char is unsigned on ARM.
            return Width(8, "i" if "signed" in words else "u")
        if "short" in words:
            return Width(16, "u" if unsigned else "i")
        if words.count("long") == 2 or text == "long long":
            return Width(64, "u" if unsigned else "i")
        return Width(32, "u" if unsigned or text in ("sizetype", "size_t") else "i")


def types_of(texts: Iterable[str]) -> Types:
    """The types that preprocessed sources define."""
    found: dict[str, str] = {}
    constants = set[str]()
    registers = set[str]()
    packed = set[str]()
    for text in texts:
        packed.update(_packed(text) if "__attribute__" in text else ())
        constants.update(CONSTANT.findall(text))
        registers.update(_asked(text) if "register" in text else ())
        for definition, name in TYPEDEF.findall(text):
            found.setdefault(name, definition.strip())
    return Types(found, frozenset(constants), frozenset(registers), frozenset(packed))


def static_functions(text: str) -> frozenset[str]:
    """The functions that a preprocessed file declares `static`."""
    return frozenset(STATIC.findall(ATTRIBUTE.sub("", QUOTED.sub("", text))))


def _packed(text: str) -> Iterator[str]:
    """The names of types that a preprocessed file packs, or aligns to a byte."""
    for attribute in PACKED.finditer(text):
        if name := TAG.match(text, attribute.end()):
            yield name.group(1)
        before = text[: attribute.start()].rstrip()
        if before.endswith("}"):
            before = before[: _opening(before)]
        if tag := BEFORE.search(before):
            yield from (one for one in tag.groups() if one)
    for definition in ANYWHERE.findall(text):
        yield re.findall(r"\w+", ATTRIBUTE.sub("", definition))[-1]


def _opening(text: str) -> int:
    """Where the brace is that the one at the end of a text closes."""
    depth = 0
    for brace in reversed(list(re.finditer("[{}]", text))):
        depth += 1 if brace.group() == "}" else -1
        if depth == 0:
            return brace.start()
    return 0


def _asked(text: str) -> Iterator[str]:
    """The variables that each function of a preprocessed file declares with `register`."""
    text = QUOTED.sub("", text)
    depth = start = 0
    for brace in re.finditer("[{}]", text):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            part = text[start : brace.end()]
            start = brace.end()
            function = FUNCTION.search(ATTRIBUTE.sub("", part.partition("{")[0].rpartition(";")[2]))
            if function is None:
                continue
            for declared in REGISTER.findall(part):
                for one in declared.split(","):
                    if name := NAMED.search(one.strip()):
                        yield f"{function.group(1)} {name.group(1)}"
