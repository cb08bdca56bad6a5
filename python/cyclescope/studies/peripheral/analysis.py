"""Analyses of a recorded transfer: files of `analyses/`, found by name.

A file there that has an `ANALYSIS` is one; the others are what analyses share.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cyclescope import plugins
from cyclescope.errors import CyclescopeError
from cyclescope.studies.peripheral.analyses.rules import ClassRules, read_rules
from cyclescope.studies.peripheral.transfer import Transfer

FOLDER = "cyclescope.studies.peripheral.analyses"


@dataclass(frozen=True)
class TransferAnalysis:
    """A question to a transfer.

    `analyse` makes a JSON document, on a replay of its own with its own instruments. It may be
    asked for any transfer that has data packets, whole or not. `lines` are the document's tables
    for the terminal.
    """

    name: str
    sentence: str
    analyse: Callable[[Transfer], dict[str, Any]]
    lines: Callable[[Mapping[str, Any]], Sequence[str]]
    by_rules: Callable[[Transfer, ClassRules], dict[str, Any]] | None = None
    """Makes the document by a user's classes of functions, if it has classes."""

    @classmethod
    def with_classes(
        cls,
        name: str,
        sentence: str,
        by_rules: Callable[[Transfer, ClassRules], dict[str, Any]],
        lines: Callable[[Mapping[str, Any]], Sequence[str]],
    ) -> "TransferAnalysis":
        """An analysis with classes of functions; by the study's own rules, until it is `ruled`."""
        return cls(
            name, sentence, lambda transfer: by_rules(transfer, read_rules()), lines, by_rules
        )

    def ruled(self, rules: ClassRules) -> "TransferAnalysis":
        """The same analysis by other rules."""
        by_rules = self.by_rules
        if by_rules is None:
            return self
        return replace(self, analyse=lambda transfer: by_rules(transfer, rules))


def all_analyses() -> dict[str, TransferAnalysis]:
    """Every analysis by its name, sorted."""
    found = [
        getattr(plugins.load(FOLDER, name), "ANALYSIS", None) for name in plugins.names(FOLDER)
    ]
    known = [one for one in found if isinstance(one, TransferAnalysis)]
    return {one.name: one for one in sorted(known, key=lambda one: one.name)}


def chosen(names: Sequence[str]) -> dict[str, TransferAnalysis]:
    """The analyses of these names; all if there is no name. Raises CyclescopeError for others."""
    known = all_analyses()
    for name in names:
        if name not in known:
            raise CyclescopeError(
                f"there is no analysis {name}: choose one of: {', '.join(known)}",
                code="no-such-analysis",
            )
    return {name: one for name, one in known.items() if not names or name in names}
