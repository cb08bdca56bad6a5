"""A program's image with positions in its preprocessed text, in which each token has its own.

In the user's files all that a macro writes has one position, and a file that is included twice has
the same ones twice. So the target's compiler preprocesses each unit and compiles that text. The
code is the same, by its bytes. Counts of the host are moved into this text, token by token.
"""

import re
import subprocess
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property
from typing import NamedTuple

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import named_folder
from cyclescope.firmware.application import BuiltApplication, build_application
from cyclescope.firmware.application.build import CompileCommand
from cyclescope.firmware.build import ROOT
from cyclescope.firmware.program import Program
from cyclescope.sources.counts import SourceCounts, SourceSpan
from cyclescope.sources.user_text import LineOfEntry, Token, pieces, tokens, user_lines

FOLDER = ROOT / "build" / "flattened"
FIRMWARE = ROOT / "firmware"
"""Where the compiler runs."""
LONGEST_LINE = 1000
"""GCC has no columns beyond 4,095."""
MOST_LONGER = 0.05
BREAKS = (b";", b"{", b"}", b",")
"""Tokens behind which a long line may be broken; behind all but the last every line is."""
NAME = re.compile(rb"\w")
DIRECTIVE = re.compile(rb"\s*#")


class FlatToken(NamedTuple):
    """A token of the target's text and its place in the flattened one: line, column, end."""

    text: bytes
    line: int
    column: int
    end: int


Place = tuple[int, int]


class FlatUnit:
    """A unit's text without markers, on lines of its own, and where these are from."""

    def __init__(self, text: bytes) -> None:
        self.lines: list[bytes] = []
        self.origins: list[tuple[str, int]] = []
        """Of each line the user's file, by its name without folders, and its line."""
        self.tokens: dict[LineOfEntry, list[FlatToken]] = {}
        for piece in pieces(text):
            line = piece.line
            for row in text[piece.begin : piece.end].split(b"\n"):
                if DIRECTIVE.match(row):
                    self._begin(piece.file, line)
                    self.lines[-1] = row
                elif row.strip():
                    key = LineOfEntry(piece.file, piece.entry, line)
                    self._add(row, key, piece.is_system)
                line += 1

    def _begin(self, file: str, line: int) -> None:
        self.lines.append(b"")
        self.origins.append((file, line))

    def _add(self, row: bytes, key: LineOfEntry, is_system: bool) -> None:
        self._begin(key.file, key.line)
        if is_system and len(row) < LONGEST_LINE:
            self.lines[-1] = row
            return
        behind, last = 0, b""
        for one in tokens(row, 0, len(row)):
            full = len(self.lines[-1]) > LONGEST_LINE
            if last in BREAKS and (full or (last != BREAKS[-1] and not is_system)):
                self._begin(key.file, key.line)
            elif one.begin > behind:
                self.lines[-1] += b" "
            column = len(self.lines[-1]) + 1
            self.lines[-1] += one.text
            behind, last = one.end, one.text
            if not is_system:
                flat = FlatToken(one.text, len(self.lines), column, column + len(one.text))
                self.tokens.setdefault(key, []).append(flat)

    @property
    def twins(self) -> Iterator[tuple[int, ...]]:
        """Lines that begin the same text up to the end of what one line of the user became.

        The compiler may join their code, and keep the positions of one.
        """
        found: dict[bytes, list[int]] = defaultdict(list)
        rest, of = b"", None
        for number in range(len(self.lines), 0, -1):
            origin = self.origins[number - 1]
            rest = self.lines[number - 1] + b"\n" + (rest if origin == of else b"")
            of = origin
            if NAME.search(self.lines[number - 1]):
                found[rest].append(number)
        return (tuple(sorted(lines)) for lines in found.values() if len(lines) > 1)

    @property
    def text(self) -> str:
        return b"\n".join(self.lines).decode("latin-1") + "\n"


class MovedText:
    """Where the host's tokens are in a flattened unit."""

    def __init__(self, text: str, unit: FlatUnit) -> None:
        lines = user_lines(text.encode("latin-1"))
        found: list[tuple[int, int, FlatToken | None]] = []
        for key, held in lines.items():
            twins = _twins(held, unit.tokens.get(key, []))
            found += [(one.begin, one.end, twin) for one, twin in zip(held, twins, strict=True)]
        self._found = sorted(found, key=lambda one: one[:2])
        self._begins = [begin for begin, _, _ in self._found]

    def span(self, begin: int, end: int) -> tuple[Place, Place] | None:
        """The places of the first token and of the end of the last one in these bytes."""
        held = self._found[bisect_left(self._begins, begin) : bisect_left(self._begins, end)]
        twins = [twin for _, _, twin in held if twin is not None]
        if not twins:
            return None
        return (twins[0].line, twins[0].column), (twins[-1].line, twins[-1].end)

    def at(self, offset: int) -> Place:
        """The place of the token at a byte, or of the nearest before it that has one."""
        index = bisect_right(self._begins, offset) - 1
        while index >= 0:
            twin = self._found[index][2]
            if twin is not None:
                return twin.line, twin.column
            index -= 1
        return 0, 0


