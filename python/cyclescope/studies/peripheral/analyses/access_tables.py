"""Tables of accesses by class, width, device and register, and of the PDC's transfers.

`counted` is what `Board.attach_accesses` counts, `transfers` the document of that instrument.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from cyclescope.studies.peripheral import paper
from cyclescope.studies.peripheral.analyses.by_class import Bytes
from cyclescope.studies.peripheral.analyses.classes import Classes
from cyclescope.studies.run.instruments.profile import UNKNOWN
from cyclescope.studies.run.instruments.symbols import Symbols
from cyclescope.studies.run.instruments.transfers import moved_blocks

REGISTERS = {
    "US_RPR": "receive pointer",
    "US_RCR": "receive counter",
    "US_TPR": "transmit pointer",
    "US_TCR": "transmit counter",
    "US_CR": "control",
    "US_IER": "interrupt enable",
    "US_IDR": "interrupt enable",
    "US_IMR": "interrupt mask",
    "US_CSR": "channel status",
    "US_RTOR": "receive timeout",
    "US_RHR": "received data",
    "US_THR": "data to transmit",
}
"""Groups of Table 4, and those that it does not have; others are in "settings"."""
SETTINGS = "settings"
DATA = ("US_RHR", "US_THR")
WIDTHS = {4: "words", 2: "half-words", 1: "bytes"}
SYSTEM_THREE = (("char", "driver"), ("char", "n_tty"), ("kernel", "irq"))
"""The sub-classes that the paper names of the operating system's accesses."""

Counts = Counter[str]


def accesses(
    counted: Mapping[str, Any],
    transfers: Mapping[str, Any],
    symbols: Symbols,
    classes: Classes,
    line: str,
    active_instructions: int,
    wire: Bytes,
    link: str = "serial",
) -> dict[str, Any]:
    """Figure 5 and Tables 3 to 5 of an interval; `line` is the USART that the transfer went over.

    `link` is the line by its name in `paper.DEVICES`, whose numbers stand beside.

    Shares are of data accesses that are not idle, as the paper's. Devices have all accesses.
    """
    data = [one for one in counted["lines"] if one[1] is None and one[4] != "fetch"]
    named = [(classes.of(_function(one[0], symbols)), one) for one in data]
    active = [(of, one) for of, one in named if not classes.is_idle(of[0])]
    by_class: dict[tuple[str, str], Counts] = defaultdict(Counter)
    for of, one in active:
        _count(by_class[of], one)
    in_all = _sum(by_class.values())
    driver = by_class.get(("char", "driver"), Counter())
    to_line = sum(one[6] for of, one in active if of == ("char", "driver") and one[2] == line)
    moved = pdc_transfers(transfers, line, wire, link)
    registers = _registers(data, line, link)
    control = sum(one[6] for one in data if one[2] == line and one[3] not in DATA)
    interactions = _interactions(moved, registers)
    system = _sum(row for of, row in by_class.items() if of[0] != "application")
    three = sum(by_class.get(of, Counter())["accesses"] for of in SYSTEM_THREE)
    char = sum(row["accesses"] for of, row in by_class.items() if of[0] == "char")
    widths: Counts = Counter()
    for _, one in active:
        widths[WIDTHS[one[5]]] += one[6]
    return {
        "line": line,
        "data_accesses": in_all["accesses"],
        "per_active_instruction": _ratio(in_all["accesses"], active_instructions),
        "per_wire_byte": _ratio(in_all["accesses"], wire.wire),
        "widths": {
            name: {"accesses": widths[name], "share": _ratio(widths[name], in_all["accesses"])}
            for name in WIDTHS.values()
        },
        "classes": [
            {
                "class": of[0],
                "subclass": of[1],
                **_row(row),
                "share": _ratio(row["accesses"], in_all["accesses"]),
            }
            for of, row in sorted(by_class.items(), key=lambda item: -item[1]["accesses"])
        ],
        "three_of_system": _ratio(three, system["accesses"]),
        "char_share": _ratio(char, in_all["accesses"]),
        **_irda_shares(by_class, char, in_all["accesses"], system["accesses"]),
        "driver_io_share": _ratio(to_line, driver["accesses"]),
        "devices": _devices(data),
        "registers": registers,
        "transfers": moved,
        "control_accesses": control,
        "interactions": interactions,
        "control_accesses_per_interaction": _ratio(control, interactions),
        "paper": {
            key: stated.value
            for key in (
                "data_accesses", "accesses_per_instruction", "words", "bytes", "three_of_system",
                "char_accesses", "driver_io_share", "control_accesses", "interactions",
                "irda_accesses", "peripheral_accesses",
            )
            if (stated := paper.stated(key, link))
        },
    }  # fmt: skip


