"""Compares two JSON documents: every number and every word; sentences are exempt and listed."""

import math
import re
from typing import Any

from same_results.findings import Findings, Renames

IMAGE = "image_sha256"
"""The key that names an image by its hash."""

TEXT = re.compile(r"\s|/|[0-9a-f]{16}|\d{4}-\d\d-\d\d")
"""Marks of a text: a space, a path, a hash or a date. All other values are words."""
HASH = re.compile(r"[0-9a-f]{16,64}…?")


def compare(before: Any, after: Any, place: str, findings: Findings, renames: Renames) -> None:
    """Compares two values of JSON and all they hold; `place` says where they stand."""
    if isinstance(before, dict) and isinstance(after, dict):
        _objects(before, after, place, findings, renames)
    elif isinstance(before, list) and isinstance(after, list):
        if len(before) != len(after):
            findings.differs(place, f"{len(before)} items, head has {len(after)}")
            return
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            compare(old, new, f"{place}[{index}]", findings, renames)
    elif isinstance(before, str) and isinstance(after, str):
        _texts(before, after, place, findings, renames)
    else:
        _numbers(before, after, place, findings)


def _objects(
    before: dict[str, Any], after: dict[str, Any], place: str, findings: Findings, renames: Renames
) -> None:
    expected = {renames.keys.get(key, key): (key, value) for key, value in before.items()}
    for key in sorted(expected.keys() - after.keys()):
        findings.differs(place, f"head has no key {key}")
    for key in sorted(after.keys() - expected.keys()):
        if key in renames.added:
            findings.exempts(f"added key {key}", "", str(after[key]))
        else:
            findings.differs(place, f"the baseline has no key {key}")
    for key, (old_key, old) in expected.items():
        if key not in after:
            continue
        new = after[key]
        if old_key == IMAGE and isinstance(old, str) and isinstance(new, str):
            findings.images.add((old, new))
        compare(old, new, f"{place}.{old_key}", findings, renames)


def _texts(before: str, after: str, place: str, findings: Findings, renames: Renames) -> None:
    if TEXT.search(before) or TEXT.search(after):
        findings.counts["texts"] += 1
        if before != after:
            hashes = HASH.fullmatch(before) and HASH.fullmatch(after)
            key = re.sub(r"\[\d+\]", "[]", place).rpartition(".")[2]
            findings.exempts("hashes" if hashes else key, before, after)
        return
    findings.counts["words"] += 1
    if renames.words.get(before, before) != after:
        findings.differs(place, f"{before!r}, head has {after!r}")


def _numbers(before: Any, after: Any, place: str, findings: Findings) -> None:
    """Numbers, true, false and null; also two values of different types."""
    findings.counts["numbers"] += 1
    both_nan = all(isinstance(one, float) and math.isnan(one) for one in (before, after))
    alike = isinstance(before, bool) == isinstance(after, bool)
    if not both_nan and (before != after or not alike):
        findings.differs(place, f"{before!r:.80}, head has {after!r:.80}")
