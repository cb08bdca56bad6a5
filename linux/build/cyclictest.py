"""Builds cyclictest of Debian's rt-tests for the board; `make cyclictest` runs it.

A part of its own, after `make linux`, which does not need it: a mirror that lacks the package costs
nothing else.
"""

import argparse
import fcntl
import hashlib
import json
import os
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).resolve().parents[2] / "scripts" / "debian"))

import packages
from private_apt import PrivateApt, versions
from steps import Steps, run

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.linux.built import (
    CYCLICTEST,
    KERNELS,
    SOURCES,
    STRUCTURES,
    LinuxBuild,
)
from cyclescope.firmware.linux.keys import SUITES, part_keys

OUT = SOURCES.parent / "build" / "linux"
MIRROR = "http://deb.debian.org"
PACKAGE, FETCHED = "rt-tests", "apt-rt-tests"
"""Debian's source package, and the part that has it."""
FILES = (
    "src/cyclictest/cyclictest.c",
    "src/lib/rt-error.c",
    "src/lib/rt-numa.c",
    "src/lib/rt-utils.c",
)
HEADERS = ("src/cyclictest", "src/include")


def build(out: Path, mirror: str, tree: Path | None = None) -> dict[str, str]:
    """Builds the program unless it is there. Returns its origin: package or folder, version, hash.

    `tree` is an unpacked source to take in place of Debian's package from `mirror`.
    """
    linux = LinuxBuild(out, SOURCES)
    linux.require("libc")
    keys = part_keys(SOURCES, linux.versions["compiler"], KERNELS, STRUCTURES)
    steps = Steps(out, keys)
    steps.close()
    part = f"programs/{CYCLICTEST}"
    recorded = out / part / "origin.json"
    if not tree:
        steps.make(FETCHED, lambda folder: _fetch(folder, mirror, out / "log" / "rt-tests.log"))
    wanted = _origin(out / FETCHED, tree)
    changed = recorded.is_file() and json.loads(recorded.read_text()) != wanted
    steps.make(part, lambda folder: _compile(linux, steps, folder, tree, wanted), again=changed)
    steps.close()
    return wanted


def _fetch(folder: Path, mirror: str, log: Path) -> None:
    log.unlink(missing_ok=True)
    try:
        apt = PrivateApt(folder, f"deb-src {mirror}/{SUITES[0]} main\n", log)
        apt.sources(PACKAGE)
    except CyclescopeError as error:
        said = log.read_text(errors="replace")
        cause = "404: it has not the files" if "404" in said else f"read {log}"
        raise CyclescopeError(
            f"Debian's source package {PACKAGE} could not be fetched from {mirror} ({cause}): name "
            "another mirror, as in make cyclictest MIRROR=http://ftp.de.debian.org, or a source, "
            "RT_TESTS=FOLDER",
            code="cyclictest-not-fetched",
        ) from error
    apt.close()


def _origin(fetched: Path, tree: Path | None) -> dict[str, str]:
    if not tree:
        found = versions(fetched)[f"{PACKAGE} (source)"]
        return {"package": f"Debian's {PACKAGE}", **found}
    version, content = _version(tree), hashlib.sha256()
    for one in FILES:
        content.update((tree / one).read_bytes())
    return {"folder": tree.name, "version": version, "sha256": content.hexdigest()}


def _version(tree: Path) -> str:
    makefile = tree / "Makefile"
    found = re.search(
        r"^VERSION = (\S+)$", makefile.read_text() if makefile.is_file() else "", re.M
    )
    if not found or not all((tree / one).is_file() for one in FILES):
        raise CyclescopeError(
            f"{tree} is no source of rt-tests 2.x (Makefile with VERSION, {', '.join(FILES)}): "
            "name the folder into which the package was unpacked",
            code="cyclictest-no-source",
        )
    return found[1]


def _compile(
    linux: LinuxBuild, steps: Steps, folder: Path, tree: Path | None, origin: dict[str, str]
) -> None:
    log = steps.out / "log" / f"{CYCLICTEST}.log"
    if not tree:
        tree = steps.work / PACKAGE
        shutil.rmtree(tree, ignore_errors=True)
        packages.unpack_source(steps.out / FETCHED, PACKAGE, tree, log)
    own = SOURCES / "programs" / CYCLICTEST
    options: list[str | Path] = ["-w", "-D_GNU_SOURCE", f"-DVERSION={_version(tree)}"]
    options += [f"-ffile-prefix-map={SOURCES}=linux", "-I", own, "-include", own / "scheduling.h"]
    for one in HEADERS:
        options += ["-I", one]
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    run([linux.compiler, *options, "-o", folder / CYCLICTEST, *FILES], log, env, tree)
    (folder / "origin.json").write_text(json.dumps(origin, indent=2) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(prog="make cyclictest")
    parser.add_argument("--mirror", default=MIRROR, help="a mirror of Debian, without /debian")
    parser.add_argument("--tree", type=Path, help="an unpacked source of rt-tests")
    parser.add_argument("--out", type=Path, default=OUT, help="the results of make linux")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    with (asked.out / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            origin = build(asked.out, asked.mirror, asked.tree and asked.tree.resolve())
        except BlockingIOError:
            print("cyclictest: a make linux is at work here: wait for it", file=sys.stderr)
            return 1
        except CyclescopeError as error:
            print(f"cyclictest: {error.sentence}", file=sys.stderr)
            return error.exit_code
    print(f"cyclictest: {' '.join(origin.values())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