def _irda_shares(
    by_class: Mapping[tuple[str, str], Counts], char: int, in_all: int, of_system: int
) -> dict[str, float | None]:
    """The shares that the paper states of the infrared stack, if there is one."""
    irda = sum(row["accesses"] for of, row in by_class.items() if of[0] == "irda")
    if not irda:
        return {}
    return {
        "irda_of_system": _ratio(irda, of_system),
        "peripheral_share": _ratio(char + irda, in_all),
    }


def _function(start: int | None, symbols: Symbols) -> Any:
    return None if start is None or start == UNKNOWN else symbols.at(start)


def _count(row: Counts, one: tuple[Any, ...]) -> None:
    row["reads" if one[4] == "read" else "writes"] += one[6]
    row["accesses"] += one[6]
    row["cycles"] += one[7]
    if one[3] is not None:
        row["to_devices"] += one[6]


def _sum(rows: Iterable[Counts]) -> Counts:
    found: Counts = Counter()
    for row in rows:
        found.update(row)
    return found


def _row(row: Counts) -> dict[str, int]:
    return {key: row[key] for key in ("reads", "writes", "accesses", "to_devices", "cycles")}


def _ratio(count: float, of: float) -> float | None:
    return count / of if of else None


def _devices(data: Iterable[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Table 3: reads and writes of each device, the most accesses first."""
    rows: dict[str, Counts] = defaultdict(Counter)
    for one in data:
        if one[3] is not None:
            _count(rows[one[2]], one)
    found = [{"device": name, **_row(row)} for name, row in rows.items()]
    return sorted(found, key=lambda row: -row["accesses"])


def _registers(data: Iterable[tuple[Any, ...]], line: str, link: str) -> list[dict[str, Any]]:
    """Table 4: reads and writes of each group of the USART's registers, in the paper's order."""
    order = [*dict.fromkeys(REGISTERS.values()), SETTINGS]
    rows: dict[str, Counts] = {group: Counter() for group in order}
    for one in data:
        if one[2] == line and one[3] is not None:
            _count(rows[REGISTERS.get(one[3], SETTINGS)], one)
    stated = paper.REGISTERS[link]
    return [
        {
            "group": group,
            "registers": [name for name, of in REGISTERS.items() if of == group],
            "is_data": group in (REGISTERS[name] for name in DATA),
            **_row(row),
            "paper": stated.get(group),
        }
        for group, row in rows.items()
    ]


def pdc_transfers(
    transfers: Mapping[str, Any], line: str, wire: Bytes, link: str = "serial"
) -> list[dict[str, Any]]:
    """Table 5: bytes, number and mean length of the PDC's transfers in each direction.

    A transfer is a block that moved something: what one buffer got. It counts where it ends. The
    wire's bytes stand beside. The document may have lines of several intervals.
    """
    rows = []
    directions = (("to memory", wire.to_board), ("from memory", wire.from_board))
    for direction, on_wire in directions:
        found, blocks = moved_blocks(transfers, line, direction)
        number = blocks.total() + bool(found and found[-1]["open_transfers"])
        moved_bytes = sum(one["bytes"] for one in found)
        stated = paper.TRANSFERS[link][direction]
        rows.append(
            {
                "direction": direction,
                "bytes": moved_bytes,
                "number": number,
                "mean_bytes": _ratio(moved_bytes, number),
                "lengths": sorted(blocks.items()),
                "stolen_cycles": sum(one["stolen_cycles"] for one in found),
                "wire_bytes": on_wire,
                "paper": {"bytes": stated[0], "number": stated[1], "mean_bytes": stated[2]},
            }
        )
    return rows


def _interactions(moved: list[dict[str, Any]], registers: list[dict[str, Any]]) -> int:
    """The PDC's transfers; in a direction without PDC each byte that the driver moves is one."""
    data = {row["group"]: row["accesses"] for row in registers if row["is_data"]}
    by_hand = {
        "to memory": data[REGISTERS["US_RHR"]],
        "from memory": data[REGISTERS["US_THR"]],
    }
    return sum(row["number"] or by_hand[row["direction"]] for row in moved)
