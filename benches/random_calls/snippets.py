"""Random snippets of C that call one function, and programs made of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

SNIPPETS = 6
"""In a program: so many conditions of one function."""
HEAD = """\
#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

volatile unsigned seen;
"""


@dataclass(frozen=True)
class Snippet:
    """Statements of a function of their own, and what they need in front of it."""

    what: str
    """The condition, for readers."""
    body: str
    data: str = ""


Drawer = Callable[[Random, int], Snippet]
"""Draws a snippet; the number makes names of its data unique."""


@dataclass(frozen=True)
class Subject:
    """A function of the library or of the compiler, and how calls of it are drawn."""

    name: str
    family: str
    draw: Drawer


@dataclass(frozen=True)
class DrawnProgram:
    """A program that calls one function in several random conditions."""

    subject: Subject
    snippets: tuple[Snippet, ...]
    text: str


def drawn(subject: Subject, seed: int) -> DrawnProgram:
    """The program of a function and a seed; the same again for the same ones."""
    random = Random(f"{seed} {subject.name}")
    snippets = tuple(subject.draw(random, at) for at in range(SNIPPETS))
    functions = [
        f"{one.data}\nstatic __attribute__((noinline)) void snippet_{at}(void) {{\n"
        f"    seen += {at};\n{one.body}\n}}\n"
        for at, one in enumerate(snippets)
    ]
    calls = "".join(f"    snippet_{at}();\n" for at in range(len(snippets)))
    text = f"{HEAD}\n{''.join(functions)}\nint main(void) {{\n{calls}    return 0;\n}}\n"
    return DrawnProgram(subject, snippets, text)


def quoted(text: str | bytes) -> str:
    """A literal of C; three octal digits leave no doubt where an escape ends."""
    data = text.encode("latin-1") if isinstance(text, str) else text
    plain = {ord('"'): '\\"', ord("\\"): "\\\\", ord("?"): "\\?"}
    return (
        '"' + "".join(plain.get(b, chr(b) if 32 <= b < 127 else f"\\{b:03o}") for b in data) + '"'
    )


def array(kind: str, name: str, values: Sequence[object]) -> str:
    """A global array, which the compiler cannot fold."""
    return f"{kind} {name}[] = {{{', '.join(map(str, values))}}};\n"


class Pool:
    """Bytes of many strings, one behind the other, with random spaces between them."""

    def __init__(self, random: Random) -> None:
        self._random, self._bytes = random, bytearray()

    def put(self, text: str | bytes, aligned: bool = False) -> int:
        """Where the string begins, which ends with a zero."""
        self._bytes += bytes(self._random.randrange(4))
        if aligned:
            self._bytes += bytes(-len(self._bytes) % 4)
        at = len(self._bytes)
        self._bytes += (text.encode("latin-1") if isinstance(text, str) else text) + b"\0"
        return at

    def declared(self, name: str, spare: int = 0) -> str:
        """The array, which begins at a word."""
        size = len(self._bytes) + 1 + spare
        literal = "\n".join(
            quoted(bytes(self._bytes[at : at + 80])) for at in range(0, len(self._bytes), 80)
        )
        return f"char {name}[{size}] __attribute__((aligned(8))) =\n{literal or quoted('')};\n"


def length(random: Random) -> int:
    """Of a string: most are short, some are long."""
    return random.choice(
        (random.randrange(4), random.randrange(12), random.randrange(40), random.randrange(200))
    )


def word(random: Random, size: int | None = None, letters: str = "abcdefghijklmnop -XYZ019") -> str:
    """A text of random letters."""
    return "".join(random.choice(letters) for _ in range(length(random) if size is None else size))
