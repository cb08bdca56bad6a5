"""Laws of the board's catalogues, as exported, against the board at x that no fit has seen."""

from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.results import storage
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.studies.export import export
from cyclescope.studies.export.export import Export, ExportedLaw
from cyclescope.target.case import Case
from cyclescope.target.target import Selection, Target
from cyclescope.targets import open_target

OFF = 0.02
ASKED = 200
SAMPLED = 25
SEED = 20_261_122
"""Explorations are seeded by names of cases."""

REFUSED = {"freertos": 2, "bare": 11}
"""Of 26 and 114 swept cases, at most: a tenth."""

ONCE_FALSE = [
    ("freertos", "queue_send.room", 15),
    ("freertos", "malloc.one_free_block", 63),
    ("freertos", "queue_create.one_more", 5),
    ("bare", "memcpy.aligned", 31),
    ("bare", "fread.file", 200),
    ("bare", "fwrite.file", 300),
    ("bare", "fgets.file", 300),
    ("bare", "fclose.written", 80),
]
"""Cases whose laws were false at that x: through a few powers of two, or a step one x off."""


def exported(target: Target, pattern: str, folder: Path) -> Export:
    """The laws of a campaign with one short series at each of its x."""
    collect([target], TECHNIQUE, Plan(pattern, lengths=(10,)), folder)
    return export.select(analyse(storage.load(folder)))


def net(target: Target, case: Case, values: Iterable[int]) -> dict[int, float]:
    """Net cycles of a call at each x from entry to return, as the board's own clock saw them."""
    target.reset()

    def median(x: int, empty: bool) -> float:
        cycles = target.run_series(case, x, 3, empty).samples.exact_cycles
        assert cycles is not None
        return float(sorted(cycles)[1])

    return {x: median(x, empty=False) - median(x, empty=True) for x in values}


def chosen(case: Case, count: int) -> list[int]:
    """So many x of the domain at random; a smaller one whole."""
    assert case.parameter
    every = case.parameter.domain.all
    return list(every) if len(every) <= count else sorted(Random(SEED).sample(every, count))


def costs(found: Export) -> dict[str, Any]:
    """The exported Python, imported."""
    module: dict[str, Any] = {"__name__": "costs"}
    exec(export.find("python").render(found), module)
    return module


def misses(target: Target, one: ExportedLaw, said: Callable[[int], float], count: int) -> list[str]:
    """The x at which what the exported Python says is not what the board takes."""
    case = one.analysis.case
    assert case.parameter
    assert one.law.domain == (case.parameter.domain.first, case.parameter.domain.last)
    return [
        f"{case.name} at x = {x}: {said(x)}, the board takes {cycles}"
        for x, cycles in net(target, case, chosen(case, count)).items()
        if abs(said(x) - cycles) > OFF * cycles
    ]


@pytest.mark.parametrize(("kernel", "case", "x"), ONCE_FALSE)
def test_laws_that_were_false_between_their_points_hold(
    kernel: str, case: str, x: int, tmp_path: Path
) -> None:
    with open_target(Selection("lpc2148", kernel)) as target:
        found = exported(target, case, tmp_path / "results")
        (one,) = found.functions
        said = costs(found)[one.identifier]
        (cycles,) = net(target, one.analysis.case, [x]).values()
        assert said(x) == pytest.approx(cycles, rel=OFF)
        assert misses(target, one, said, SAMPLED) == []


@pytest.mark.matrix
@pytest.mark.parametrize("kernel", REFUSED)
def test_no_law_of_a_catalogue_is_off_anywhere_in_its_domain(kernel: str, tmp_path: Path) -> None:
    with open_target(Selection("lpc2148", kernel)) as target:
        found = exported(target, "*", tmp_path / "results")
        said = costs(found)
        wrong = [
            miss
            for one in found.functions
            if one.analysis.case.parameter and one.argument is not export.LOAD
            for miss in misses(target, one, said[one.identifier], ASKED)
        ]
    assert wrong == []
    cases = {one.case.name for one in found.found.cases if one.case.parameter}
    refused = [one for one in found.omitted if one.case in cases]
    assert len(refused) <= REFUSED[kernel], refused
    assert all(one.reason for one in refused)
