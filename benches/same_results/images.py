"""Compares two ELF images: entry point and every loaded section, byte for byte."""

import hashlib
import re
from pathlib import Path
from typing import Any

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

from same_results.findings import Findings

OWN = "same_results"
"""The folder below build/ that holds the baseline's own checkout and build."""

TEXT = re.compile(rb"[\x20-\x7e]{8,}\x00+")
"""A text of C with the zeros behind it, which a longer one may fill."""
OTHER = re.compile(rb"[\x20-\x7e]+\x00+")
OF_A_BUILD = re.compile(rb"/|\.[chS]\x00|\d{4}-\d\d-\d\d|[A-Z][a-z]{2} [ \d]\d \d{4}")
"""Texts that a build may leave in any section: a path, a file's name, a date."""
SENTENCE = re.compile(rb"[a-z] [a-z]")
"""A text that only a section without code may hold: a condition of a case."""


def by_hash(build: Path) -> dict[str, Path]:
    """The ELF files below a build folder by SHA-256."""
    found = (path for path in build.rglob("*.elf") if OWN not in path.relative_to(build).parts)
    return {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in sorted(found)}


def compare_pairs(
    pairs: set[tuple[str, str]],
    before: dict[str, Path],
    after: dict[str, Path],
    findings: Findings,
) -> None:
    """Compares the images that results name; one that no build folder holds is a difference.

    Head may name the baseline's own image, where it reads the baseline's results.
    """
    after = {**before, **after}
    for old, new in sorted(pairs):
        if old not in before or new not in after:
            lacking = f"the baseline's {old}" if old not in before else f"head's {new}"
            findings.differs("images", f"no ELF file has the hash of {lacking}")
            continue
        place = f"{before[old].parent.parent.name}/{before[old].parent.name}/{before[old].name}"
        compare(before[old], after[new], place, findings)


def compare(before: Path, after: Path, place: str, findings: Findings) -> None:
    """Compares two ELF files; sections that are not loaded, such as debug data, are exempt."""
    findings.counts["images"] += 1
    (old_entry, old), (new_entry, new) = _loaded(before), _loaded(after)
    if old_entry != new_entry:
        findings.differs(place, f"entry at {old_entry:#x}, head has {new_entry:#x}")
    for name in sorted(old.keys() - new.keys()):
        findings.differs(place, f"head has no section {name}")
    for name in sorted(new.keys() - old.keys()):
        findings.differs(place, f"the baseline has no section {name}")
    for name in (name for name in old if name in new):
        findings.counts["sections"] += 1
        findings.counts["bytes"] += len(old[name]["data"])
        _sections(old[name], new[name], f"{place}, section {name}", findings)


def _loaded(path: Path) -> tuple[int, dict[str, dict[str, Any]]]:
    """Entry point, and the sections that are in memory when the image runs."""
    with path.open("rb") as file:
        elf = ELFFile(file)
        sections = {
            section.name: {
                "address": section["sh_addr"],
                "size": section["sh_size"],
                "code": bool(section["sh_flags"] & SH_FLAGS.SHF_EXECINSTR),
                "data": b"" if section["sh_type"] == "SHT_NOBITS" else section.data(),
            }
            for section in elf.iter_sections()
            if section["sh_flags"] & SH_FLAGS.SHF_ALLOC
        }
        return elf["e_entry"], sections


def _sections(
    before: dict[str, Any], after: dict[str, Any], place: str, findings: Findings
) -> None:
    for key in ("address", "size"):
        if before[key] != after[key]:
            findings.differs(place, f"{key} {before[key]:#x}, head has {after[key]:#x}")
    old, new = before["data"], after["data"]
    if len(old) != len(new):
        return
    texts = {at: found for found in TEXT.finditer(old) for at in range(*found.span())}
    listed: set[int] = set()
    changed = []
    for at in (at for at, (one, other) in enumerate(zip(old, new, strict=True)) if one != other):
        found = texts.get(at)
        if found is None or not _exempt(found, new, before["code"]):
            changed.append(at)
        elif found.start() not in listed:
            listed.add(found.start())
            said = (one[slice(*found.span())].rstrip(b"\0").decode() for one in (old, new))
            findings.exempts(place, *said)
    if changed:
        first = before["address"] + changed[0]
        findings.differs(place, f"{len(changed)} bytes differ, first at {first:#x}")


def _exempt(found: re.Match[bytes], new: bytes, code: bool) -> bool:
    """Whether a text may differ, and head has a text in its place."""
    allowed = OF_A_BUILD.search(found[0]) or (not code and SENTENCE.search(found[0]))
    return bool(allowed and OTHER.fullmatch(new, *found.span()))
