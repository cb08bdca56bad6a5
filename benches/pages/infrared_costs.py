"""Load and accesses beside the paper's, for docs/explanation/infrared.md."""

from collections.abc import Iterable, Mapping
from typing import Any

from cyclescope.studies.peripheral import paper
from cyclescope.studies.peripheral.choices import LineType
from cyclescope.studies.peripheral.report.measured import MeasuredTransfer
from cyclescope.studies.peripheral.report.sections import lines
from pages.infrared_transfers import BOTH, pair, transfer
from pages.values import table


def infrared_lines() -> str:
    """Serial and infrared beside each other, per byte on the wire and per byte of the file."""
    rows = [" | ".join(one.texts) for one in lines.rows(pair())]
    return table(" | ".join(lines.HEADINGS), *rows)


def infrared_verdict() -> str:
    """The ratio of the times, and the ranking in both units."""
    return lines.verdict(pair())


def infrared_load() -> str:
    """Active instructions per byte by class and sub-class, beside Table 2."""
    steady = transfer(BOTH).documents["load"]["steady"]
    rows = []
    for one in steady["classes"]:
        if one["idle"] or not one["instructions"]:
            continue
        share = one["share_of_active_instructions"]
        theirs = paper.INFRARED_LOAD.get(one["class"])
        of = "–" if theirs is None else f"{theirs / paper.INFRARED_LOAD['active']:.0%}"
        rows.append(f"**{one['class']}** | {_cells(one)} | {share:.0%} | {of}")
        rows += [f"{sub['subclass']} | {_cells(sub)} | | " for sub in _largest(one)]
    active = steady["active"]
    rows.append(f"**active** | {_cells(active)} | 100% | 100%")
    head = "per byte through the USART | instructions | paper | cycles | share | paper"
    return table(head, *rows)


