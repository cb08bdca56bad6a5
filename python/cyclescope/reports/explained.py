"""Explanations as the page embeds them: what it draws when a case is opened, in few bytes.

The same functions execute in many cases, so their instructions are told once, and by a case what
it spent in them.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cyclescope import explanation
from cyclescope.explanation import KINDS, Explanation, FunctionCost, Spent
from cyclescope.reports.explanation import HEADINGS, energy_sentences, nanojoules
from cyclescope.study import CaseAnalysis, Characterization

Listing = dict[int, str]
"""Instructions of a function by address."""


def explanations(
    found: Characterization, folder: Path
) -> tuple[dict[str, Any], dict[str, list[tuple[str, str]]]]:
    """One explanation for each case that has one under these conditions: at its greatest x.

    Beside them address and text of every instruction of their functions, by the function's address.
    """
    fingerprint = found.conditions.fingerprint()
    candidates = ((one.case.name, _find(folder, one, fingerprint)) for one in found.cases)
    there = {name: one for name, one in candidates if one}
    code = _listings(there.values())
    listings = {
        hexadecimal(at): [(hexadecimal(address), text) for address, text in listing.items()]
        for at, listing in code.items()
    }
    return {name: _compact(one, code) for name, one in there.items()}, listings


def hexadecimal(address: int) -> str:
    """An address as listings have it."""
    return f"{address:08x}"


def _listings(explained: Iterable[Explanation]) -> dict[int, Listing]:
    """What is known of each function's code, from all that execute it."""
    found: dict[int, Listing] = {}
    for one in explained:
        for cost in one.functions:
            known = found.setdefault(cost.address, {})
            known.update((line.address, line.text) for line in cost.code)
    return {at: dict(sorted(listing.items())) for at, listing in found.items()}


def _find(folder: Path, one: CaseAnalysis, fingerprint: str) -> Explanation | None:
    for value in reversed(one.case.values()):
        there = explanation.load(folder, one.case.name, value)
        if there and there.conditions == fingerprint:
            return there
    return None


def _compact(one: Explanation, listings: dict[int, Listing]) -> dict[str, Any]:
    shown = [kind for kind in KINDS if kind != "asleep" or one.spent.asleep]

    def spent(cycles: Spent) -> list[int]:
        return [cycles.total, *(getattr(cycles, kind) for kind in shown)]

    def function(cost: FunctionCost) -> dict[str, Any]:
        places = {address: place for place, address in enumerate(listings[cost.address])}
        code = [
            [
                places[line.address],
                line.executions,
                *spent(line.spent),
                *nanojoules(line.energy_fj),
            ]
            for line in cost.code
            if line.executions
        ]
        return {
            "name": cost.name,
            "at": hexadecimal(cost.address),
            "entries": cost.entries,
            "spent": spent(cost.spent),
            "nj": nanojoules(cost.energy_fj),
            "code": code,
        }

    return {
        "kinds": [HEADINGS[kind] for kind in shown],
        "x": one.parameter,
        "sentence": " ".join([_sum(one), _interrupts(one), *energy_sentences(one)]),
        "spent": spent(one.spent),
        "nj": nanojoules(one.energy.call_fj if one.energy else None),
        "functions": [function(cost) for cost in one.functions],
    }


def _sum(one: Explanation) -> str:
    beside = f", {one.beside_cycles:+,} beside the calls" if one.beside_cycles else ""
    return (
        f"Call {one.index + 1} of a series of {one.length}: {one.call_cycles:,} cycles from entry "
        f"to return, less {one.empty_call_cycles:,} of the empty call{beside}: "
        f"{one.net_cycles:,} net cycles."
    )


def _interrupts(one: Explanation) -> str:
    off = one.interrupts_off
    if not off.longest_cycles:
        return "Interrupts are never off in it."
    return (
        f"Interrupts are off for {off.longest_cycles:,} cycles at the longest, from {off.begin_at} "
        f"to {off.end_at}."
    )
