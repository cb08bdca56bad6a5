"""Result types: what a results folder holds decides how it is shown, reported and compared.

A question's `result_type.py` offers one `RESULT_TYPE`; the folder's manifest names its format. A
question's `comparing.py` offers `COMPARISONS`: by format, what compares two folders of it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope import plugins
from cyclescope.errors import CyclescopeError, WrongUsage
from cyclescope.results import files, whole_files
from cyclescope.target.case import Patterns


class Finding(ABC):
    """Findings of results, for programs and for people in a terminal."""

    @property
    @abstractmethod
    def problems(self) -> Sequence[str]:
        """A sentence for each figure that must not be used."""

    @abstractmethod
    def document(self) -> dict[str, Any]:
        """The whole of it, ready for `json.dumps`."""

    @abstractmethod
    def show(self, console: Console) -> None:
        """Prints all of its tables under their conditions."""

    @abstractmethod
    def summarise(self, console: Console) -> None:
        """Prints what a reader wants first, in at most 40 lines; failures always."""


class Analysis(Finding):
    """Findings of one folder, which can also be a page."""

    @abstractmethod
    def page(self) -> str:
        """One HTML file that asks nothing of the network."""

    def by_clustering(self, name: str) -> "Analysis":
        """The same folder with its clusters found in another way."""
        raise WrongUsage(
            "only results of characterize have clusters: leave out --clustering",
            code="clusters-of-characterize-only",
        )


@dataclass(frozen=True)
class Asked:
    """A request for a comparison: cases, unit, rules, whether to explain, and a table of pairs."""

    cases: Patterns = "*"
    unit: str = "cycles"
    why: bool = False
    fail_if: tuple[str, ...] = ()
    pairs: Path | None = None


class Comparative(Finding):
    """Findings of two folders; some result types have reports of them."""

    @property
    def exit_code(self) -> int:
        """Of the program, if no figure is unusable."""
        return 0

    def page(self) -> str:
        """One HTML file that asks nothing of the network."""
        raise WrongUsage(
            "a comparison of these results has no page: leave out --report",
            code="comparison-has-no-page",
        )

    def markdown(self) -> str:
        """A comment on a change."""
        raise WrongUsage(
            "a comparison of these results has no --markdown", code="comparison-has-no-markdown"
        )

    def junit(self) -> str:
        """The verdicts for a continuous integration."""
        raise WrongUsage(
            "a comparison of these results has no --junit", code="comparison-has-no-junit"
        )


@dataclass(frozen=True)
class ResultType:
    """How a folder of one format is analysed, and two of them compared."""

    format: str
    analyse: Callable[[Path], Analysis]

    def compare(self, first: Path, second: Path, asked: Asked) -> Comparative:
        """Two folders of this type beside each other. Raises CyclescopeError if nothing does it."""
        for question in plugins.questions("comparing"):
            comparisons = plugins.load_entry(question, "comparing").COMPARISONS
            if self.format in comparisons:
                found = comparisons[self.format](first, second, asked)
                assert isinstance(found, Comparative)
                return found
        raise CyclescopeError(
            f"two folders of {self.format} are not compared: use show on each",
            code="results-are-not-compared",
        )


def of(folder: Path) -> ResultType:
    """The type of the results in a folder. Raises ResultsError if the manifest names none."""
    name = files.content(folder).get("format")
    formats = []
    for question in plugins.questions("result_type"):
        found = plugins.load_entry(question, "result_type").RESULT_TYPE
        if isinstance(found, ResultType) and found.format == name:
            return found
        formats.append(f'"{found.format}"')
    known = ", ".join(formats)
    raise whole_files.ResultsError(
        f"{folder / files.MANIFEST} is not a manifest: its format is none of {known}",
        code="no-known-format",
    )
