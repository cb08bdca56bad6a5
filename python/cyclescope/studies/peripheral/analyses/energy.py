"""Energy of a transfer by class and by term: core, sleep, memories, devices and their transfers.

The accounts are those of a power meter (`Board.spent`), whose places are functions. Every
femtojoule is in one class and one term.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

from cyclescope.report.terminal import WIDTH
from cyclescope.studies.peripheral.analyses import replayed
from cyclescope.studies.peripheral.analyses.by_class import Bytes
from cyclescope.studies.peripheral.analyses.classes import Classes
from cyclescope.studies.peripheral.analyses.rules import ClassRules
from cyclescope.studies.peripheral.analyses.tables import left_and_numbers
from cyclescope.studies.peripheral.analysis import TransferAnalysis
from cyclescope.studies.peripheral.transfer import Transfer
from cyclescope.studies.run.instruments.symbols import Symbols
from cyclescope.target.energy import EnergyModel
from cyclescope.targets.virtual.energy import energy_model

TERMS = ("core", "sleep", "memory", "device", "transfers", "quiescent")
"""Work of the core; its sleep; memories; registers, buses and clocks of devices; the PDC's accesses
to memory; the current that flows without a clock."""
FJ_PER_NJ = 1_000_000
UNMODELLED = "the wire itself: the board has no figure of its drivers' energy"

Account = tuple[tuple[int, int, int], tuple[int, int, Sequence[int]]]


def term(part: str) -> str:
    """The term that a part of the meter belongs to.

    >>> term("stall"), term("memory.ram"), term("bus.apb")
    ('core', 'memory', 'device')
    """
    named = {"active": "core", "stall": "core", "idle": "sleep"}
    if part in named or part in TERMS:
        return named.get(part, part)
    return "memory" if part.startswith("memory.") else "device"


def energy(
    accounts: Sequence[Account],
    parts: Sequence[str],
    symbols: Symbols,
    classes: Classes,
    moved: Bytes,
    model: EnergyModel,
) -> dict[str, Any]:
    """The energy of an interval by class and term, in femtojoules, with what it rests on."""
    rows: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    by_part: Counter[str] = Counter()
    for (_, _, place), (cycles, _, spent) in accounts:
        row = rows[classes.of(symbols.at(place) if place else None)]
        row["cycles"] += cycles
        for part, energy_fj in zip(parts, spent, strict=True):
            row[term(part)] += energy_fj
            by_part[part] += energy_fj
    total_fj = sum(by_part.values())
    found = [
        {
            "class": name[0],
            "subclass": name[1],
            "idle": classes.is_idle(name[0]),
            "cycles": row["cycles"],
            **_energies(row, moved),
        }
        for name, row in rows.items()
    ]
    in_all = _sum(rows.values())
    active = _sum(row for name, row in rows.items() if not classes.is_idle(name[0]))
    return {
        "bytes": moved.document(),
        "total_fj": total_fj,
        "parts_fj": {part: by_part[part] for part in parts if by_part[part]},
        "terms_fj": {one: in_all[one] for one in TERMS},
        "total": _energies(in_all, moved),
        "active": _energies(active, moved),
        "classes": sorted(found, key=lambda row: -row["energy_fj"]),
        "model": model.model_dump(),
        "conditions": model.sentence,
        "unverified_rules": sorted({one.rule for one in model.coefficients if one.rule}),
        "not_modelled": UNMODELLED,
    }


def _sum(rows: Any) -> Counter[str]:
    found: Counter[str] = Counter()
    for row in rows:
        found.update(row)
    return found


def _energies(row: Counter[str], moved: Bytes) -> dict[str, Any]:
    energy_fj = sum(row[one] for one in TERMS)
    return {
        "energy_fj": energy_fj,
        "terms_fj": {one: row[one] for one in TERMS},
        "nj_per_byte": energy_fj / FJ_PER_NJ / moved.wire if moved.wire else None,
        "nj_per_payload_byte": energy_fj / FJ_PER_NJ / moved.payload if moved.payload else None,
    }


def lines(document: Mapping[str, Any]) -> list[str]:
    """The classes as text: nanojoules per byte through the USART, by term."""
    wire = document["bytes"]["wire"] or 1
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for one in document["classes"]:
        rows[one["class"]].update(one["terms_fj"])
    shown = sorted(rows.items(), key=lambda item: -sum(item[1].values()))
    table = [
        (name, *(_figure(row[one], wire) for one in TERMS), _figure(sum(row.values()), wire))
        for name, row in [*shown, ("all", _sum(rows.values()))]
    ]
    return [
        "nJ per byte through the USART:",
        *left_and_numbers(("", *TERMS, "all"), table),
        *wrap(f"conditions: {document['conditions']}", WIDTH),
        *wrap(f"not in it: {document['not_modelled']}", WIDTH),
    ]


def _figure(energy_fj: int, wire: int) -> str:
    return f"{energy_fj / FJ_PER_NJ / wire:,.1f}"


def analyse(transfer: Transfer, rules: ClassRules) -> dict[str, Any]:
    """The energy of the steady state; `cycles` of all classes add up to its cycles."""
    symbols = replayed.names(transfer)
    replay = transfer.replay()
    board = replay.board
    begin, end = transfer.steady
    replay.run_to(begin)
    since = board.cycle
    board.meter(functions=rules.ranges(symbols))
    replay.run_to(end)
    moved = replayed.moved(transfer, begin, end)
    model = energy_model(board, board.core_hz)
    return {
        "rules": rules.document(),
        "interval_cycles": [since, board.cycle],
        **energy(board.spent(), board.energy_parts(), symbols, rules.classes, moved, model),
    }


ANALYSIS = TransferAnalysis.with_classes(
    "energy",
    "energy per byte by class: core, sleep, memories, devices",
    analyse,
    lines,
)
