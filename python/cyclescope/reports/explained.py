"""Explanations as the page embeds them: what it draws when a case is opened, in few bytes.

The same functions execute in many cases, so their instructions are told once, and by a case what
it spent in them.
"""

from collections.abc import Mapping
from operator import itemgetter
from pathlib import Path
from typing import Any

from cyclescope import explanation
from cyclescope.explanation import KINDS, Explanation, Plain
from cyclescope.files import ResultsError
from cyclescope.reports.explanation import HEADINGS, energy_sentences, nanojoules
from cyclescope.study import CaseAnalysis, Characterization

Listing = dict[int, str]
"""Instructions of a function by address."""


def explanations(
    found: Characterization, folder: Path
) -> tuple[dict[str, Any], dict[str, list[tuple[str, str]]]]:
    """One explanation for each case that has one under these conditions: at its greatest x.

    Beside them address and text of every instruction of their functions, by the function's address.
    An explanation is let go when the next is read: of a whole catalogue they are large.
    """
    fingerprint = found.conditions.fingerprint()
    told: dict[str, Any] = {}
    code: dict[str, Listing] = {}
    for one in found.cases:
        if there := _find(folder, one, fingerprint):
            try:
                told[one.case.name] = _compact(there)
                _list(there, code)
            except (KeyError, TypeError) as fault:
                path = explanation.path_of(folder, there.case, there.parameter)
                raise ResultsError(
                    f"{path} is damaged at functions: {fault}; {explanation.CURE}"
                ) from None
    listings = {at: sorted(listing.items()) for at, listing in code.items()}
    places = {
        at: {address: place for place, (address, _) in enumerate(listing)}
        for at, listing in listings.items()
    }
    for function in (function for one in told.values() for function in one["functions"]):
        for line in function["code"]:
            line[0] = places[function["at"]][line[0]]
    return told, {
        at: [(hexadecimal(address), text) for address, text in listing]
        for at, listing in listings.items()
    }


def hexadecimal(address: int) -> str:
    """An address as listings have it."""
    return f"{address:08x}"


def _list(one: Plain, code: dict[str, Listing]) -> None:
    """Adds what an explanation knows of each function's code."""
    for cost in one.functions:
        known = code.setdefault(hexadecimal(cost["address"]), {})
        known.update({line["address"]: line["text"] for line in cost["code"]})


def _find(folder: Path, one: CaseAnalysis, fingerprint: str) -> Plain | None:
    for value in reversed(one.case.values()):
        there = explanation.load_plain(folder, one.case.name, value)
        if there and there.conditions == fingerprint:
            return there
    return None


def _compact(one: Plain) -> dict[str, Any]:
    """The explanation, its lines of code by their addresses."""
    shown = [kind for kind in KINDS if kind != "asleep" or one.spent.asleep]
    every, told = itemgetter(*KINDS), itemgetter(*shown)

    def spent(cycles: Mapping[str, int]) -> list[int]:
        return [sum(every(cycles)), *told(cycles)]

    def function(cost: Mapping[str, Any]) -> dict[str, Any]:
        code = [
            [
                line["address"],
                line["executions"],
                *spent(line["spent"]),
                *nanojoules(line.get("energy_fj")),
            ]
            for line in cost["code"]
            if line["executions"]
        ]
        return {
            "name": cost["name"],
            "at": hexadecimal(cost["address"]),
            "entries": cost["entries"],
            "spent": spent(cost["spent"]),
            "nj": nanojoules(cost.get("energy_fj")),
            "code": code,
        }

    return {
        "kinds": [HEADINGS[kind] for kind in shown],
        "x": one.parameter,
        "sentence": " ".join([_sum(one), _interrupts(one), *energy_sentences(one)]),
        "spent": spent(vars(one.spent)),
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
