"""The processor's load by class: instructions and cycles per byte through the USART.

The counts are those of a histogram (`Board.counted`). Each cycle and each instruction is in one
row: a class's, the entries of exceptions, waits for the PDC, or sleep.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cyclescope.studies.peripheral import paper
from cyclescope.studies.peripheral.analyses.classes import Classes
from cyclescope.studies.peripheral.analyses.tables import left_and_numbers
from cyclescope.studies.run.instruments.profile import KINDS, SEPARATE, UNKNOWN
from cyclescope.studies.run.instruments.symbols import Named, Symbols

MOST_FUNCTIONS = 3
"""Functions of a sub-class that the terminal shows."""


class Bytes(NamedTuple):
    """Bytes of an interval: through the USART to the board and from it, and of the file."""

    to_board: int
    from_board: int
    payload: int

    @property
    def wire(self) -> int:
        """Both ways: the paper's unit."""
        return self.to_board + self.from_board

    def document(self) -> dict[str, int]:
        """Returns them for JSON."""
        return {**self._asdict(), "wire": self.wire}


def by_function(counts: Mapping[str, Any], symbols: Symbols) -> dict[Named | None, Counter[str]]:
    """Instructions and cycles by kind of each function, or its caller; None has no symbol."""
    found: dict[Named | None, Counter[str]] = defaultdict(Counter)
    for charged, where, instructions, costs in counts["lines"]:
        start = where if charged is None else charged
        one = None if start is None or start == UNKNOWN else symbols.at(start)
        found[one]["instructions"] += instructions
        found[one].update(dict(zip(KINDS, costs, strict=True)))
    return dict(found)


def added(*counts: Mapping[str, Any]) -> dict[str, Any]:
    """Counts of intervals that follow each other, as those of one."""
    sums: dict[Any, list[int]] = {}
    for one in counts:
        for charged, where, instructions, costs in one["lines"]:
            line = sums.setdefault((charged, where), [0] * (1 + len(KINDS)))
            line[:] = (old + new for old, new in zip(line, (instructions, *costs), strict=True))
    return {
        "since": counts[0]["since"],
        "until": counts[-1]["until"],
        "lines": [(*key, values[0], values[1:]) for key, values in sums.items()],
    }


def load(
    counts: Mapping[str, Any],
    symbols: Symbols,
    classes: Classes,
    moved: Bytes,
    stated: Mapping[str, float] = paper.LOAD,
) -> dict[str, Any]:
    """The load of an interval: the rows of Table 1, their functions, and what the sums are of.

    `stated` is the paper's table of the same line. Optional classes without functions are left out.
    """
    functions = by_function(counts, symbols)
    rows: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    kinds: Counter[str] = Counter()
    for one, spent in functions.items():
        kinds.update(spent)
        cycles = sum(spent[kind] for kind in KINDS if kind not in SEPARATE)
        if cycles or spent["instructions"]:
            counted = {"instructions": spent["instructions"], "cycles": cycles}
            rows[classes.of(one)].append(
                {
                    "function": one.name if one else "(no symbol)",
                    "file": one.file if one else None,
                    "image": one.image if one else None,
                    **counted,
                }
            )
    busy = [row for name, some in rows.items() if not classes.is_idle(name[0]) for row in some]
    active = _sums(busy)
    there = {name for name, _ in rows}
    tables = [
        _class(name, rows, classes.is_idle(name), active, moved, stated)
        for name in classes.names
        if name in there or not classes.is_optional(name)
    ]
    cycles = counts["until"] - counts["since"]
    return {
        "interval_cycles": [counts["since"], counts["until"]],
        "cycles": cycles,
        "instructions": kinds["instructions"],
        "bytes": moved.document(),
        "classes": tables,
        "active": {**_per_byte(active, moved), "paper_instructions_per_byte": stated["active"]},
        "active_cycles_per_instruction": _ratio(active["cycles"], active["instructions"]),
        "entry_cycles": kinds["entries"],
        "transfer_wait_cycles": kinds["transfer_waits"],
        "asleep_cycles": kinds["asleep"],
        "kinds_cycles": {kind: kinds[kind] for kind in KINDS},
    }


