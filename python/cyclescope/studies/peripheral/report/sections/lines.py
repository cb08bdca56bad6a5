"""Serial line and infrared beside each other: what a byte costs, in both units."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from cyclescope.report.page import plot
from cyclescope.report.plotted import Figure
from cyclescope.studies.peripheral import paper, recomputed
from cyclescope.studies.peripheral.choices import LineType
from cyclescope.studies.peripheral.report.measured import (
    PAPER_BYTES,
    MeasuredTransfer,
    by_line,
    having,
)
from cyclescope.studies.peripheral.report.section import Section, number, paragraph, wide_table
from cyclescope.studies.peripheral.report.stacked_tracks import classes_first, stacked_tracks

CATEGORIES = {
    "accompanying data": ("accompanying data", "file information"),
    "initialisation": ("initialisation", "discovery", "connection", "IAS"),
    "packet frame": ("framing", "IrLAP", "IrLMP", "TinyTP", "extra flags"),
    "transcoding": ("transcoding", "stuffing"),
    "flow control": ("flow control", "acknowledgement"),
    "retransmission": ("retransmission",),
    "other": ("other", "damaged"),
}
"""The paper's five origins of overhead and two more, by the origins of each protocol."""
HEADINGS = (
    *("", "serial", "infrared", "by serial"),
    *("paper: serial", "paper: infrared", "paper: by serial"),
)
PERCENT = 100


class SideBySide(NamedTuple):
    """A quantity of both lines, and what the paper states of it."""

    name: str
    serial: float | None
    infrared: float | None
    decimals: int = 1
    stated: tuple[float | None, float | None] = (None, None)

    @property
    def texts(self) -> tuple[str, ...]:
        """The row of a table."""
        both = (self.serial, self.infrared)
        return (
            self.name,
            *(number(one, self.decimals) for one in both),
            _ratio(*both),
            *("" if one is None else f"{one:,.4g}" for one in self.stated),
            _ratio(*self.stated, unknown=""),
        )


def _ratio(serial: float | None, infrared: float | None, unknown: str = "–") -> str:
    return unknown if not serial or infrared is None else f"{infrared / serial:.2f}"


def pair(transfers: Sequence[MeasuredTransfer]) -> dict[LineType, MeasuredTransfer] | None:
    """The two transfers that are compared, by line; None if there is no such pair.

    Both are whole, of one file, driver and direction; their size is the nearest to the paper's."""
    lines = by_line(one for one in transfers if one.outcome.identical)
    if len(lines) < len(LineType):
        return None
    pairs = [
        {LineType.SERIAL: first, LineType.INFRARED: second}
        for first in lines[LineType.SERIAL]
        for second in lines[LineType.INFRARED]
        if _same(first) == _same(second)
    ]
    return min(pairs, key=_distance, default=None)


def _same(one: MeasuredTransfer) -> tuple[Any, ...]:
    setting = one.setting
    names = (
        "driver",
        "direction",
        "size",
        "content",
        "seed",
        "errors",
        "ram_waits",
        "rom_waits",
        "system",
    )
    return tuple(getattr(setting, name) for name in names)


def _distance(one: Mapping[LineType, MeasuredTransfer]) -> tuple[Any, ...]:
    setting = one[LineType.SERIAL].setting
    return (abs(setting.size - PAPER_BYTES), setting.errors, setting.driver)


def rows(both: Mapping[LineType, MeasuredTransfer]) -> list[SideBySide]:
    """The quantities that both transfers have."""
    found = [
        _row("bytes of the line", both, _on_wire, 0, _stated(both, "wire_bytes")),
        _row("transfer, ms", both, lambda one: 1000 * one.outcome.seconds),
    ]
    if _have(both, "load"):
        found += [_load(both, unit, per) for per in PER for unit in ("instructions", "cycles")]
    if _have(both, "energy"):
        found += [_energy(both, per) for per in PER]
    return found


def _stated(
    both: Mapping[LineType, MeasuredTransfer], name: str
) -> tuple[float | None, float | None]:
    """The paper's numbers of its file, if this one is as large."""
    if both[LineType.SERIAL].setting.size != paper.FILE_BYTES:
        return (None, None)
    found = [paper.stated(name, line) for line in LineType]
    return (found[0].value if found[0] else None, found[1].value if found[1] else None)


PER = {"byte": "byte on the wire", "payload_byte": "byte of the file"}


def _load(both: Mapping[LineType, MeasuredTransfer], unit: str, per: str) -> SideBySide:
    key = f"{unit}_per_{per}"
    stated: tuple[float | None, float | None] = (None, None)
    if unit == "instructions":
        of = papers_instructions(per)
        stated = (of[LineType.SERIAL], of[LineType.INFRARED])
    return _row(f"active {unit} per {PER[per]}", both, lambda one: _active(one, key), 1, stated)


