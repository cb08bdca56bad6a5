"""Limits of figures that a target reports: unverified rules, and parts that it does not model."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Confession:
    """Something a target admits, and the cases it concerns."""

    name: str
    sentence: str
    cases: tuple[str, ...]
