"""Counts of instruments as lines of text: the greatest first, the rest summed."""

from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any

from cyclescope.studies.run.instruments.interrupts import DURATIONS

MOST_LINES = 15
MOST_UNATTRIBUTED = 0.01
KIND_TEXT = {
    "transfer_waits": "(waiting for a transfer)",
    "entries": "(entering interrupts)",
    "asleep": "(asleep)",
}
NO_SYMBOL = "(no symbol)"
TARGET_COLUMNS = ("accesses", "fetches", "reads", "writes", "by_devices", "cycles")
REGISTER_COLUMNS = ("accesses", "reads", "writes", "cycles")
FUNCTION_COLUMNS = ("accesses", "reads", "writes", "to_devices", "cycles")
SOURCE_COLUMNS = ("asserted", "taken", "nested", "withdrawn", "merged", "returned")


def lines(key: str, document: dict[str, Any]) -> list[str]:
    """The table of the instrument of this name."""
    return TABLES[key](document)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], names: int = 1) -> list[str]:
    """Numbers to the right, and the last `names` columns to the left."""
    numbers = len(header) - names
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]

    def line(row: Sequence[str]) -> str:
        cells = [
            f"{cell:>{width}}" if i < numbers else f"{cell:<{width}}"
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return "  ".join(cells).rstrip()

    return [line(row) for row in [[text.replace("_", " ") for text in header], *rows]]


def _profile(document: dict[str, Any]) -> list[str]:
    cycles = document["cycles"]
    missing = document["unattributed"]
    rows = [
        {**one, "name": one["function"], "file": _short(one["file"])}
        for one in document["functions"]
    ]
    separate = [
        {"name": text, "file": "", "cycles": document["kinds"][kind], "instructions": 0}
        for kind, text in KIND_TEXT.items()
        if document["kinds"][kind]
    ]
    if missing["cycles"]:
        separate.append({"name": NO_SYMBOL, "file": "", **missing})
    header = ("cycles", "share", "instructions", "function", "file")
    found = [
        f"{cycles:,} cycles, {document['instructions']:,} instructions, from cycle "
        f"{document['since']:,} on; by function:"
    ]
    found += _table(header, [_share(one, cycles) for one in [*_most(rows), *separate]], 2)
    found += ["", "by source file:"]
    files = [{**one, "name": _short(one["file"]), "file": ""} for one in document["files"]]
    found += _table(("cycles", "share", "instructions", "file", ""), [
        _share(one, cycles) for one in _most(files)
    ], 2)  # fmt: skip
    found += ["", f"not attributed: {missing['cycles']:,} cycles ({missing['share']:.2%})"]
    if missing["share"] > MOST_UNATTRIBUTED:
        found.append("more than 1 % has no symbol: name all images by --symbols FILE[@ADDRESS]")
    return found


def _most(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first of them, and one for the sum of the rest."""
    rest = rows[MOST_LINES:]
    if not rest:
        return rows
    sums = {key: sum(one[key] for one in rest) for key in ("cycles", "instructions")}
    return [*rows[:MOST_LINES], {"name": f"({len(rest)} more)", "file": "", **sums}]


def _share(one: dict[str, Any], cycles: int) -> tuple[str, ...]:
    part = one["cycles"] / cycles if cycles else 0.0
    counts = (f"{one['cycles']:,}", f"{part:.2%}", f"{one['instructions']:,}")
    return (*counts, one["name"], one["file"])


def _short(file: str | None) -> str:
    """A path's last parts."""
    return "/".join(PurePath(file).parts[-3:]) if file else ""


def _accesses(document: dict[str, Any]) -> list[str]:
    found = ["accesses by memory and device:"]
    targets = [_counts(one, TARGET_COLUMNS, one["target"]) for one in document["targets"]]
    found += _table((*TARGET_COLUMNS, "target"), targets)
    widths = document["widths"]
    all_data = sum(widths.values()) or 1
    named = {"1": "bytes", "2": "half-words", "4": "words"}
    parts = [f"{named[width]} {count / all_data:.1%}" for width, count in widths.items()]
    found += ["", f"data accesses of the core by width: {', '.join(parts)}"]
    if document["registers"]:
        rows = [
            _counts(one, REGISTER_COLUMNS, f"{one['target']}.{one['register']}")
            for one in _most_accesses(document["registers"], ("target", "register"))
        ]
        found += ["", "registers:", *_table((*REGISTER_COLUMNS, "register"), rows)]
    rows = [
        _counts(one, FUNCTION_COLUMNS, one["function"])
        for one in _most_accesses(document["functions"], ("function",))
    ]
    by_function = _table((*FUNCTION_COLUMNS, "function"), rows)
    return [*found, "", "data accesses by function:", *by_function]


def _most_accesses(rows: list[dict[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    rest = rows[MOST_LINES:]
    if not rest:
        return rows
    numbers = [key for key in rest[0] if key not in names]
    sums = {key: sum(one[key] for one in rest) for key in numbers}
    label = dict.fromkeys(names, "") | {names[-1]: f"({len(rest)} more)"}
    return [*rows[:MOST_LINES], {**label, **sums}]


def _counts(one: dict[str, Any], columns: Sequence[str], name: str) -> tuple[str, ...]:
    return (*(f"{one[column]:,}" for column in columns), name.removeprefix("."))


def _transfers(document: dict[str, Any]) -> list[str]:
    if not document["lines"]:
        return ["no device has moved data by itself"]
    header = ("transfers", "bytes", "blocks", "mean length", "stolen cycles", "device", "direction")
    rows = [
        (
            f"{one['transfers']:,}",
            f"{one['bytes']:,}",
            f"{one['block_count']:,}",
            "–" if one["mean_transfers"] is None else f"{one['mean_transfers']:.1f}",
            f"{one['stolen_cycles']:,}",
            one["device"],
            one["direction"],
        )
        for one in document["lines"]
    ]
    return [
        f"transfers of devices; the core waited {document['stolen_cycles']:,} cycles for them:",
        *_table(header, rows, 2),
    ]


def _interrupts(document: dict[str, Any]) -> list[str]:
    if not document["sources"]:
        return ["no interrupt was requested"]
    rows = [_counts(one, SOURCE_COLUMNS, one["source"]) for one in document["sources"]]
    found = ["interrupts by source:", *_table((*SOURCE_COLUMNS, "source"), rows)]
    texts = {
        "latency_cycles": "from request to entry",
        "entry_cycles": "from entry to first instruction",
        "handler_cycles": "from there to the end",
        "own_cycles": "the same, nested ones left out",
    }
    spans = [
        _durations(one[name], one["source"], texts[name])
        for one in document["sources"]
        for name in DURATIONS
        if one[name]["count"]
    ]
    header = ("least", "mean", "median", "95 %", "99 %", "most", "source", "span")
    return [*found, "", *_table(header, spans, 2)]


def _durations(what: dict[str, Any], source: str, text: str) -> tuple[str, ...]:
    least, *others = (f"{what[key]:,}" for key in ("min", "q50", "q95", "q99", "max"))
    return (least, f"{what['mean']:,.1f}", *others, source, text)


def _follow(document: dict[str, Any]) -> list[str]:
    found = [f"{document['bytes']:,} bytes followed, {document['copies']:,} copies of them:"]
    rows = [
        (f"{one['copies']:,}", f"{one['changed']:,}", one["function"], one["to"])
        for one in document["lines"][:MOST_LINES]
    ]
    found += _table(("copies", "changed", "by", "to"), rows, 2)
    if more := document["lines"][MOST_LINES:]:
        found.append(f"({len(more)} more, {sum(one['copies'] for one in more):,} copies)")
    per_byte = document["copies_per_byte"]
    if per_byte["count"]:
        texts = (f"{per_byte[key]:,}" for key in ("min", "q50", "max"))
        found.append("copies per byte: least {}, median {}, most {}".format(*texts))
    carrying = document["carrying"]
    found.append(
        f"instructions that carried them: {carrying['instructions']:,}, in "
        f"{carrying['cycles']:,} cycles"
    )
    if document["lost"]:
        found.append(f"{document['lost']:,} copies found no place: follow a shorter run")
    return found


TABLES: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    "profile": _profile,
    "accesses": _accesses,
    "transfers": _transfers,
    "interrupts": _interrupts,
    "follow": _follow,
}
