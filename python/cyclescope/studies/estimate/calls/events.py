"""Events of a board's streams and files: their names, and how often each case meets them.

A call of a stream or a file is not of one condition: it goes through buffers, caches, logs and
lists of blocks. The model (`sources/runtime/board/`) counts what it goes through. So parts are
priced: `parts.py` finds from the laws of cases what each part takes.
"""

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from cyclescope.firmware.build import ROOT
from cyclescope.sources import board_model
from cyclescope.sources.host_compiler import host_compiler

COPIES = ("copy_short", "copy_aligned", "copy_unaligned", "clear")
"""Kinds of copies, whose x is the size."""
BY_CALLER = frozenset(("lfs_bd_read", "put_bytes"))
"""Events distinguished by the function that they come from; its loops are in their time."""
BY_KIND = frozenset(("conversions", "double_digits", "scanned"))
"""Those whose x is the letter of a conversion."""
ALIKE = {**dict.fromkeys("ui", "d"), **dict.fromkeys("Xop", "x"), "E": "e", "F": "f", "G": "g"}
"""Conversions that cost as others do, which have cases."""
CASES = ROOT / "firmware" / "cases"
FILES = (
    *("files_descriptors", "files_paths", "files_streams", "files_text"),
    *("streams", "formatting", "sorting"),
)
OWN_NAMES = frozenset(("streams",))
"""Files of cases with names that the model's runner has too."""
CASE_DISK = (
    *("-DDISK_BLOCK_COUNT=128", "-DDISK_LOOKAHEAD_BYTES=8", "-DFILES_OPEN_AT_ONCE=4"),
    *(f"-DLFS_{one}" for one in board_model.QUIET),
)
"""The disk of cases on lpc2148-lab (docs/reference/files.md)."""
Met = Counter[tuple[str, int]]
"""Parts, or copies with their sizes, and how often."""


@cache
def _names() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Functions, and all kinds of events, by number (runtime/board/events.h)."""
    text = (board_model.FOLDER / "events.h").read_text()
    functions = text.partition("#define FUNCTIONS(X)")[2].partition("#define AMOUNTS(X)")
    found = [tuple(re.findall(r"X\((\w+)\)", one)) for one in (functions[0], functions[2])]
    return found[0], (*found[0], *found[1], *COPIES)


def part(kind: int, x: int) -> tuple[str, int]:
    """The part that an event is of, or the copy and its size."""
    functions, names = _names()
    name = names[kind]
    if name in COPIES:
        return name, x
    if name in BY_CALLER:
        return f"{name}<{names[x] if x != len(functions) or name == 'put_bytes' else 'program'}", 0
    if name in BY_KIND:
        return f"{name} {ALIKE.get(chr(x), chr(x))}", 0
    return (f"{name} {x}", 0) if name == "texts" else (name, 0)


def of_cases() -> dict[str, dict[int, Met]]:
    """The events of each case at some x, by the model on this machine."""
    found: dict[str, dict[int, Met]] = {}
    for case, x, kind, other, times in _met():
        points = found.setdefault(case, {}).setdefault(x, Counter())
        if kind is not None:
            points[part(kind, other)] += times
    return found


def _met() -> Iterator[tuple[str, int, int | None, int, int]]:
    compiler, folder = host_compiler(), board_model.FOLDER
    folders = (CASES, CASES / "arch" / "arm", ROOT / "firmware" / "include")
    includes = [f"-I{folder / 'cases'}", *board_model.INCLUDES, *(f"-I{one}" for one in folders)]
    counted = ("-finstrument-functions", *board_model.INCLUDES, *CASE_DISK)
    objects = [
        board_model.compiled(compiler, folder / "files.c", counted),
        board_model.compiled(compiler, folder / "formats.c", board_model.INCLUDES),
        board_model.compiled(compiler, folder.parent / "sort.c", board_model.INCLUDES),
    ]
    with TemporaryDirectory() as scratch:
        for name in FILES:
            options = [*includes, *CASE_DISK, f'-DCASES="{CASES / name}.c"']
            options += ["-DOWN_NAMES"] if name in OWN_NAMES else []
            made, program = Path(scratch) / f"{name}.o", Path(scratch) / name
            compiler.compiled(folder / "cases" / "run_cases.c", made, tuple(options))
            compiler.run((*compiler.types, str(made), *map(str, objects), "-o", str(program)))
            text = subprocess.run([program], capture_output=True, text=True, check=True).stdout
            for line in text.splitlines():
                case, x, kind, other, times = line.split()
                yield case, int(x), None if kind == "-" else int(kind), int(other), int(times)
