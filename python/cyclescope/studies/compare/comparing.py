"""Compares two folders of `characterize`."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope.errors import CyclescopeError, WrongUsage
from cyclescope.results import FORMAT_NAME, storage
from cyclescope.results.result_type import Asked, Comparative
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.studies.characterize.findings import Characterization
from cyclescope.studies.compare import pair_table, report
from cyclescope.studies.compare.analyse import compare
from cyclescope.studies.compare.findings import Comparison, TimeUnit
from cyclescope.studies.compare.gate import EXIT_CODE, parse
from cyclescope.studies.compare.judge import judge
from cyclescope.studies.compare.pair_table import PairTable
from cyclescope.studies.compare.report.reasons import Why
from cyclescope.studies.compare.why import why
from cyclescope.target.case import Patterns, matches


class CharacterizationsCompared(Comparative):
    """Two folders beside each other."""

    def __init__(self, first: Path, second: Path, asked: Asked) -> None:
        self._folders = first, second
        unit = _unit(asked.unit)
        rules = [parse(text, unit) for text in asked.fail_if]
        whole = [analyse(storage.load(folder)) for folder in self._folders]
        patterns = [asked.cases] if isinstance(asked.cases, str) else asked.cases
        _require_matching(whole, patterns)
        table = _table(whole, asked.pairs)
        self._sides = sides = [_chosen(side, patterns, table) for side in whole]
        self._found = compare(sides[0], sides[1], unit, table)
        _require_pairs(self._found, table, asked.pairs)
        self._gate = judge(self._found, rules) if rules else None
        self._why = Why(*why(self._found, first, second)) if asked.why else None

    @property
    def problems(self) -> Sequence[str]:
        pairs = self._found.pairs
        failed = [one.sentence for side in self._sides for one in side.failed]
        return [f"{pair.name}: {pair.problem}" for pair in pairs if pair.problem] + failed

    @property
    def exit_code(self) -> int:
        return EXIT_CODE if self._gate and self._gate.failed else 0

    @property
    def _names(self) -> tuple[str, str]:
        return str(self._folders[0]), str(self._folders[1])

    def document(self) -> dict[str, Any]:
        return report.structured.document(self._found, self._names, self._why, self._gate)

    def show(self, console: Console) -> None:
        report.terminal.show(self._found, self._why, self._gate, console)

    def summarise(self, console: Console) -> None:
        report.summary.summarise(self._found, self._why, self._gate, console)

    def page(self) -> str:
        return report.page.render(self._found, self._names, self._why, self._gate)

    def markdown(self) -> str:
        return report.markdown.document(self._found, self._gate)

    def junit(self) -> str:
        if self._gate is None:
            raise WrongUsage(
                "--junit has no verdicts to write: add a rule with --fail-if",
                code="junit-without-rule",
            )
        return report.junit.document(self._found, self._gate)


def _unit(name: str) -> TimeUnit:
    try:
        return TimeUnit(name)
    except ValueError:
        raise WrongUsage(
            f"--in {name} is no unit of time: choose cycles or us", code="no-such-unit-of-time"
        ) from None


def _table(sides: Sequence[Characterization], path: Path | None) -> PairTable | None:
    """The table for two kernels: the user's, or the lab's own if there is one."""
    kernels = [side.conditions.kernel for side in sides]
    if path is not None:
        return pair_table.read(path, kernels)
    return pair_table.shipped(kernels) if kernels[0] != kernels[1] else None


def _require_pairs(found: Comparison, table: PairTable | None, path: Path | None) -> None:
    """Refuses a user's table of which no pair is in the results."""
    if path is not None and table and not found.pairs:
        raise CyclescopeError(
            f"of the {len(table.pairs)} pairs in {path} none is in both results: measure the cases "
            "that it names",
            code="no-pair-in-both",
        )


def _require_matching(sides: Sequence[Characterization], patterns: Sequence[str]) -> None:
    """Refuses a GLOB that no case of either side matches."""
    names = {one.case.name for side in sides for one in side.cases}
    for pattern in patterns:
        if not any(matches(name, pattern) for name in names):
            raise CyclescopeError(
                f"no case of either matches {pattern!r}", code="no-case-of-either"
            )


def _chosen(
    found: Characterization, patterns: Patterns, table: PairTable | None
) -> Characterization:
    """The analysis of the cases that match, or whose counterparts do."""
    kernel = found.conditions.kernel
    paired = {
        pair.cases[kernel]
        for pair in (table.pairs if table else ())
        if any(matches(name, patterns) for name in pair.cases.values())
    }

    def is_chosen(name: str) -> bool:
        return name in paired or matches(name, patterns)

    cases = tuple(one for one in found.cases if is_chosen(one.case.name))
    failed = tuple(one for one in found.failed if is_chosen(one.case))
    return replace(found, cases=cases, failed=failed)


COMPARISONS = {FORMAT_NAME: CharacterizationsCompared}