def _row(
    name: str,
    both: Mapping[LineType, MeasuredTransfer],
    read: Callable[[MeasuredTransfer], float | None],
    decimals: int = 1,
    stated: tuple[float | None, float | None] = (None, None),
) -> SideBySide:
    values = [read(both[line]) for line in LineType]
    return SideBySide(name, values[0], values[1], decimals, stated)


def _on_wire(one: MeasuredTransfer) -> float:
    return one.outcome.bytes_to_board + one.outcome.bytes_from_board


def _active(one: MeasuredTransfer, key: str) -> float:
    value: float = one.documents["load"]["steady"]["active"][key]
    return value


def _energy(both: Mapping[LineType, MeasuredTransfer], per: str) -> SideBySide:
    def read(one: MeasuredTransfer) -> float:
        value: float = one.documents["energy"]["total"][f"nj_per_{per}"]
        return value

    return _row(f"energy per {PER[per]}, nJ", both, read, 0)


def papers_instructions(per: str) -> dict[LineType, float]:
    """The paper's active instructions per byte of a unit of PER."""
    if per == "byte":
        return {line: paper.LOADS[line]["active"] for line in LineType}
    return {line: recomputed.instructions_per_file_byte(line) for line in LineType}


def _have(both: Mapping[LineType, MeasuredTransfer], name: str) -> bool:
    return len(having(both.values(), name)) == len(both)


def verdict(both: Mapping[LineType, MeasuredTransfer]) -> str:
    """Which line takes more time, and which costs more instructions in each unit."""
    serial, infrared = (both[line] for line in LineType)
    times = infrared.outcome.seconds / serial.outcome.seconds
    said = [
        f"The infrared transfer takes {times:.2f} times as long as the serial one; the paper "
        f"states at least {paper.STATED['time_by_serial_infrared'].value:g}."
    ]
    if _have(both, "load"):
        ratios = {
            text: _active(infrared, f"instructions_per_{per}")
            / _active(serial, f"instructions_per_{per}")
            for per, text in PER.items()
        }
        parts = " and ".join(f"{ratio:.2f} per {text}" for text, ratio in ratios.items())
        theirs = " and ".join(
            f"{of[LineType.INFRARED] / of[LineType.SERIAL]:.2f}"
            for of in map(papers_instructions, PER)
        )
        flips = len({ratio > 1 for ratio in ratios.values()}) > 1
        rank = "the ranking is another in each unit" if flips else "the ranking is one in both"
        said.append(
            f"Its active instructions are {parts}, by the serial line's: {rank}. In the paper they "
            f"are {theirs}."
        )
    return " ".join(said)


def section(transfers: Sequence[MeasuredTransfer]) -> Section | None:
    """Both lines beside each other, if there are whole transfers of one file over both."""
    both = pair(transfers)
    if both is None:
        return None
    figures: dict[str, Figure] = {}
    html = []
    if _have(both, "load"):
        for per, text in PER.items():
            name = f"lines:{per}"
            figures[name] = stacked_tracks(
                {str(line): _classes(one, per) for line, one in both.items()},
                f"instructions per {text}",
            )
            html.append(plot(name, f"Active instructions per {text}, by class"))
    if _have(both, "overhead"):
        figures["lines:overhead"] = stacked_tracks(
            {str(line): categories(one) for line, one in both.items()}, "percent of the file"
        )
        html.append(plot("lines:overhead", "Overhead by the paper's origins"))
    said = f"{' and '.join(one.title for one in both.values())}. {verdict(both)}"
    return Section(
        "Serial line and infrared beside each other",
        f"{paragraph(said)}{wide_table(HEADINGS, [one.texts for one in rows(both)])}"
        f'<div class="plots">{"".join(html)}</div>',
        figures,
    )


def _classes(one: MeasuredTransfer, per: str) -> dict[str, float]:
    classes = one.documents["load"]["steady"]["classes"]
    found = {row["class"]: row[f"instructions_per_{per}"] for row in classes if not row["idle"]}
    return classes_first(found)


def categories(one: MeasuredTransfer) -> dict[str, float]:
    """Overhead by the paper's origins, in percent of the file."""
    document = one.documents["overhead"]
    origins, size = document["origins"], document["payload_bytes"]
    return {
        name: PERCENT * sum(origins[key]["bytes"] for key in keys if key in origins) / size
        for name, keys in CATEGORIES.items()
    }
