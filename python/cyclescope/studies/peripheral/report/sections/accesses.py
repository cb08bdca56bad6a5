"""Figure 5 and Tables 3 to 5: accesses by class, device and register, and the PDC's transfers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from cyclescope.report.page import plot
from cyclescope.report.plotted import Figure
from cyclescope.studies.peripheral import paper
from cyclescope.studies.peripheral.report.measured import MeasuredTransfer, detailed, having
from cyclescope.studies.peripheral.report.section import (
    Section,
    folded,
    number,
    paragraph,
    wide_table,
)
from cyclescope.studies.peripheral.report.stacked_tracks import classes_first, stacked_tracks

NAME = "accesses"
PERCENT = 100
COLUMNS = ("reads", "writes", "all")
PAPER_DEVICES = {"aic": "aic", "tc": "tc", "usart1": "usart"}
"""Devices of this board by their names, and those of the paper's Table 3."""


def section(transfers: Sequence[MeasuredTransfer]) -> Section | None:
    """The tables of the transfers that are shown in detail."""
    shown = having(detailed(transfers), NAME)
    if not shown:
        return None
    figures: dict[str, Figure] = {
        "accesses:classes": stacked_tracks(
            {one.way: classes_first(_shares(one)) for one in shown}, "percent of data accesses"
        )
    }
    picture = plot("accesses:classes", "Data accesses of the processor by class, without idle")
    said = (
        "Reads of instructions and the PDC's accesses are not in it, as in the paper. The paper's "
        "columns are those of the same line. Exact for these recordings."
    )
    tables = [_tables(one) for one in shown]
    return Section(
        "Memory and I/O accesses (Figure 5, Tables 3 to 5)",
        f'<div class="plots">{picture}</div><h3>{escape(shown[0].title)}</h3>{tables[0]}'
        + paragraph(said)
        + "".join(
            folded(f"Tables 3 to 5: {one.title}", html)
            for one, html in zip(shown[1:], tables[1:], strict=True)
        ),
        figures,
    )


def _shares(one: MeasuredTransfer) -> dict[str, float]:
    found: Counter[str] = Counter()
    for row in one.documents[NAME]["classes"]:
        found[row["class"]] += PERCENT * (row["share"] or 0)
    return dict(found)


def _tables(one: MeasuredTransfer) -> str:
    document = one.documents[NAME]
    return "".join(
        [
            _classes(document),
            _devices(document, one.setting.line),
            _registers(document),
            _transfers(document),
        ]
    )


def _classes(document: Mapping[str, Any]) -> str:
    rows = [
        (
            f"{row['class']} / {row['subclass']}",
            f"{row['reads']:,}",
            f"{row['writes']:,}",
            f"{row['accesses']:,}",
            f"{row['to_devices']:,}",
            f"{row['share']:.1%}",
        )
        for row in document["classes"]
    ]
    return wide_table(("Figure 5: class", *COLUMNS, "of devices", "share"), rows)


def _devices(document: Mapping[str, Any], line: str) -> str:
    stated = paper.DEVICES[line]
    rows = []
    for row in document["devices"]:
        theirs = stated.get(PAPER_DEVICES.get(row["device"], row["device"]))
        beside = map("{:,}".format, theirs) if theirs else ("", "", "")
        rows.append((row["device"], *_counts(row), *beside))
    headings = ("Table 3: device", *COLUMNS, *(f"paper {one}" for one in COLUMNS))
    return wide_table(headings, rows)


def _registers(document: Mapping[str, Any]) -> str:
    rows = []
    for row in document["registers"]:
        if row["accesses"] or row["paper"]:
            beside = map("{:,}".format, row["paper"]) if row["paper"] else ("", "", "")
            rows.append((row["group"], *_counts(row), *beside))
    headings = (
        f"Table 4: registers of {document['line']}",
        *COLUMNS,
        *(f"paper {one}" for one in COLUMNS),
    )
    return wide_table(headings, rows)


def _transfers(document: Mapping[str, Any]) -> str:
    rows = [
        (
            row["direction"],
            f"{row['bytes']:,}",
            f"{row['wire_bytes']:,}",
            f"{row['number']:,}",
            number(row["mean_bytes"]),
            f"{row['paper']['bytes']:,}",
            f"{row['paper']['number']:,}",
            f"{row['paper']['mean_bytes']:g}",
        )
        for row in document.get("whole_transfers") or document["transfers"]
    ]
    headings = (
        "Table 5: transfers of the PDC", "bytes", "on the wire", "number", "mean bytes",
        "paper bytes", "paper number", "paper mean",
    )  # fmt: skip
    return wide_table(headings, rows)


def _counts(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(f"{row[key]:,}" for key in ("reads", "writes", "accesses"))
