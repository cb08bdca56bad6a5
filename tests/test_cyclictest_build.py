"""`make cyclictest`: a part of its own, which a mirror without the package leaves as it was."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from linux_session import Shell, built_or_skip
from refusals import refused

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.linux import LinuxBuild, compose
from cyclescope.firmware.linux.built import KERNELS, SOURCES, STRUCTURES
from cyclescope.firmware.linux.keys import KEY, part_keys

BUILD = SOURCES / "build" / "cyclictest.py"
FILES = (
    "src/cyclictest/cyclictest.c",
    *(f"src/lib/rt-{one}.c" for one in ("error", "numa", "utils")),
)
COMPILER = """#!/bin/sh
while [ "$1" != -o ]; do shift; done
cat "$3" > "$2"
"""
"""In place of `libc/cc`: its output is the first source."""


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A folder with what the build needs of `make linux`."""
    folder = tmp_path / "linux"
    (folder / "libc").mkdir(parents=True)
    keys = part_keys(SOURCES, "a compiler", KERNELS, STRUCTURES)
    (folder / "libc" / KEY).write_text(keys["libc"])
    (folder / "versions.json").write_text(json.dumps({"compiler": "a compiler"}))
    _script(folder / "libc" / "cc", COMPILER)
    return folder


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "rt-tests"
    for one in FILES:
        (folder / one).parent.mkdir(parents=True, exist_ok=True)
        (folder / one).write_text(f"{one}\n")
    (folder / "Makefile").write_text("VERSION = 2.4\nCC = gcc\n")
    return folder


def _script(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def make(out: Path, apt: str | None, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs the build into a folder, with a stand-in of apt-get that says `apt` and fails."""
    env = dict(os.environ)
    if apt is not None:
        _script(out / "apt-get", f"#!/bin/sh\necho '{apt}'\nexit 100\n")
        env["PATH"] = f"{out}:{env['PATH']}"
    command = [sys.executable, str(BUILD), "--out", str(out), *options]
    return subprocess.run(command, capture_output=True, text=True, env=env)


def test_a_source_becomes_a_part_that_knows_its_origin(out: Path, tree: Path) -> None:
    made = make(out, "", "--tree", str(tree))
    assert made.returncode == 0, made.stderr
    assert LinuxBuild(out).cyclictest.read_text() == f"{FILES[0]}\n"
    origin = json.loads((out / "programs" / "cyclictest" / "origin.json").read_text())
    assert (origin["folder"], origin["version"]) == ("rt-tests", "2.4")
    assert "2.4" in made.stdout


def test_a_source_that_changed_is_built_again(out: Path, tree: Path) -> None:
    make(out, "", "--tree", str(tree))
    (tree / FILES[0]).write_text("another\n")
    make(out, "", "--tree", str(tree))
    assert LinuxBuild(out).cyclictest.read_text() == "another\n"


@pytest.mark.parametrize(
    ("apt", "cause"),
    [("Err:2 http://m bookworm/main rt-tests (tar)\n  404  Not Found", "404"),
     ("Could not resolve 'm'", "read ")],
)  # fmt: skip
def test_a_mirror_without_the_package_costs_nothing(
    apt: str, cause: str, out: Path, tree: Path
) -> None:
    make(out, "", "--tree", str(tree))
    failed = make(out, apt, "--mirror", "http://m")
    assert failed.returncode == CyclescopeError.exit_code
    (said,) = (one for one in failed.stderr.splitlines() if one.startswith("cyclictest: "))
    assert cause in said and "MIRROR=" in said and "RT_TESTS=" in said and "http://m " in said
    assert LinuxBuild(out).cyclictest.read_text() == f"{FILES[0]}\n"


def test_a_folder_without_the_source_is_refused(out: Path, tree: Path) -> None:
    (tree / FILES[2]).unlink()
    failed = make(out, "", "--tree", str(tree))
    assert failed.returncode == CyclescopeError.exit_code
    assert "is no source of rt-tests" in failed.stderr


def test_a_program_that_is_not_built_is_refused(out: Path) -> None:
    with refused("cyclictest-not-built"):
        LinuxBuild(out).cyclictest  # noqa: B018
    assert "make linux" in make(out.parent, "").stderr


def test_it_runs_on_the_board() -> None:
    linux = built_or_skip("realtime")
    try:
        program = linux.cyclictest
    except CyclescopeError as error:
        pytest.skip(error.sentence)
    system = compose(linux, preemption="realtime", programs={"/bin/cyclictest": program})
    said = Shell(system).run("cyclictest -t1 -p80 -i10000 -l20 -q -N")
    line = next(one for one in said.splitlines() if one.startswith("T: 0")).replace(":", " ")
    words = line.split()
    cycles, least, mean, most = (
        int(words[words.index(one) + 1]) for one in ("C", "Min", "Avg", "Max")
    )
    assert cycles == 20
    # Linux starts its timers at MCK / 1024, and a wake-up takes some 8,000 cycles.
    assert 200_000 < least <= mean <= most < 2_000_000
