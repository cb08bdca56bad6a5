"""Kind: what a results folder holds decides how it is shown, reported and compared.

A question's `kind.py` offers one instance named `KIND`; the folder's manifest names its format.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope import plugins
from cyclescope.errors import CyclescopeError, WrongUsage
from cyclescope.results import files
from cyclescope.target.case import Patterns


class Finding(ABC):
    """What was found in results, for programs and for people in a terminal."""

    @property
    @abstractmethod
    def problems(self) -> Sequence[str]:
        """A sentence for each figure that must not be used."""

    @abstractmethod
    def document(self) -> dict[str, Any]:
        """The whole of it, ready for `json.dumps`."""

    @abstractmethod
    def show(self, console: Console) -> None:
        """Prints its tables under their conditions."""


class Analysis(Finding):
    """What was found in one folder; it can also be a page."""

    @abstractmethod
    def page(self) -> str:
        """One HTML file that asks nothing of the network."""

    def by_clustering(self, name: str) -> "Analysis":
        """The same folder with its clusters found in another way."""
        raise WrongUsage("only results of characterize have clusters: leave out --clustering")


@dataclass(frozen=True)
class Asked:
    """What a comparison is to tell: of which cases, in which unit, by which rules, and why."""

    cases: Patterns = "*"
    unit: str = "cycles"
    why: bool = False
    fail_if: tuple[str, ...] = ()


class Comparative(Finding):
    """What was found in two folders; some kinds have reports of it."""

    @property
    def exit_code(self) -> int:
        """Of the program, if no figure is unusable."""
        return 0

    def page(self) -> str:
        """One HTML file that asks nothing of the network."""
        raise WrongUsage("a comparison of these results has no page: leave out --report")

    def markdown(self) -> str:
        """A comment on a change."""
        raise WrongUsage("a comparison of these results has no --markdown")

    def junit(self) -> str:
        """The verdicts for a continuous integration."""
        raise WrongUsage("a comparison of these results has no --junit")


@dataclass(frozen=True)
class Kind:
    """One kind of results: how a folder of its format is analysed, and two of them compared."""

    format: str
    analyse: Callable[[Path], Analysis]
    comparing: Callable[[Path, Path, Asked], Comparative] | None = None

    def compare(self, first: Path, second: Path, asked: Asked) -> Comparative:
        """Two folders of this kind beside each other."""
        if self.comparing is None:
            raise CyclescopeError(
                f"two folders of {self.format} are not compared: use show on each"
            )
        return self.comparing(first, second, asked)


def of(folder: Path) -> Kind:
    """The kind of results that a folder holds."""
    name = files.content(folder).get("format")
    formats = []
    for question in plugins.questions("kind"):
        kind = plugins.load_room(question, "kind").KIND
        if isinstance(kind, Kind) and kind.format == name:
            return kind
        formats.append(f'"{kind.format}"')
    known = ", ".join(formats)
    raise files.ResultsError(
        f"{folder / files.MANIFEST} is not a manifest: its format is none of {known}"
    )
