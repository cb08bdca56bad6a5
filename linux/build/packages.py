"""Debian's packages, from a private list of sources: nothing of the system changes."""

import os
import shutil
from pathlib import Path
from subprocess import run as run_process

from private_apt import PrivateApt
from steps import run

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.linux.keys import BINARIES, SOURCES, sources_list

TOOLS = {
    "apt-get": "apt", "arm-none-eabi-gcc": "gcc-arm-none-eabi", "bc": "bc", "bison": "bison",
    "bzip2": "bzip2", "dpkg-deb": "dpkg", "flex": "flex", "gcc": "gcc", "make": "make",
    "patch": "patch", "perl": "perl", "xz": "xz-utils",
}  # fmt: skip
"""Programs that the build runs, and the packages that have them."""


def require_tools() -> None:
    """Refuses if a program that the build runs is missing."""
    missing = sorted(package for tool, package in TOOLS.items() if shutil.which(tool) is None)
    if missing:
        raise CyclescopeError(
            f"programs that build Linux are missing: apt-get install {' '.join(missing)}, then run "
            "make linux again",
            code="linux-tools-missing",
        )


def fetch(folder: Path, log: Path) -> None:
    """Downloads packages into `folder`; apt checks their signatures."""
    try:
        apt = PrivateApt(folder, sources_list(), log)
        apt.binaries(*BINARIES)
        apt.sources(*SOURCES)
    except CyclescopeError as error:
        raise CyclescopeError(
            f"Debian's packages could not be fetched: the first make linux needs the network (read "
            f"{log}); then run it again",
            code="linux-packages-not-fetched",
        ) from error
    apt.close()


def one_file(folder: Path, pattern: str) -> Path:
    """The only file of this pattern, as `musl_*.orig.tar.*[z2]`."""
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise CyclescopeError(
            f"{folder} has {len(found)} files {pattern}, not one: remove the folder and run make "
            "linux again",
            code="linux-packages-unclear",
        )
    return found[0]


def unpack_source(folder: Path, name: str, into: Path, log: Path) -> None:
    """Unpacks a source package with Debian's patches applied."""
    into.mkdir(parents=True)
    original = one_file(folder, f"{name}_*.orig.tar.*[z2]")
    run(["tar", "xf", original, "-C", into], log, os.environ)
    _without_top(into)
    run(["tar", "xf", one_file(folder, f"{name}_*.debian.tar.*"), "-C", into], log, os.environ)
    series = into / "debian" / "patches" / "series"
    lines = series.read_text().splitlines() if series.exists() else []
    for line in lines:
        if line.strip() and not line.startswith("#"):
            apply(into, series.parent / line.split()[0])


def _without_top(tree: Path) -> None:
    """Moves what lies in the only folder of an archive, if it has one, to the top."""
    found = list(tree.iterdir())
    if len(found) == 1 and found[0].is_dir():
        top = found[0].rename(tree / ".top")
        for one in top.iterdir():
            one.rename(tree / one.name)
        top.rmdir()


def apply(tree: Path, patch: Path) -> None:
    """Applies a unified diff to a tree, or refuses and leaves the tree as it was."""
    command = ["patch", "-p1", "-s", "-f", "-F0", "-i", str(patch.resolve())]
    tried = run_process([*command, "--dry-run"], cwd=tree, capture_output=True, text=True)
    if tried.returncode:
        first = (tried.stdout or tried.stderr).strip().splitlines()[0]
        raise CyclescopeError(
            f"{patch.name} does not fit this version of {tree.name} ({first}): get the version "
            "that docs/how-to/linux.md names, or renew the patch",
            code="linux-patch-does-not-fit",
        )
    run_process(command, cwd=tree, check=True)
