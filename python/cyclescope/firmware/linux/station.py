"""The infrared station as a program of Linux, compiled with the C library of the build."""

import fcntl
import hashlib
import os
import subprocess
from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.linux.built import ROOT, LinuxBuild

SOURCES = Path("firmware", "irda")
PORT = SOURCES / "ports" / "linux" / "station.c"
STACK_BYTES = 16_384


def station(built: LinuxBuild, root: Path = ROOT) -> Path:
    """Returns the program, with symbols; compiles it if its sources have changed.

    Raises CyclescopeError with the compiler's first message if it does not compile.
    """
    sources = [*sorted((root / SOURCES).glob("*.c")), root / PORT]
    headers = sorted((root / SOURCES).glob("*.h"))
    key = hashlib.sha256((built.folder / "libc" / ".key").read_bytes())
    for one in (*sources, *headers):
        key.update(one.read_bytes())
    folder = root / "build" / "irda" / "linux"
    folder.mkdir(parents=True, exist_ok=True)
    program, made_of = folder / "station", folder / "station.key"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if program.is_file() and made_of.is_file() and made_of.read_text() == key.hexdigest():
            return program
        _compile(built, [one.relative_to(root) for one in sources], program, root)
        made_of.write_text(key.hexdigest())
    return program


def _compile(built: LinuxBuild, sources: list[Path], program: Path, root: Path) -> None:
    command: list[str | Path] = [
        built.compiler,
        "-std=gnu99",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-o",
        program,
        *sources,
    ]
    environment = os.environ | {"STACK": str(STACK_BYTES), "LC_ALL": "C"}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    if done.returncode:
        message = next((line for line in done.stderr.splitlines() if "error" in line), done.stderr)
        raise CyclescopeError(
            f"the infrared station does not compile ({message.strip()}): mend {SOURCES}",
            code="station-does-not-compile",
        )