def _class(
    name: str,
    rows: Mapping[tuple[str, str], Sequence[dict[str, Any]]],
    is_idle: bool,
    active: Mapping[str, int],
    moved: Bytes,
    stated: Mapping[str, float],
) -> dict[str, Any]:
    subclasses = []
    for (of, subclass), functions in rows.items():
        if of == name:
            found = {
                "subclass": subclass,
                **_per_byte(_sums(functions), moved),
                "paper_instructions_per_byte": stated.get(f"{name}/{subclass}"),
                "functions": [
                    {**one, **_per_byte(one, moved)}
                    for one in sorted(functions, key=lambda row: -row["instructions"])
                ],
            }
            subclasses.append(found)
    subclasses.sort(key=lambda row: -row["instructions"])
    in_all = _sums(subclasses)
    return {
        "class": name,
        "idle": is_idle,
        **_per_byte(in_all, moved),
        "paper_instructions_per_byte": stated.get(name),
        "share_of_active_instructions": None
        if is_idle
        else _ratio(in_all["instructions"], active["instructions"]),
        "share_of_active_cycles": None if is_idle else _ratio(in_all["cycles"], active["cycles"]),
        "subclasses": subclasses,
    }


def _sums(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    sums: Counter[str] = Counter(instructions=0, cycles=0)
    for row in rows:
        sums.update(instructions=row["instructions"], cycles=row["cycles"])
    return dict(sums)


def _per_byte(counted: Mapping[str, Any], moved: Bytes) -> dict[str, Any]:
    """Instructions and cycles, per byte through the USART, and per byte of the file."""
    found: dict[str, Any] = {}
    for key in ("instructions", "cycles"):
        found[key] = counted[key]
        found[f"{key}_per_byte"] = _ratio(counted[key], moved.wire)
        found[f"{key}_per_payload_byte"] = _ratio(counted[key], moved.payload)
    return found


def _ratio(count: int, of: int) -> float | None:
    return count / of if of else None


def lines(document: Mapping[str, Any], full: bool = False) -> list[str]:
    """The table as text: per byte through the USART, beside the paper's instructions."""
    header = ("", "instructions", "cycles", "share", "paper")
    rows = []
    for one in document["classes"]:
        if one["instructions"] or one["cycles"]:
            rows.append(_row(one["class"], one, one["share_of_active_instructions"]))
            for sub in one["subclasses"]:
                rows.append(_row(f"  {sub['subclass']}", sub, None))
                most = None if full else MOST_FUNCTIONS
                rows += [_row(f"    {f['function']}", f, None) for f in sub["functions"][:most]]
    active = document["active"]
    rows.append(_row("active", active, 1.0))
    wire = document["bytes"]["wire"]
    for key, text in (
        ("entry_cycles", "entries of exceptions"),
        ("transfer_wait_cycles", "waits for the PDC"),
        ("asleep_cycles", "asleep"),
    ):
        rows.append((text, "", _figure(_ratio(document[key], wire)), "", ""))
    moved = document["bytes"]
    return [
        f"Per byte through the USART ({wire:,}: {moved['to_board']:,} received, "
        f"{moved['from_board']:,} sent; {moved['payload']:,} of the file):",
        *left_and_numbers(header, rows),
    ]


def _row(name: str, one: Mapping[str, Any], share: float | None) -> tuple[str, ...]:
    paper_value = one.get("paper_instructions_per_byte")
    return (
        name,
        _figure(one["instructions_per_byte"]),
        _figure(one["cycles_per_byte"]),
        "" if share is None else f"{share:.1%}",
        "" if paper_value is None else f"{paper_value:g}",
    )


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}"