def _largest(one: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    return [sub for sub in one["subclasses"] if sub["instructions_per_byte"] >= 1.0]


def _cells(row: Mapping[str, Any]) -> str:
    stated = row["paper_instructions_per_byte"]
    theirs = "–" if stated is None else f"{stated:g}"
    return f"{row['instructions_per_byte']:,.1f} | {theirs} | {row['cycles_per_byte']:,.0f}"


def infrared_accesses() -> str:
    """Accesses by the core, beside sections 4.3 and 4.4."""
    found = transfer(BOTH).documents["accesses"]
    stated = found["paper"]
    rows = [
        ("data accesses, not idle", found["data_accesses"], stated["data_accesses"], ",.0f"),
        ("data accesses per active instruction", found["per_active_instruction"],
         stated["accesses_per_instruction"], ".2f"),
        ("words", found["widths"]["words"]["share"], stated["words"], ".0%"),
        ("bytes", found["widths"]["bytes"]["share"], stated["bytes"], ".0%"),
        ("irda, of the system's", found["irda_of_system"], stated["irda_accesses"], ".0%"),
        ("char and irda, of all", found["peripheral_share"], stated["peripheral_accesses"], ".0%"),
        ("registers, of the driver's", found["driver_io_share"], stated["driver_io_share"], ".0%"),
    ]  # fmt: skip
    written = [
        f"{text} | {format(here, form)} | {format(theirs, form)}"
        for text, here, theirs, form in rows
    ]
    return table("accesses | here | paper", *written)


def infrared_registers() -> str:
    """Tables 3 and 4: accesses by device, and by register of the USART."""
    found = transfer(BOTH).documents["accesses"]
    names = {"aic": "aic", "tc": "tc", "usart1": "usart"}
    devices = {one["device"]: one for one in found["devices"]}
    rows = []
    for name, theirs in names.items():
        one = devices.get(name, {"reads": 0, "writes": 0, "accesses": 0})
        rows.append(_row(f"**{name}**", one, paper.DEVICES["infrared"][theirs]))
    rows += [
        _row(one["group"], one, one["paper"])
        for one in found["registers"]
        if one["accesses"] or one["paper"]
    ]
    head = "device, register of the USART | reads | writes | all | paper: reads | writes | all"
    return table(head, *rows)


def _row(name: str, one: Mapping[str, Any], stated: tuple[int, ...] | None) -> str:
    theirs = " | ".join(f"{value:,}" for value in stated) if stated else "– | – | –"
    return f"{name} | {one['reads']:,} | {one['writes']:,} | {one['accesses']:,} | {theirs}"


def infrared_transfers() -> str:
    """Table 5: the PDC's transfers of the whole run, and the frames on the wire."""
    one = transfer(BOTH)
    rows = []
    for moved in one.documents["accesses"]["whole_transfers"]:
        theirs = moved["paper"]
        rows.append(
            f"{moved['direction']} | {moved['bytes']:,} | {moved['wire_bytes']:,} | "
            f"{moved['number']:,} | {moved['mean_bytes']:.1f} | {theirs['bytes']:,} | "
            f"{theirs['number']:,} | {theirs['mean_bytes']:g}"
        )
    return table(
        "PDC | bytes | of the other side, or own | number | mean | paper: bytes | number | mean",
        *rows,
    )


def infrared_access_classes() -> str:
    """Figure 5: the core's data accesses by class, of both lines; the paper's text has one."""
    both = [_access_classes(one) for one in pair().values()]
    names = list(dict.fromkeys(name for found in both for name in found))
    rows = []
    for name in sorted(names, key=lambda name: -both[1].get(name, (0, 0.0))[0]):
        cells = [found.get(name, (0, 0.0)) for found in both]
        rows.append(f"{name} | " + " | ".join(f"{count:,} | {of:.1%}" for count, of in cells))
    return table("class | serial: accesses | share | infrared: accesses | share", *rows)


def _access_classes(one: MeasuredTransfer) -> dict[str, tuple[int, float]]:
    """Accesses and share of each class, over its sub-classes."""
    found: dict[str, tuple[int, float]] = {}
    for row in one.documents["accesses"]["classes"]:
        count, share = found.get(row["class"], (0, 0.0))
        found[row["class"]] = (count + row["accesses"], share + row["share"])
    return {name: cells for name, cells in found.items() if cells[0]}


def infrared_shares() -> str:
    """Shares of the peripheral in load and accesses: char, and with infrared irda, too."""
    serial, infrared = (pair()[line].documents for line in (LineType.SERIAL, LineType.INFRARED))
    stated = paper.STATED
    rows = [
        ("serial: char, of the load", _of_load(serial, "char"), stated["char_share"].value),
        ("serial: char, of the accesses", serial["accesses"]["char_share"],
         stated["char_accesses"].value),
        ("infrared: char and irda, of the load", _of_load(infrared, "char", "irda"),
         stated["peripheral_share_infrared"].value),
        ("infrared: char and irda, of the accesses", infrared["accesses"]["peripheral_share"],
         stated["peripheral_accesses_infrared"].value),
        ("infrared: irda alone, of the load", _of_load(infrared, "irda"),
         stated["irda_share_infrared"].value),
    ]  # fmt: skip
    written = [f"{text} | {here:.0%} | {theirs:.0%}" for text, here, theirs in rows]
    return table("share of the peripheral | here | paper", *written)


def _of_load(documents: Mapping[str, Any], *names: str) -> float:
    classes = documents["load"]["steady"]["classes"]
    return float(
        sum(row["share_of_active_instructions"] for row in classes if row["class"] in names)
    )


def linux_copies() -> str:
    """The share of the kernel's copies in the active cycles of both lines, in a sentence."""
    serial, infrared = (
        _copying(pair()[line].documents) for line in (LineType.SERIAL, LineType.INFRARED)
    )
    return (
        f"Instructions of the kernel's `memcpy` that carry received bytes take {serial:.1%} of the "
        f"active cycles over the serial line, and {infrared:.1%} over infrared."
    )


def _copying(documents: Mapping[str, Any]) -> float:
    functions = documents["buffers"]["carrying"]["functions"]
    spent = sum(one["cycles"] for one in functions if one["function"] == "kernel: memcpy")
    return float(spent / documents["load"]["whole"]["active"]["cycles"])