def _twins(host: list[Token], target: list[FlatToken]) -> list[FlatToken | None]:
    """The target's token for each of the host's: macros of system headers differ."""
    here, there = [one.text for one in host], [one.text for one in target]
    if here == there:
        return [*target]
    found: list[FlatToken | None] = [None] * len(host)
    for one in SequenceMatcher(None, here, there, autojunk=False).get_matching_blocks():
        found[one.a : one.a + one.size] = target[one.b : one.b + one.size]
    return found


@dataclass(frozen=True)
class Flattened:
    """The image of a program built from its flattened units."""

    built: BuiltApplication
    units: tuple[FlatUnit, ...]
    longer: float = 0.0
    """By what share its own code is longer than that of the first image."""

    @cached_property
    def elf(self) -> bytes:
        return self.built.image.elf.read_bytes()

    def origin(self, file: str, line: int) -> tuple[str, int] | None:
        """The user's file, by its name without folders, and the line of a line of a unit."""
        for unit, path in zip(self.units, self.built.application.sources, strict=True):
            if path.name == file and 0 < line <= len(unit.origins):
                return unit.origins[line - 1]
        return None

    def of_one_side(self, counts: SourceCounts) -> list[tuple[str, int]]:
        """The user's lines that only the host, or only the target, compiles: file and line."""
        found = set[tuple[str, int]]()
        for text, unit in zip(counts.texts, self.units, strict=True):
            here = {line[::2] for line in user_lines(text.encode("latin-1"))}
            there = {line[::2] for line in unit.tokens}
            found |= here ^ there
        return sorted(found)

    @property
    def twins(self) -> dict[tuple[str, int], tuple[int, ...]]:
        """By unit and line, the lines whose code the compiler may join with that of the line."""
        return {
            (path.name, line): lines
            for unit, path in zip(self.units, self.built.application.sources, strict=True)
            for lines in unit.twins
            for line in lines
        }

    def moved(self, counts: SourceCounts) -> SourceCounts:
        """The counts with places in the flattened units."""
        paths = self.built.application.sources
        texts = [MovedText(text, unit) for text, unit in zip(counts.texts, self.units, strict=True)]
        unit_of = {
            region: function.unit for function in counts.functions for region in function.regions
        }

        def place(one: int, expanded: int) -> dict[str, object]:
            unit = unit_of[one]
            line, column = texts[unit].at(expanded)
            return {"file": str(paths[unit]), "line": line, "column": column}

        def spans(unit: int, expanded: Iterable[tuple[int, int]]) -> Iterator[SourceSpan]:
            for begin, end in expanded:
                found = texts[unit].span(begin, end)
                if found is not None:
                    yield SourceSpan(file=str(paths[unit]), begin=found[0], end=found[1])

        regions = []
        for region in counts.regions:
            unit = unit_of[region.id]
            update: dict[str, object] = {"spans": tuple(spans(unit, region.expanded))}
            if region.condition is not None:
                update["condition"] = next(spans(unit, [region.decided]), None)
            regions.append(region.model_copy(update=update))
        return counts.model_copy(
            update={
                "regions": tuple(regions),
                "calls": tuple(
                    one.model_copy(update=place(one.region, one.expanded)) for one in counts.calls
                ),
                "operands": tuple(
                    one.model_copy(update=place(one.region, one.expanded))
                    for one in counts.operands
                ),
            }
        )


def flattened(built: BuiltApplication) -> Flattened:
    """Builds the same image from flattened units. Refuses one whose code differs.

    Without optimisation GCC puts instructions that do nothing between positions. Then the code may
    be longer, or shorter, by a share of MOST_LONGER.
    """
    units = tuple(FlatUnit(_preprocessed(one)) for one in built.commands)
    application = built.application
    names = [f"{number}-{one.stem}.i" for number, one in enumerate(application.sources)]
    files = {name: unit.text for name, unit in zip(names, units, strict=True)}
    folder = named_folder.filled(FOLDER, application.sources[0].stem[:32], files)
    twin = replace(
        application, sources=tuple(folder / name for name in names), includes=(), defines=()
    )
    found = build_application(twin, replace(built.configuration, application=None, parameters=()))
    if _loaded(found) != _loaded(built):
        longer = _own_bytes(found) / _own_bytes(built) - 1
        if application.level == "O0" and abs(longer) <= MOST_LONGER:
            return Flattened(found, units, longer)
        raise CyclescopeError(
            f"the image of {application.sources[0]} differs when its preprocessed text is "
            "compiled: choose the way run, and report this program",
            code="flattened-image-differs",
        )
    return Flattened(found, units)


def _own_bytes(built: BuiltApplication) -> int:
    return sum(end - begin for begin, end, owner in built.owners if owner == "program")


def _loaded(built: BuiltApplication) -> object:
    return Program(built.image.elf.read_bytes()).loaded


def _preprocessed(command: CompileCommand) -> bytes:
    arguments = [one for one in command.arguments if one != "-c"]
    done = subprocess.run([*arguments, "-E"], capture_output=True, cwd=FIRMWARE)
    if done.returncode:
        raise CyclescopeError(
            f"{command.file} cannot be preprocessed for the target: "
            f"{done.stderr.decode(errors='replace').strip()}; correct the source or its options",
            code="source-not-preprocessed",
        )
    return done.stdout
