"""Explanations as the page embeds them: what it draws when a case is opened, in few bytes.

The same functions execute in many cases, so their instructions are written once, and by a case what
it spent in them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any

from cyclescope.results.whole_files import ResultsError
from cyclescope.studies.explain import explanation
from cyclescope.studies.explain.explanation import KINDS, Explanation, Plain
from cyclescope.studies.explain.report.terminal import (
    HEADINGS,
    beside_words,
    energy_sentences,
    nanojoules,
)
from cyclescope.target.case import Case

Listing = tuple[tuple[int, str], ...]
"""Instructions of a function, each with its address."""


@dataclass(frozen=True)
class Explained:
    """An explanation whose lines of code stand by their addresses, and those lines by function."""

    told: dict[str, Any]
    code: dict[str, Listing]


def explained(folder: Path, case: Case, fingerprint: str) -> Explained | None:
    """The explanation of a case under these conditions, if it has one: at its greatest x."""
    there = _find(folder, case, fingerprint)
    if there is None:
        return None
    try:
        return Explained(_compact(there), _code(there))
    except (KeyError, TypeError) as fault:
        path = explanation.path_of(folder, there.case, there.parameter)
        raise ResultsError(
            f"{path} is damaged at functions: {fault}; {explanation.CURE}",
            code="explanation-damaged",
        ) from None


def gathered(
    every: Mapping[str, Explained],
) -> tuple[dict[str, Any], dict[str, list[tuple[str, str]]]]:
    """The explanations of cases by name, each line of code by its place in a listing.

    Beside them the listings: address and text of every instruction of their functions, by the
    function's address.
    """
    code: dict[str, dict[int, str]] = {}
    for one in every.values():
        for at, listing in one.code.items():
            code.setdefault(at, {}).update(listing)
    listings = {at: sorted(listing.items()) for at, listing in code.items()}
    places = {
        at: {address: place for place, (address, _) in enumerate(listing)}
        for at, listing in listings.items()
    }
    return {name: _placed(one.told, places) for name, one in every.items()}, {
        at: [(hexadecimal(address), text) for address, text in listing]
        for at, listing in listings.items()
    }


def _placed(told: dict[str, Any], places: Mapping[str, Mapping[int, int]]) -> dict[str, Any]:
    functions = []
    for function in told["functions"]:
        place = places[function["at"]]
        code = [[place[address], *counts] for address, *counts in function["code"]]
        functions.append({**function, "code": code})
    return {**told, "functions": functions}


def hexadecimal(address: int) -> str:
    """An address as listings have it."""
    return f"{address:08x}"


def _code(one: Plain) -> dict[str, Listing]:
    """Returns an explanation's facts of each function's code."""
    return {
        hexadecimal(cost["address"]): _shared(
            tuple((line["address"], line["text"]) for line in cost["code"])
        )
        for cost in one.functions
    }


@lru_cache(maxsize=1024)
def _shared(listing: Listing) -> Listing:
    """The listing itself, for all that have one like it. The same functions execute in many cases,
    and their listings are most of what is known of a case."""
    return listing


def _find(folder: Path, case: Case, fingerprint: str) -> Plain | None:
    for value in reversed(case.values()):
        there = explanation.load_plain(folder, case.name, value)
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
    empty = "" if one.by_pair else f", less {one.empty_call_cycles:,} of the empty call"
    beside = f", {one.beside_cycles:+,} {beside_words(one.by_pair)}" if one.beside_cycles else ""
    return (
        f"Call {one.index + 1} of a series of {one.length}: {one.call_cycles:,} cycles from entry "
        f"to return{empty}{beside}: "
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
