"""Figure 4 and Table 1: the processor's load by class, per byte through the USART."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from cyclescope.report.page import plot
from cyclescope.report.plotted import Figure
from cyclescope.studies.peripheral import paper
from cyclescope.studies.peripheral.choices import LineType
from cyclescope.studies.peripheral.report.measured import (
    MeasuredTransfer,
    by_way,
    detailed,
    having,
)
from cyclescope.studies.peripheral.report.section import (
    Section,
    folded,
    number,
    paragraph,
    share,
    wide_table,
)
from cyclescope.studies.peripheral.report.stacked_tracks import (
    classes_first,
    line_figure,
    stacked_tracks,
)

NAME = "load"
LARGEST = 3
PAPER_CLASSES = ("application", "char", "irda", "kernel", "fs")
PAPER_TABLES = {LineType.SERIAL: "Table 1", LineType.INFRARED: "Table 2"}
HEADINGS = (
    "Class", "largest functions, instructions per byte", "instructions per byte", "paper",
    "share", "cycles per byte", "instructions per byte of the file",
)  # fmt: skip
UNIT = (
    "Per byte through the USART, the paper's unit: bytes of both directions in the steady state. "
    "Library functions count to their callers. The paper's column is its table of the same line."
)


def section(transfers: Sequence[MeasuredTransfer]) -> Section | None:
    """The load of the transfers that are shown in detail, and against the size."""
    shown = having(detailed(transfers), NAME)
    if not shown:
        return None
    figures = {f"load:{unit}": _by_class(shown, unit) for unit in ("instructions", "cycles")}
    html = [
        plot("load:instructions", "Active instructions per byte through the USART, by class"),
        plot("load:cycles", "Cycles of them; the paper states no cycles"),
    ]
    lines = {
        way: [(one.setting.size, _active(one)) for one in some]
        for way, some in by_way(having(transfers, NAME)).items()
        if len(some) > 1
    }
    if lines:
        figures["load:sizes"] = line_figure(
            lines, "bytes of the file", "active instructions per byte", log=False
        )
        html.append(plot("load:sizes", "Active instructions per byte against the file's size"))
    tables = [
        f"<h3>{escape(_titled(shown[0]))}</h3>{_table(shown[0])}{paragraph(UNIT)}",
        *(folded(_titled(one), _table(one)) for one in shown[1:]),
    ]
    return Section(
        "Load by class (Figure 4, Tables 1 and 2)",
        f'<div class="plots">{"".join(html)}</div>{"".join(tables)}',
        figures,
    )


def _titled(one: MeasuredTransfer) -> str:
    return f"{PAPER_TABLES[one.setting.line]}: {one.title}"


def steady(one: MeasuredTransfer) -> Mapping[str, Any]:
    """The load of the steady state."""
    found: Mapping[str, Any] = one.documents[NAME]["steady"]
    return found


def _active(one: MeasuredTransfer) -> float:
    per_byte: float = steady(one)["active"]["instructions_per_byte"]
    return per_byte


def _by_class(shown: Sequence[MeasuredTransfer], unit: str) -> Figure:
    tracks = {}
    if unit == "instructions":
        for line in dict.fromkeys(one.setting.line for one in shown):
            load = paper.LOADS[line]
            name = "the paper" if line == LineType.SERIAL else f"the paper, {line}"
            tracks[name] = {one: load[one] for one in PAPER_CLASSES if one in load}
    for one in shown:
        classes = steady(one)["classes"]
        parts = {row["class"]: row[f"{unit}_per_byte"] for row in classes if not row["idle"]}
        tracks[one.way] = classes_first(parts)
    return stacked_tracks(tracks, f"{unit} per byte")


def _table(one: MeasuredTransfer) -> str:
    document = steady(one)
    rows: list[tuple[str, ...]] = []
    for row in document["classes"]:
        if not row["instructions"]:
            continue
        rows.append(_row(row["class"], row, "", row["share_of_active_instructions"]))
        for sub in row["subclasses"]:
            functions = ", ".join(
                f"{one['function']} {number(one['instructions_per_byte'])}"
                for one in sub["functions"][:LARGEST]
            )
            rows.append(_row(f"{row['class']} / {sub['subclass']}", sub, functions, None))
    rows.append(_row("active", document["active"], "", 1.0))
    return wide_table(HEADINGS, rows, "functions")


def _row(
    name: str, row: Mapping[str, Any], functions: str, of_active: float | None
) -> tuple[str, ...]:
    stated = row["paper_instructions_per_byte"]
    return (
        name,
        functions,
        number(row["instructions_per_byte"]),
        "" if stated is None else f"{stated:g}",
        "" if of_active is None else share(of_active),
        number(row["cycles_per_byte"]),
        number(row["instructions_per_payload_byte"]),
    )
