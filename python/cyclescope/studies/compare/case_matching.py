"""Which cases of two results are the same: by a table of pairs, else by name.

Without a table, cases of two kernels need one class too.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from cyclescope.studies.characterize.findings import CaseAnalysis, Characterization
from cyclescope.studies.compare.findings import Pairing, Unmatched
from cyclescope.studies.compare.pair_table import PairTable, TablePair


@dataclass(frozen=True)
class Matched:
    """A case of the first and one of the second; `pairing` is there if a table matched them."""

    first: CaseAnalysis
    second: CaseAnalysis
    pairing: Pairing | None = None


def matches(
    first: Characterization, second: Characterization, table: PairTable | None
) -> Iterable[Matched]:
    """The pairs in the order of the table, or the cases that both have in that of the first."""
    if table:
        yield from _by_table(first, second, table)
        return
    others = {one.case.name: one for one in second.cases}
    for one in first.cases:
        other = others.get(one.case.name)
        if other and _agree(one, other, first, second):
            yield Matched(one, other)


def _by_table(
    first: Characterization, second: Characterization, table: PairTable
) -> Iterable[Matched]:
    sides = first, second
    kernels = [side.conditions.kernel for side in sides]
    there = [{one.case.name: one for one in side.cases} for side in sides]
    for pair in table.pairs:
        found = [
            cases.get(pair.cases[kernel]) for cases, kernel in zip(there, kernels, strict=True)
        ]
        if found[0] and found[1]:
            yield Matched(found[0], found[1], _pairing(pair, kernels))


def _pairing(pair: TablePair, kernels: list[str]) -> Pairing:
    return Pairing(
        function_class=pair.function_class,
        does=pair.does,
        nearly=pair.nearly,
        over=pair.load or pair.x,
        is_load=pair.load is not None,
        at=(pair.at.get(kernels[0]), pair.at.get(kernels[1])),
    )


def _agree(
    one: CaseAnalysis, other: CaseAnalysis, first: Characterization, second: Characterization
) -> bool:
    """Under two kernels a name alone is not enough: the class of functions must be the same."""
    same_kernel = first.conditions.kernel == second.conditions.kernel
    return same_kernel or one.case.function_class == other.case.function_class


def unmatched(
    own: Characterization, other: Characterization, table: PairTable | None
) -> tuple[Unmatched, ...]:
    """The cases of `own` that `other` has not, and why."""
    if table:
        return tuple(_without_pair(own, other, table))
    theirs = {one.case.name: one for one in other.cases}
    found = []
    for one in own.cases:
        name = one.case.name
        if name not in theirs:
            found.append(Unmatched(name, _lacking(name, other)))
        elif not _agree(one, theirs[name], own, other):
            of = theirs[name].case.function_class or "none"
            reason = f"a case of that name there is of another class of functions: {of}"
            found.append(Unmatched(name, reason))
    return tuple(found)


def _without_pair(
    own: Characterization, other: Characterization, table: PairTable
) -> Iterable[Unmatched]:
    kernel, others = own.conditions.kernel, other.conditions.kernel
    counterparts = {pair.cases[kernel]: pair.cases[others] for pair in table.pairs}
    there = {one.case.name for one in other.cases}
    for one in own.cases:
        name = one.case.name
        counterpart = counterparts.get(name)
        if counterpart is None:
            reason = table.reason(kernel, name) or "in no pair of the table"
            yield Unmatched(name, reason)
        elif counterpart not in there:
            yield Unmatched(name, f"its counterpart {counterpart} {_lacking(counterpart, other)}")


def _lacking(name: str, results: Characterization) -> str:
    """Why results do not have a case."""
    if name in {one.case for one in results.refused}:
        return "does not fit there"
    failed = {one.case: one.reason for one in results.failed}
    if name in failed:
        return f"failed there: {failed[name]}"
    if name in {case for _, case, _ in results.missing}:
        return "planned there and not measured yet"
    return "not measured there"
