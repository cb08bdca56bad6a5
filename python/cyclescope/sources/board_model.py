"""The model of a board's streams and files that counted programs go through beside their own.

It is littlefs itself with the board's disk, and newlib-nano's streams (`runtime/board/`).
"""

import hashlib
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from cyclescope.firmware.build import ROOT, alone
from cyclescope.sources.host_compiler import RUNTIME, HostCompiler
from cyclescope.sources.syntax import SourceError

FOLDER = RUNTIME / "board"
PACKAGES = ROOT / "build" / "packages"
LITTLEFS = PACKAGES / "littlefs2-sys" / "littlefs"
FILES = ROOT / "firmware" / "files"
KEPT = ROOT / "build" / "board-model"
"""Objects, by a hash of what they are made of."""
QUIET = ("NO_MALLOC", "NO_ASSERT", "NO_DEBUG", "NO_WARN", "NO_ERROR")
DISK = (
    *("-DDISK_BLOCK_COUNT=2048", "-DDISK_LOOKAHEAD_BYTES=256", "-DFILES_OPEN_AT_ONCE=8"),
    *("-DFILES_NO_INPUT", *(f"-DLFS_{one}" for one in QUIET)),
)
"""The disk of an application (firmware/application/application.mk), 512 KiB."""
INCLUDES = (f"-I{FOLDER}", f"-I{FILES}", f"-I{LITTLEFS}")
UNITS = {"files": ("-finstrument-functions", *DISK), "formats": (), "shadow": ()}


def objects(compiler: HostCompiler) -> list[Path]:
    """The model's objects for this machine, compiled if they are not there."""
    _fetch()
    options = {name: (*INCLUDES, *own) for name, own in UNITS.items()}
    return [compiled(compiler, FOLDER / f"{name}.c", own) for name, own in options.items()]


def compiled(compiler: HostCompiler, source: Path, options: Sequence[str]) -> Path:
    """The object of one file of the model."""
    content = b"".join(path.read_bytes() for path in (source, *_read()))
    key = hashlib.sha256(repr((compiler, source.name, tuple(options))).encode() + content)
    kept = KEPT / f"{source.stem}-{key.hexdigest()[:16]}.o"
    if not kept.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=KEPT) as scratch:
            made = Path(scratch) / kept.name
            compiler.compiled(source, made, tuple(options))
            made.rename(kept)
    return kept


@cache
def _read() -> tuple[Path, ...]:
    """All that the model's files include."""
    folders = (FOLDER, FILES, LITTLEFS)
    found = [path for folder in folders for path in folder.glob("*.[ch]")]
    return (*sorted(found), RUNTIME / "counted.h")


def _fetch() -> None:
    """littlefs, as the firmware's build fetches it."""
    if (LITTLEFS / "lfs.c").exists():
        return
    # The makefile names its targets from its own folder.
    command = ["make", "-s", "-C", str(ROOT / "firmware"), "../build/packages/ready"]
    with alone(ROOT / "build") as held:
        done = subprocess.run(command, capture_output=True, text=True, pass_fds=held)
    if done.returncode or not (LITTLEFS / "lfs.c").exists():
        reason = (done.stderr.strip().splitlines() or ["its files are not there"])[-1]
        raise SourceError(
            f"littlefs, by which files are counted, cannot be fetched ({reason}): try again where "
            "cargo reaches crates.io",
            code="littlefs-missing",
        )
