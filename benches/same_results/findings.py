"""Findings of a comparison: counts of compared values, differences, and exempt texts."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Renames:
    """Baseline name -> head name, where head renamed a thing and kept its meaning."""

    keys: Mapping[str, str] = field(default_factory=dict)
    """Keys of JSON objects."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Columns of Parquet files."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Values of one word, in JSON and in Parquet files."""
    folders: Mapping[str, str] = field(default_factory=dict)
    """Files and folders of results: each part of a path by itself."""
    added: frozenset[str] = frozenset()
    """Keys of JSON objects that only head has."""


@dataclass
class Exempt:
    """Texts of one place that differ: how many, and the first of them."""

    count: int
    before: str
    after: str


@dataclass
class Findings:
    """The findings of one comparison so far."""

    counts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    exempt: dict[str, Exempt] = field(default_factory=dict)
    images: set[tuple[str, str]] = field(default_factory=set)
    """SHA-256 of each baseline image and of the head image in the same place."""

    def differs(self, place: str, what: str) -> None:
        """Adds a difference."""
        self.differences.append(f"{place}: {what}")

    def exempts(self, kind: str, before: str, after: str) -> None:
        """Adds a text that differs and may; `kind` groups the list."""
        known = self.exempt.setdefault(kind, Exempt(0, before, after))
        known.count += 1

    def add(self, other: "Findings", part: str) -> None:
        """Adds what another comparison found; `part` goes before its places."""
        self.counts += other.counts
        self.differences += [f"{part}: {one}" for one in other.differences]
