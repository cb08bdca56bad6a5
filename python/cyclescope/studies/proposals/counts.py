"""From what the instruments counted to the figures of one image."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from cyclescope.studies.proposals.parts import SoftwarePart, part_of
from cyclescope.studies.proposals.peer import LINE
from cyclescope.studies.run.instruments.profile import KINDS, UNKNOWN
from cyclescope.studies.run.instruments.symbols import Named, Symbols
from cyclescope.studies.run.instruments.transfers import moved_blocks

WIDTHS = {4: "words", 2: "half-words", 1: "bytes"}
DATA = ("US_RHR", "US_THR")
ASLEEP = "asleep"
DECLARED_PARTS = ("bus.local", "device.usart1")
"""Energies that boards/ declare: of registers behind MRC and MCR, and of a USART that frames."""
FJ_PER_NJ = 1_000_000


def per_byte(count: float, wire: int, payload: int) -> dict[str, float]:
    """A count by byte of the line and by byte of the file."""
    return {"count": count, "per_byte": count / wire, "per_payload_byte": count / payload}


def load(counted: Mapping[str, Any], symbols: Symbols, wire: int, payload: int) -> dict[str, Any]:
    """Instructions and cycles by part. Active are all but idle code and sleep; so entries of
    interrupts and waits for the PDC are, too."""
    instructions: Counter[SoftwarePart] = Counter()
    cycles: Counter[SoftwarePart] = Counter()
    functions: dict[str, Counter[str]] = defaultdict(Counter)
    kinds: Counter[str] = Counter()
    for charged, where, executions, costs in counted["lines"]:
        start = where if charged is None else charged
        found = _function(start, symbols)
        part = part_of(found)
        spent = dict(zip(KINDS, costs, strict=True))
        kinds.update(spent)
        instructions[part] += executions
        cycles[part] += sum(spent.values()) - spent[ASLEEP]
        own = functions[found.name if found else "(no symbol)"]
        own["instructions"] += executions
        own["cycles"] += sum(spent.values()) - spent[ASLEEP]
    active = [part for part in SoftwarePart if part is not SoftwarePart.IDLE]
    largest = sorted(functions.items(), key=lambda one: -one[1]["instructions"])
    return {
        "cycles": counted["until"] - counted["since"],
        "asleep_cycles": kinds[ASLEEP],
        "entry_cycles": kinds["entries"],
        "transfer_wait_cycles": kinds["transfer_waits"],
        "active_instructions": per_byte(sum(instructions[one] for one in active), wire, payload),
        "active_cycles": per_byte(sum(cycles[one] for one in active), wire, payload),
        "parts": {
            str(one): {
                "instructions": per_byte(instructions[one], wire, payload),
                "cycles": per_byte(cycles[one], wire, payload),
            }
            for one in SoftwarePart
        },
        "functions": [{"function": name, **found} for name, found in largest],
    }


def accesses(
    counted: Mapping[str, Any], symbols: Symbols, wire: int, payload: int
) -> dict[str, Any]:
    """Data accesses of the core that are not idle, by width and by device."""
    widths: Counter[str] = Counter()
    targets: Counter[str] = Counter()
    registers: Counter[str] = Counter()
    total = 0
    for start, device, target, register, direction, size, number, _ in counted["lines"]:
        if device is not None or direction == "fetch":
            continue
        if part_of(_function(start, symbols)) is SoftwarePart.IDLE:
            continue
        total += number
        widths[WIDTHS[size]] += number
        targets[target] += number
        if target == LINE:
            registers[register] += number
    control = sum(count for name, count in registers.items() if name not in DATA)
    return {
        "data": per_byte(total, wire, payload),
        "widths": {name: per_byte(widths[name], wire, payload) for name in WIDTHS.values()},
        "targets": {name: per_byte(count, wire, payload) for name, count in targets.most_common()},
        "registers": dict(registers.most_common()),
        "line_control": control,
        "line_data": sum(registers[name] for name in DATA),
    }


def transfers(counted: Mapping[str, Any]) -> dict[str, Any]:
    """Blocks that a device moved by itself, by direction: their number and bytes."""
    found = {}
    for direction in ("to memory", "from memory"):
        lines, blocks = moved_blocks(counted, LINE, direction)
        found[direction.replace(" ", "_")] = {
            "number": blocks.total(),
            "bytes": sum(one["bytes"] for one in lines),
            "lengths": sorted(blocks.items()),
            "stolen_cycles": sum(one["stolen_cycles"] for one in lines),
        }
    return found


def copies(counted: Mapping[str, Any], symbols: Symbols) -> dict[str, Any]:
    """How often the core stores each byte that came in memory, and which functions do."""
    stored = [one for one in counted["copies"] if one[1] and one[2] is not None and one[3] is None]
    by = Counter(found.name for one in stored if (found := symbols.at(one[2])))
    return {
        "bytes": counted["bytes"],
        "per_received_byte": len(stored) / counted["bytes"] if counted["bytes"] else None,
        "functions": dict(by.most_common()),
    }


def energy(
    accounts: Sequence[Any], parts: Sequence[str], symbols: Symbols, wire: int, payload: int
) -> dict[str, dict[str, float]]:
    """Energy in nanojoules: all, what idle code and sleep did not take, and what is declared.

    `parts` are the names of the energies of an account. Declared parts are those of no AT91x40.

    No mode is known of the sleep that the meter was attached in: it lasts to the first instruction.
    """
    spent: Counter[SoftwarePart] = Counter()
    declared = 0
    for (mode, _, place), (_, _, energies) in accounts:
        part = part_of(_function(place, symbols)) if mode else SoftwarePart.IDLE
        spent[part] += sum(energies)
        by_name = zip(parts, energies, strict=True)
        declared += sum(one for name, one in by_name if name in DECLARED_PARTS)
    total = spent.total()
    return {
        "total_nj": per_byte(total / FJ_PER_NJ, wire, payload),
        "active_nj": per_byte((total - spent[SoftwarePart.IDLE]) / FJ_PER_NJ, wire, payload),
        "declared_nj": per_byte(declared / FJ_PER_NJ, wire, payload),
    }


def _function(start: int | None, symbols: Symbols) -> Named | None:
    return None if start is None or start == UNKNOWN else symbols.at(start)
