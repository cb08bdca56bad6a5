"""An image is never older than what it is made of, and what is not older is not made again."""

import errno
import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from refusals import refused

from cyclescope.firmware import build as firmware
from cyclescope.firmware import probes
from cyclescope.firmware.configuration import Configuration, FirmwareError
from cyclescope.firmware.fragment.plan import Point
from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.firmware.program import Program

ROOT = Path(__file__).parent.parent
CASES = Path("firmware/kernels/freertos/cases")
KEPT = ("semaphores", "mutexes")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone with few cases, in a path with a space and a letter beyond ASCII."""
    firmware.build(Configuration())  # fetches the packages
    clone = tmp_path_factory.mktemp("a clone é")
    for folder in ("firmware", "boards"):
        shutil.copytree(ROOT / folder, clone / folder)
    for path in (clone / CASES).glob("*.c"):
        if path.stem not in KEPT:
            path.unlink()
    (clone / "build").mkdir()
    (clone / "build/packages").symlink_to(ROOT / "build/packages")
    return clone


def cases_of(tree: Path) -> set[str]:
    """The cases in the image of a clone, built now."""
    built = firmware.build(Configuration(), tree)
    return set(probes.Probes(Program(built.elf.read_bytes())).cases)


def dates(tree: Path) -> dict[Path, int]:
    """When each file of the build was made."""
    files = (tree / "build/firmware").rglob("*")
    return {path: path.stat().st_mtime_ns for path in files if path.is_file()}


@contextmanager
def put_back(path: Path, backup: Path) -> Iterator[None]:
    """Puts a file back afterwards as it was, with its date."""
    shutil.copy2(path, backup)
    try:
        yield
    finally:
        shutil.copy2(backup, path)


def test_an_unchanged_second_build_makes_nothing(tree: Path) -> None:
    for configuration in (Configuration(), Configuration(layout=4)):
        firmware.build(configuration, tree)
        before = dates(tree)
        firmware.build(configuration, tree)
        assert dates(tree) == before


def test_a_case_file_that_is_added_renamed_and_removed(tree: Path) -> None:
    without, folder = cases_of(tree), tree / CASES
    text = (folder / "semaphores.c").read_text()
    (folder / "added.c").write_text(text.replace("_CASE(semaphore_", "_CASE(added_"))
    with_it = cases_of(tree)
    assert with_it > without
    assert {one.partition("_")[0] for one in with_it - without} == {"added"}
    (folder / "added.c").rename(folder / "renamed.c")
    assert cases_of(tree) == with_it
    (folder / "renamed.c").unlink()
    assert cases_of(tree) == without


def test_a_case_file_that_kernel_mk_lists_and_is_removed(tree: Path, tmp_path: Path) -> None:
    path = tree / CASES / "mutexes.c"
    before = cases_of(tree)
    with put_back(path, tmp_path / "backup"):
        path.unlink()
        assert cases_of(tree) < before
    assert cases_of(tree) == before


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("firmware/kernels/freertos/cases/mutexes.c", "_CASE(mutex_", "_CASE(another_"),
        ("firmware/kernels/freertos/FreeRTOSConfig.h", "TICK_RATE_HZ 10", "TICK_RATE_HZ 20"),
        ("firmware/kernels/freertos/kernel.mk", "LINK_FLAGS :=", "LINK_FLAGS := -u abs"),
        ("boards/lpc2148/link.ld", "SUBALIGN(32)", "SUBALIGN(64)"),
        ("boards/lpc2148/link-flash.ld", "LENGTH = 500K", "LENGTH = 400K"),
    ],
)  # fmt: skip
def test_a_file_that_changes_and_is_put_back_with_its_date(
    tree: Path, tmp_path: Path, name: str, old: str, new: str
) -> None:
    path, before = tree / name, firmware.build(Configuration(), tree)
    with put_back(path, tmp_path / "backup"):
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
        shutil.copystat(tmp_path / "backup", path)
        os.utime(path, ns=(1, path.stat().st_mtime_ns - 1_000_000_000))
        changed = firmware.build(Configuration(), tree)
        assert changed.sha256 != before.sha256 or "LENGTH" in old
    assert firmware.build(Configuration(), tree) == before


def test_two_cases_of_one_name_in_two_files_are_refused(tree: Path) -> None:
    twin = tree / CASES / "twin.c"
    shutil.copy(tree / CASES / "mutexes.c", twin)
    try:
        for _ in range(2):  # nor is there an image then that a second build would take for whole
            named = ["mutex_create.one_more", f"{CASES}/mutexes.c", f"{CASES}/twin.c"]
            with refused("build-failed", FirmwareError, naming=named):
                firmware.build(Configuration(), tree)
    finally:
        twin.unlink()
    assert cases_of(tree)


def test_a_twin_is_refused_that_comes_back_older_than_the_last_look(
    tree: Path, tmp_path: Path
) -> None:
    twin, other = tree / CASES / "twin.c", tree / CASES / "semaphores.c"
    shutil.copy(tree / CASES / "mutexes.c", twin)
    with pytest.raises(FirmwareError):
        firmware.build(Configuration(), tree)
    shutil.move(twin, tmp_path / "twin.c")
    with put_back(other, tmp_path / "backup"):
        other.write_text(other.read_text() + "/* more */\n")
        assert cases_of(tree)
        shutil.move(tmp_path / "twin.c", twin)
        try:
            with refused("build-failed", FirmwareError, naming=["mutex_create", twin.name]):
                firmware.build(Configuration(), tree)
        finally:
            twin.unlink()


def test_what_draws_layouts_may_be_put_back_with_its_date(tree: Path, tmp_path: Path) -> None:
    def images() -> list[str]:
        return [one.sha256 for one in firmware.build_layouts(Configuration(), (0, 1, 4), tree)]

    path, before = tree / "firmware/layout.py", images()
    with put_back(path, tmp_path / "backup"):
        path.write_text(path.read_text().replace('f"{seed} {number}"', 'f"{number} {seed} other"'))
        os.utime(path, (1, 1))
        plain, *others = images()
        assert plain == before[0] and not {*others} & {*before}
    assert images() == before


def test_what_a_users_file_includes_is_never_stale(tree: Path, tmp_path: Path) -> None:
    """A header that is put back, one that comes to stand before it, and that one gone again."""
    first, second, file = tmp_path / "first", tmp_path / "second", tmp_path / "f.c"
    for folder in (first, second):
        folder.mkdir()
    file.write_text('#include "n.h"\nint f(void) { volatile int i = N; return i; }\n')
    source = FragmentSource(
        file, (("straight_line", (Point(0), Point(1))),), "f()", includes=(first, second)
    )
    configuration = Configuration(kernel="bare", fragment=source)

    def image() -> str:
        return firmware.build(configuration, tree).sha256

    header = second / "n.h"
    header.write_text("#define N 5\n")
    of_5 = image()
    made = dates(tree)
    assert image() == of_5 and dates(tree) == made
    with put_back(header, tmp_path / "backup"):
        header.write_text("#define N 9\n")
        of_9 = image()
        assert of_9 != of_5
    assert image() == of_5
    (first / "n.h").write_text("#define N 9\n")
    assert image() == of_9
    (first / "n.h").unlink()
    assert image() == of_5


def test_what_your_own_tasks_are_in_is_never_stale(tree: Path, tmp_path: Path) -> None:
    file = tmp_path / "work.c"
    file.write_text("#include <stdint.h>\nuint32_t preempting_task(uint32_t n) { return n; }\n")
    configuration = Configuration(
        kernel="bare", settings={"timer": "timer1"}, cases="all", workload="switch", work=file
    )
    before = firmware.build(configuration, tree)
    with put_back(file, tmp_path / "backup"):
        file.write_text(file.read_text().replace("return n", "return n * 5"))
        assert firmware.build(configuration, tree).sha256 != before.sha256
    assert firmware.build(configuration, tree) == before


def test_make_that_outlives_who_started_it_keeps_others_from_building(tree: Path) -> None:
    starter = (
        "from pathlib import Path; from cyclescope.firmware.build import build; "
        "from cyclescope.firmware.configuration import Configuration; "
        f"build(Configuration(settings={{'isa': 'thumb'}}), Path({str(tree)!r}))"
    )
    with subprocess.Popen([sys.executable, "-c", starter]) as program:
        while not list((tree / "build/firmware").glob("*-thumb-*/objects/**/*.o")):
            assert program.poll() is None
        program.kill()
    with (tree / "build/.lock").open("a") as lock:
        with pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(lock, fcntl.LOCK_EX)
    assert not list((tree / "build/firmware").rglob("*.o.part"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MAKEFLAGS", "n"),
        ("MAKEFLAGS", "-k --jobs=3 -- MAM=0"),
        ("MAKEFILES", "/dev/null /nowhere"),
        ("GNUMAKEFLAGS", "--question"),
        ("OPTIONS", "configASSERT=1"),
        ("MAMTIM", "7"),
        ("KERNEL_HOOKS", "nothing.c"),
        ("CPATH", "/nowhere"),
        ("GCC_EXEC_PREFIX", "/nowhere/"),
    ],
)
def test_the_environment_has_no_say_in_an_image(
    tree: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    before = firmware.build(Configuration(), tree)
    monkeypatch.setenv(name, value)
    assert firmware.build(Configuration(), tree) == before
    (before.elf.parent / "objects/harness/wire.c.o").unlink()
    assert firmware.build(Configuration(), tree) == before


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        ("EROFS", "Read-only file system; get the right to write there or build in a copy of "),
        ("ENOSPC", "No space left on device; free space or build in a copy of the checkout"),
    ],
)
def test_a_checkout_that_cannot_be_written(
    tree: Path, monkeypatch: pytest.MonkeyPatch, number: str, sentence: str
) -> None:
    """A built image is used as it is; one that is not built names the reason."""
    before, opened = firmware.build(Configuration(), tree), Path.open

    def refusing(path: Path, *arguments: Any, **options: Any) -> Any:
        if path.name == ".lock":
            code = getattr(errno, number)
            raise OSError(code, os.strerror(code), str(path))
        return opened(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", refusing)
    if number == "EROFS":
        assert firmware.build(Configuration(), tree) == before
    else:
        with refused("cannot-write-build", FirmwareError, naming=[sentence]):
            firmware.build(Configuration(), tree)


def test_a_copy_with_other_dates_fetches_nothing(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only dates differ after `cp -r` or a checkout: there may be no network."""
    cargo = tmp_path / "cargo"
    cargo.write_text("#!/bin/sh\nexit 101\n")
    cargo.chmod(0o755)
    before = firmware.build(Configuration(), tree)
    for name in ("Cargo.toml", "Cargo.lock"):
        os.utime(tree / "firmware/packages" / name)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert firmware.build(Configuration(), tree) == before
