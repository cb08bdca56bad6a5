"""Options of the compiler for a user's own file, as gcc reads them from a file."""

import re
from collections.abc import Sequence
from pathlib import Path

from cyclescope.errors import CyclescopeError

PLAIN = re.compile(r"[\w.=+-]+")


def text(options: Sequence[str], folders: Sequence[Path]) -> str:
    """Options for the compiler; `folders` are that of the file, and those it includes from.

    The names of the user's folders stay out of the image, and a main that the file may have out of
    the way.
    """
    resolved = [folder.resolve() for folder in folders]
    lines = [
        *options,
        *(f"-I{folder}" for folder in resolved[1:]),
        "-Dmain=main_of_fragment",
        *(f"-ffile-prefix-map={folder}=fragment" for folder in dict.fromkeys(resolved)),
    ]
    return "\n".join([*map(_quoted, lines), ""])


def _quoted(option: str) -> str:
    if PLAIN.fullmatch(option):
        return option
    return '"' + re.sub(r'(["\\])', r"\\\1", option) + '"'


def check(includes: Sequence[Path], defines: Sequence[str], libraries: Sequence[str]) -> None:
    """Refuses what no compiler could mean."""
    for folder in includes:
        if not folder.is_dir():
            raise CyclescopeError(
                f"there is no folder {folder} to include files from (-I)", code="no-include-folder"
            )
    for define in defines:
        if not re.match(r"[A-Za-z_]\w*(=|\(|$)", define) or "\n" in define:
            raise CyclescopeError(
                f"-D {define} defines nothing: write -D NAME or -D NAME=VALUE",
                code="define-not-understood",
            )
    for name in libraries:
        if not re.fullmatch(r"[\w.+-]+", name):
            raise CyclescopeError(
                f"-l {name} names no library: write -l m for libm.a", code="library-not-understood"
            )
