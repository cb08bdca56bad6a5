"""Writes a layout: a linker script that gives every function a place of its own.

A layout is named by its seed and its number, from 1. Functions stand in a random order, and each at
a place in its flash line that the design chooses. Called by the Makefile with the map of the plain
link, which names the sections of the image; needs nothing but Python.
"""

import random
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

LINE_BYTES = 16
STEP_BYTES = 4
PLACES = LINE_BYTES // STEP_BYTES
ROUND = PLACES * PLACES
"""Layouts after which the design begins anew, with other draws."""
TIMES = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
"""Multiplication in the field of four elements; its addition is exclusive or."""

SITE = re.compile(r"(\.text\.timed\..+)_(?:real|empty)")
"""A function that makes timed calls: the real one and its empty twin lie alike."""
STAY = {".text.start", ".text.timed", ".text.timed.empty_call", ".text.timed.empty_pair"}
"""Sections that no layout moves: start-up, a fragment's copies, and the empty call."""
OUTPUTS = (".timed", ".text")
INPUT = re.compile(r"^ (\.text\S*)\s+0x[0-9a-f]+\s+0x([0-9a-f]+) (\S+)$", re.MULTILINE)

Section = tuple[str, str]
"""The file it comes from, and its name."""


def sections(link_map: str) -> Iterator[Section]:
    """The sections with code that the plain link has, each once, in its order."""
    listing = link_map.split("Linker script and memory map", 1)[1]
    # A long name stands on a line of its own.
    listing = re.sub(r"^( \.text\S*)\n\s+(?=0x)", r"\1 ", listing, flags=re.MULTILINE)
    found: dict[Section, None] = {}
    for output in re.split(r"^(?=\.)", listing, flags=re.MULTILINE):
        if output.split(maxsplit=1)[:1] and output.split(maxsplit=1)[0] in OUTPUTS:
            for name, size, file in INPUT.findall(output):
                if int(size, 16) and name not in STAY:
                    found[file, name] = None
    return iter(found)


def place(name: Section, number: int, seed: int) -> int:
    """Which word of its line a function begins with.

    The columns of an orthogonal array. They are i, i + b, i + 2b, i + 3b over the field of four
    elements, with i and b the digits of the layout's number. Functions that make timed calls have
    the first and all others one of the rest. So of 16 layouts no two have a call and its callee
    alike. In four layouts one after the other each function has every place once.
    """
    rounds, rest = divmod(number - 1, ROUND)
    b, i = divmod(rest, PLACES)
    site = SITE.fullmatch(name[1])
    # Folders of objects are named by the configuration, so only the object's own name counts. A
    # renamed source file has other layouts, and its figures change.
    text = site[1] if site else f"{Path(name[0]).name} {name[1]}"
    draw = random.Random(f"{seed} {rounds} {text}")
    column = 0 if site else draw.randrange(1, PLACES)
    return draw.sample(range(PLACES), PLACES)[i ^ TIMES[column][b]]


def script(found: Iterable[Section], number: int, seed: int) -> str:
    """The linker script of a layout."""
    order = list(found)
    random.Random(f"{seed} {number}").shuffle(order)
    lines = [f"/* Layout {number} of seed {seed}. */"]
    for section in order:
        file, name = section
        at = place(section, number, seed) * STEP_BYTES
        # The next place in a line that is free, and no whole line left over.
        lines.append(f". = ALIGN(. - {at}, {LINE_BYTES}) + {at}; {_pattern(file)}({name})")
    return "\n".join(lines) + "\n"


def _pattern(file: str) -> str:
    """A file as linker scripts name it; an object of a library is `library(object)` in a map."""
    parts = re.fullmatch(r"(.+)\((.+)\)", file)
    return f'"{parts[1]}:{parts[2]}"' if parts else f'"{file}"'


def main() -> None:
    link_map, number, seed = sys.argv[1:]
    print(script(sections(Path(link_map).read_text()), int(number), int(seed)), end="")


if __name__ == "__main__":
    main()
