"""Counted programs that were built before are found again, and only those."""

import os
from pathlib import Path

import pytest

from cyclescope.sources import cache
from cyclescope.sources.counts import SourceCounts
from cyclescope.sources.host_compiler import HostCompiler
from cyclescope.sources.host_run import count
from cyclescope.sources.instrumented import SourceUnit

MAIN = """
#include "step.h"
int helper(int);
int main(int argc, char **argv) { int s = 0; for (int i = 0; i < argc; i++) s += helper(i) STEP;
  return s; }
"""
HELPER = "int helper(int i) { return i > 0 ? i : 0; }\n"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The names of the files that are compiled from here on, with a cache of their own."""
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "cache")
    names: list[str] = []
    build = HostCompiler.compiled

    def spied(self: HostCompiler, source: Path, to: Path, options: tuple[str, ...] = ()) -> None:
        names.append(source.name)
        build(self, source, to, options)

    monkeypatch.setattr(HostCompiler, "compiled", spied)
    (tmp_path / "main.c").write_text(MAIN)
    (tmp_path / "helper.c").write_text(HELPER)
    (tmp_path / "step.h").write_text("#define STEP +1\n")
    return names


def counted(folder: Path, *arguments: str, options: tuple[str, ...] = ()) -> SourceCounts:
    units = [SourceUnit(folder / name, options) for name in ("main.c", "helper.c")]
    return count(units, arguments).counts


def test_the_same_program_is_not_built_again(compiled: list[str], tmp_path: Path) -> None:
    first = counted(tmp_path, "a")
    assert sorted(compiled) == ["counting.c", "sort.c", "unit1.i", "unit2.i"]
    compiled.clear()
    assert counted(tmp_path, "a") == first
    more = counted(tmp_path, "a", "b", "c")
    assert not compiled
    assert max(more.totals.values()) == 2 + max(first.totals.values())


def test_only_what_changed_is_built_again(compiled: list[str], tmp_path: Path) -> None:
    first = counted(tmp_path)
    compiled.clear()
    (tmp_path / "helper.c").write_text(HELPER.replace("i > 0", "i >= 0"))
    counted(tmp_path)
    assert sorted(compiled) == ["counting.c", "sort.c", "unit2.i"]
    compiled.clear()
    (tmp_path / "step.h").write_text("#define STEP -1\n")
    counted(tmp_path)
    assert sorted(compiled) == ["counting.c", "sort.c", "unit1.i"]
    assert counted(tmp_path) != first


def test_a_column_that_moved_is_seen_though_the_code_is_the_same(
    compiled: list[str], tmp_path: Path
) -> None:
    first = counted(tmp_path)
    (tmp_path / "helper.c").write_text(HELPER.replace("return i", "return /* moved */ i"))
    moved = counted(tmp_path)
    places = [
        {one.begin for region in each.regions for one in region.spans} for each in (first, moved)
    ]
    assert places[0] != places[1]


def test_a_folder_that_cannot_be_written_only_costs_time(
    compiled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "file" / "below")
    assert counted(tmp_path) == counted(tmp_path)
    assert len(compiled) == 8


def test_old_files_are_deleted(compiled: list[str], tmp_path: Path) -> None:
    counted(tmp_path)
    old, *others = sorted((tmp_path / "cache").iterdir())
    past = old.stat().st_mtime - cache.KEPT_SECONDS - 1
    os.utime(old, (past, past))
    cache.clear()
    assert sorted((tmp_path / "cache").iterdir()) == others
