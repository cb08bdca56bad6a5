"""The comparer of results: it passes over texts, and fails on one changed count or byte."""

import copy
import importlib
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "benches"))

from same_results import baseline, folders, images, parts  # noqa: E402
from same_results.findings import Findings, Renames  # noqa: E402

program = importlib.import_module("same_results.__main__")

MANIFEST: dict[str, Any] = {
    "version": 5,
    "technique": "direct",
    "conditions": {"image_sha256": "a" * 64, "core_hz": 60_000_000, "machine": {}},
    "runs": [
        {"case": "yield.equals", "overhead": {"n": 10, "mean_cycles": 32.5}, "steady": True},
        {"case": "malloc.first", "overhead": None, "steady": False},
    ],
    "made": "2026-11-22",
    "unverified": {"mam-prefetch": "Recalled from the manual, not read again."},
}
COLUMNS: dict[str, list[Any]] = {
    "case": ["yield.equals"] * 3,
    "elapsed": [233, 233, 241],
    "rejected_by": [None, "tick", None],
    "energy_fj": [1.5, float("nan"), 2.5],
}
PROGRAM = """
    .text
    .arm
    mov r0, #{number}
    .asciz "firmware/{folder}/start.S"
    .data
    .word 7
    .asciz "a task {waits}"
    .balign 4
    .word 7
"""


def program_with(number: int = 1, folder: str = "lpc2148", waits: str = "waits") -> str:
    """Source of an image with a number in its code, a path, and a condition in its data."""
    return PROGRAM.format(number=number, folder=folder, waits=waits)


def folder(place: Path, manifest: Any = MANIFEST, columns: Any = COLUMNS) -> Path:
    """Makes a results folder."""
    (place / "runs").mkdir(parents=True)
    (place / "manifest.json").write_text(json.dumps(manifest))
    (place / "report.html").write_text(f"<p>{place}")
    pq.write_table(pa.table(columns), place / "runs" / "yield.parquet")
    return place


def compared(before: Path, after: Path, renames: Renames | None = None) -> Findings:
    """Returns the findings of the comparer in two folders."""
    found = Findings()
    folders.compare(before, after, found, renames or Renames())
    return found


def changed(path: str, value: Any) -> dict[str, Any]:
    """The manifest with one value replaced; the path is of keys and indices."""
    manifest = copy.deepcopy(MANIFEST)
    *way, last = (int(one) if one.isdigit() else one for one in path.split("/"))
    inner: Any = manifest
    for step in way:
        inner = inner[step]
    inner[last] = value
    return manifest


def test_equal_folders_have_no_difference_and_every_number_counts(tmp_path: Path) -> None:
    found = compared(folder(tmp_path / "a"), folder(tmp_path / "b"))
    assert found.differences == []
    assert found.counts == {
        "files": 3, "columns": 4, "values": 12, "numbers": 7, "words": 3, "texts": 3,
    }  # fmt: skip
    assert found.exempt["*.html"].count == 1


def test_texts_dates_and_hashes_may_differ_and_are_listed(tmp_path: Path) -> None:
    manifest = changed("made", "2027-01-01")
    manifest["unverified"]["mam-prefetch"] = "No source gives it."
    manifest["conditions"]["image_sha256"] = "b" * 64
    found = compared(folder(tmp_path / "a"), folder(tmp_path / "b", manifest))
    assert found.differences == []
    assert {"made", "mam-prefetch", "hashes"} <= found.exempt.keys()
    assert found.images == {("a" * 64, "b" * 64)}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("version", 6),
        ("runs/0/overhead/mean_cycles", 32.500000001),
        ("runs/0/steady", 1),
        ("runs/1/overhead", 0),
        ("runs/1/case", "malloc.second"),
        ("runs/1", {"case": "malloc.first", "overhead": None}),
        ("runs", MANIFEST["runs"][:1]),
        ("conditions/pclk_hz", 1),
        ("conditions/core_hz", "60000000"),
    ],
)
def test_one_change_deep_in_a_manifest_is_found_with_its_place(
    tmp_path: Path, path: str, value: Any
) -> None:
    found = compared(folder(tmp_path / "a"), folder(tmp_path / "b", changed(path, value)))
    assert len(found.differences) == 1
    assert found.differences[0].startswith("manifest.json")


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("elapsed", [233, 234, 241], "1 of 3 values differ, first in row 1: 233, head has 234"),
        ("elapsed", [233.0, 233.0, 241.0], "of type int64, head has double"),
        ("rejected_by", [None, None, None], "head has"),
        ("energy_fj", [1.5, 1.5, 2.5], "1 of 3 values differ"),
        ("energy_fj", None, "head has no column energy_fj"),
        ("interrupts", [0, 0, 0], "the baseline has no column interrupts"),
    ],
)
def test_a_column_that_changes_is_found(
    tmp_path: Path, name: str, values: list[Any] | None, said: str
) -> None:
    columns = {**COLUMNS, name: values} if values else {**COLUMNS}
    if values is None:
        del columns[name]
    found = compared(folder(tmp_path / "a"), folder(tmp_path / "b", columns=columns))
    assert said in "\n".join(found.differences)


def test_fewer_rows_are_found(tmp_path: Path) -> None:
    fewer = {name: values[:2] for name, values in COLUMNS.items()}
    found = compared(folder(tmp_path / "a"), folder(tmp_path / "b", columns=fewer))
    assert found.differences == ["runs/yield.parquet: 3 rows, head has 2"]


def test_a_file_that_only_one_folder_holds_is_found(tmp_path: Path) -> None:
    before, after = folder(tmp_path / "a"), folder(tmp_path / "b")
    (after / "runs" / "yield.parquet").rename(after / "runs" / "other.parquet")
    assert compared(before, after).differences == [
        "runs/yield.parquet: head has no such file",
        "runs/other.parquet: the baseline has no such file",
    ]


