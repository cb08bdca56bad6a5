"""Compares two folders of `peripheral`."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from cyclescope.errors import CyclescopeError, WrongUsage
from cyclescope.results.result_type import Asked, Comparative
from cyclescope.studies.compare.gate import EXIT_CODE
from cyclescope.studies.peripheral import results
from cyclescope.studies.peripheral.compared import TransferPair, compare
from cyclescope.studies.peripheral.gate import judge
from cyclescope.studies.peripheral.report import compared_page, compared_text, matrix
from cyclescope.studies.peripheral.report.measured import measured
from cyclescope.studies.peripheral.results import FORMAT_NAME


class PeripheralsCompared(Comparative):
    """Two folders of transfers beside each other."""

    def __init__(self, first: Path, second: Path, asked: Asked) -> None:
        if replace(asked, fail_if=()) != Asked():
            raise WrongUsage(
                "--case, --in, --why and --pairs are of results of characterize: transfers are "
                "compared without them",
                code="option-not-for-peripheral",
            )
        sides = [results.load(folder) for folder in (first, second)]
        self._found = compare(*(measured(side) for side in sides))
        if not self._found.pairs:
            raise CyclescopeError(
                f"{first} and {second} have no transfer in common: measure the same direction, "
                "size and content",
                code="no-transfer-in-both",
            )
        self._names = str(first), str(second)
        self._conditions = [matrix.conditions(side) for side in sides]
        self._gate = judge(self._found, asked.fail_if)
        self._problems = [one for side in sides for one in matrix.problems(side)]

    @property
    def problems(self) -> Sequence[str]:
        return self._problems

    @property
    def exit_code(self) -> int:
        return EXIT_CODE if self._gate and self._gate.broken else 0

    def document(self) -> dict[str, Any]:
        return {
            "conditions": [dict(one) for one in self._conditions],
            "pairs": [_pair(one) for one in self._found.pairs],
            "only_first": list(self._found.only_first),
            "only_second": list(self._found.only_second),
            "gate": None if self._gate is None else asdict(self._gate),
        }

    def show(self, console: Console) -> None:
        compared_text.show(self._found, self._gate, console)

    def summarise(self, console: Console) -> None:
        compared_text.summarise(self._found, self._gate, console)

    def page(self) -> str:
        return compared_page.render(self._found, self._names, self._conditions, self._gate)


def _pair(one: TransferPair) -> dict[str, Any]:
    return {
        "first": one.first.setting.name,
        "second": one.second.setting.name,
        "differing": {name: list(values) for name, values in one.differing.items()},
        "differences": [quantity.name for quantity in one.differences],
        "quantities": [
            {**asdict(quantity), "difference": quantity.difference, "ratio": quantity.ratio}
            for quantity in one.quantities
        ],
    }


COMPARISONS = {FORMAT_NAME: PeripheralsCompared}
