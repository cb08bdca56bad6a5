"""A user's program, and the folder from which `firmware/Makefile` compiles it."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import named_folder

LEVELS = ("O0", "O1", "O2", "O3", "Os", "Og")
PLAIN = re.compile(r"[\w.=+-]+")
MESSAGE = re.compile(r"^(?P<at>.+?:\d+):(?:\d+:)? (?:fatal )?error: (?P<text>.*)$", re.MULTILINE)
UNDEFINED = re.compile(r"undefined reference to `(\w+)'")
TWICE = re.compile(r"multiple definition of `(\w+)'")
OVERFLOW = re.compile(r"region `(\w+)' overflowed by (\d+) bytes")


@dataclass(frozen=True)
class Memory:
    """How much of the board's memory a program gets, in KiB; None is what its code's memory has.

    `kernel_kib` is the heap of a kernel, beside that of the C library.
    """

    disk_kib: int | None = None
    heap_kib: int | None = None
    stack_kib: int | None = None
    kernel_kib: int | None = None

    def parameters(self) -> tuple[tuple[str, int], ...]:
        """The same as parameters of the build."""
        given = (
            ("disk_kib", self.disk_kib),
            ("heap_kib", self.heap_kib),
            ("stack_kib", self.stack_kib),
            ("kernel_kib", self.kernel_kib),
        )
        return tuple((name, value) for name, value in given if value is not None)


@dataclass(frozen=True)
class Application:
    """A program: its files of C, and how they are compiled, for a board and for the host alike.

    `level` is the optimisation of these files alone; files, C library and kernel are built as
    their laws were measured. `options` are further ones of the compiler.
    """

    sources: tuple[Path, ...]
    level: str = "O2"
    includes: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    memory: Memory = field(default_factory=Memory)

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise CyclescopeError(
                f"there is no optimisation {self.level}: choose one of {', '.join(LEVELS)}",
                code="no-such-optimisation",
            )
        for source in self.sources:
            if not source.is_file():
                raise CyclescopeError(
                    f"there is no file {source}: check the path", code="no-such-source"
                )
        if not self.sources:
            raise CyclescopeError(
                "a program needs a file of C: name at least one", code="no-source"
            )

    def arguments(self, source: Path) -> list[str]:
        """The compiler's options of one file, and the file; those of the board come before."""
        folders = (source.resolve().parent, *(one.resolve() for one in self.includes))
        return [
            f"-{self.level}",
            *(f"-I{folder}" for folder in folders[1:]),
            *(f"-D{one}" for one in self.defines),
            *self.options,
            # A path within an assertion would make the image depend on where its source lies.
            *(f"-fmacro-prefix-map={folder}/=" for folder in dict.fromkeys(folders)),
            str(source.resolve()),
        ]

    def write(self, folder: Path) -> Path:
        """Writes a response file for each source into a folder of their own below `folder`.

        Its name is a hash of them and of what they compile: sources, and headers beside them.
        """
        files = {
            f"{number}-{source.stem}.options": quoted(self.arguments(source))
            for number, source in enumerate(self.sources)
        }
        contents = {
            str(one): hashlib.sha256(one.read_bytes()).hexdigest() for one in self._read_files()
        }
        return named_folder.filled(folder, self.sources[0].stem[:32], files, contents)

    def _read_files(self) -> list[Path]:
        """The sources, and all headers in their folders and in those of `includes`."""
        folders = dict.fromkeys([*(one.parent for one in self.sources), *self.includes])
        headers = (header for folder in folders for header in sorted(folder.glob("*.h")))
        return [*self.sources, *headers]

    def cause(self, errors: str, code: str) -> str | None:
        """Why it cannot be built, in a sentence; None if it is not the program's fault."""
        if message := MESSAGE.search(errors):
            return f"{message['at']}: {message['text']}"
        if lacking := OVERFLOW.search(errors):
            return (
                f"the program does not fit: {lacking[1]} lacks {lacking[2]} bytes; choose less "
                f"disk, heap or stack, another memory than {code} for the code, or a board with "
                "more memory"
            )
        if twice := TWICE.search(errors):
            return (
                f"the program defines {twice[1]} twice, or as the firmware does: rename one of them"
            )
        if undefined := UNDEFINED.search(errors):
            if undefined[1] in ("main", "__real_main"):
                return "the program has no main(): name the file that does"
            return (
                f"the program needs {undefined[1]}, which nothing defines: name the file that does"
            )
        return None


def _quoted(option: str) -> str:
    if PLAIN.fullmatch(option):
        return option
    return '"' + re.sub(r'(["\\])', r"\\\1", option) + '"'


def quoted(options: Sequence[str]) -> str:
    """Options as gcc reads them from a response file."""
    return "\n".join(map(_quoted, options)) + "\n"