def test_renames_convert_and_hide_no_change(tmp_path: Path) -> None:
    manifest = changed("runs/0/overhead", {"count": 10, "mean_cycles": 32.5})
    columns = {"duration" if name == "elapsed" else name: v for name, v in COLUMNS.items()}
    columns["rejected_by"] = [None, "kernel_tick", None]
    before, after = folder(tmp_path / "a"), folder(tmp_path / "b", manifest, columns)
    (after / "runs").rename(after / "samples")
    renames = Renames(
        keys={"n": "count"},
        columns={"elapsed": "duration"},
        words={"tick": "kernel_tick"},
        folders={"runs": "samples"},
    )
    assert compared(before, after, renames).differences == []
    assert len(compared(before, after).differences) == 4
    shutil.rmtree(after)
    manifest["runs"][0]["overhead"]["count"] = 11
    folder(after, manifest, columns)
    (after / "runs").rename(after / "samples")
    assert compared(before, after, renames).differences == [
        "manifest.json.runs[0].overhead.n: 10, head has 11"
    ]


def test_a_key_that_head_adds_is_listed_or_is_a_difference(tmp_path: Path) -> None:
    more = copy.deepcopy(MANIFEST)
    more["conditions"]["fetches"] = {"line_bytes": 16}
    before, after = folder(tmp_path / "before"), folder(tmp_path / "after", more)
    found, listed = Findings(), Findings()
    folders.compare(before, after, found, Renames())
    assert found.differences == ["manifest.json.conditions: the baseline has no key fetches"]
    folders.compare(before, after, listed, Renames(added=frozenset({"fetches"})))
    assert listed.differences == [] and "added key fetches" in listed.exempt


def test_one_byte_of_a_loaded_section_is_found(assemble: Callable[..., Path]) -> None:
    before = assemble(program_with(), name="before")
    after = assemble(program_with(number=2), name="after")
    found = Findings()
    images.compare(before, after, "image.elf", found)
    assert found.differences == ["image.elf, section .text: 1 bytes differ, first at 0x100"]


def test_a_path_in_an_image_is_exempt_and_listed(assemble: Callable[..., Path]) -> None:
    before = assemble(program_with(), name="before")
    after = assemble(program_with(folder="lpc2104"), name="after")
    found = Findings()
    images.compare(before, after, "image.elf", found)
    assert found.differences == []
    assert found.exempt["image.elf, section .text"].after == "firmware/lpc2104/start.S"


def test_a_condition_in_data_is_exempt_and_a_number_there_is_not(
    assemble: Callable[..., Path],
) -> None:
    before = assemble(program_with(), name="before")
    after = assemble(program_with(waits="waits."), name="after")
    found = Findings()
    images.compare(before, after, "image.elf", found)
    assert found.differences == []
    assert found.exempt["image.elf, section .data"].after == "a task waits."
    other = program_with().replace(".word 7", ".word 8")
    images.compare(before, assemble(other, name="other"), "image.elf", found)
    (difference,) = found.differences
    assert "section .data: 2 bytes differ" in difference


def test_a_section_that_grows_or_moves_is_found(assemble: Callable[..., Path]) -> None:
    source = program_with()
    before = assemble(source, name="before")
    found = Findings()
    images.compare(before, assemble(source + ".word 8\n", name="grown"), "image.elf", found)
    assert "image.elf, section .data: size 0x18, head has 0x1c" in found.differences
    images.compare(before, assemble(source, base=0x200, name="moved"), "image.elf", found)
    assert any("address 0x100, head has 0x200" in one for one in found.differences)


def test_an_image_that_nobody_built_is_found(assemble: Callable[..., Path]) -> None:
    here = images.by_hash(assemble("nop").parent)
    (known,) = here
    found = Findings()
    images.compare_pairs({(known, known), (known, "b" * 64)}, here, {}, found)
    assert found.counts["images"] == 1
    assert found.differences == [f"images: no ELF file has the hash of head's {'b' * 64}"]


def test_parts_bring_what_they_need_before_them() -> None:
    assert parts.chosen(["compare"]) == ["newlib", "picolibc", "compare"]
    assert parts.chosen([]) == list(parts.PARTS)
    assert parts.chosen(["no such"]) == []


def test_a_part_with_a_difference_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole program, with results made by hand in the place of measured ones."""

    def run(checkout: parts.Checkout, name: str, *_: Any) -> int:
        cycles = 32.5 if checkout.name == "baseline" or equal else 33
        shutil.rmtree(checkout.results, ignore_errors=True)
        folder(checkout.results / name, changed("runs/0/overhead/mean_cycles", cycles))
        (checkout.results / f"{name}.json").write_text("{}")
        images_of[checkout.root / "build"] = {"a" * 64: tmp_path / "image.elf"}
        return 0

    images_of: dict[Path, dict[str, Path]] = {}
    monkeypatch.setattr(baseline, "make", lambda *_: None)
    monkeypatch.setattr(baseline, "check", lambda *_: None)
    monkeypatch.setattr(parts.Checkout, "run", run)
    monkeypatch.setattr(images, "by_hash", images_of.__getitem__)
    monkeypatch.setattr(images, "compare", lambda *_: None)
    monkeypatch.setattr(program, "FOLDER", tmp_path)
    monkeypatch.setattr(sys, "argv", ["same_results", "--only", "switch"])
    equal = True
    program.main()
    assert "No difference from 307d027." in capsys.readouterr().out
    equal = False
    with pytest.raises(SystemExit) as ended:
        program.main()
    assert ended.value.code == "1 differences from 307d027"
    assert "DIFFERS manifest.json.runs[0].overhead.mean_cycles" in capsys.readouterr().out
