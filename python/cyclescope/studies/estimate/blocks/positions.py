"""Where instructions come from in the source: the line tables of an image (DWARF 5, section 6.2).

GCC marks where statements begin (`is_stmt`) apart from where their instructions lie. Optimisation
moves instructions; the marks stay in the flow of control, and are copied with it.
"""

import io
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Container
from pathlib import PurePath
from typing import Any, NamedTuple

from elftools.elf.elffile import ELFFile

LEVEL = re.compile(rb" -O(\S*)")
"""An option of GCC that a unit's producer names; the last one holds."""


class LinePosition(NamedTuple):
    """A line and column of a file, by its name without folders."""

    file: str
    line: int
    column: int


class Positions:
    """All positions of an image by address."""

    def __init__(self, elf: bytes, units: Container[str] | None = None) -> None:
        """Reads those of some units, by their names without folders, or of all."""
        self.begun: dict[int, list[LinePosition]] = defaultdict(list)
        """The statements that begin at an address, in their order."""
        self.statements = set[LinePosition]()
        """All of these."""
        self._from: list[tuple[int, LinePosition | None]] = []
        info = ELFFile(io.BytesIO(elf)).get_dwarf_info()
        self.plain: set[str] = set()
        """Files compiled without optimisation: there every position begins a statement."""
        for unit in info.iter_CUs():
            name = unit_name(unit)
            if units is not None and name not in units:
                continue
            self._read(info.line_program_for_CU(unit))
            top = unit.get_top_DIE().attributes
            if "DW_AT_producer" in top and _is_plain(top["DW_AT_producer"].value):
                self.plain.add(name)
        self._from.sort(key=lambda one: one[0])
        self._addresses = [address for address, _ in self._from]

    def of(self, address: int) -> LinePosition | None:
        """The position of the instruction at an address, if the compiler gave one."""
        index = bisect_right(self._addresses, address) - 1
        return self._from[index][1] if index >= 0 else None

    def within(self, begin: int, end: int) -> list[LinePosition]:
        """The positions of the instructions from `begin` up to `end`, in their order."""
        return [position for _, position in self.placed(begin, end)]

    def placed(self, begin: int, end: int) -> list[tuple[int, LinePosition]]:
        """The same, each with the address of its first instruction."""
        first = max(bisect_right(self._addresses, begin) - 1, 0)
        last = bisect_left(self._addresses, end)
        found = []
        for index in range(first, last):
            # Of several at one address the last one counts.
            if index + 1 < last and self._addresses[index + 1] <= max(
                self._addresses[index], begin
            ):
                continue
            position = self._from[index][1]
            if position is not None:
                found.append((max(self._addresses[index], begin), position))
        return found

    def _read(self, table: Any) -> None:
        if table is None:
            return
        first = table.header["version"] < 5
        names = [PurePath(one.name.decode()).name for one in table.header["file_entry"]]
        for entry in table.get_entries():
            state = entry.state
            if state is None:
                continue
            if state.end_sequence:
                self._from.append((state.address, None))
                continue
            position = LinePosition(names[state.file - first], state.line, state.column)
            self._from.append((state.address, position if state.line else None))
            if state.is_stmt and state.line:
                self.begun[state.address].append(position)
                self.statements.add(position)


def unit_name(unit: Any) -> str:
    """The name of a unit's main file, without folders; nothing where it has none."""
    name = unit.get_top_DIE().attributes.get("DW_AT_name")
    return PurePath(name.value.decode()).name if name is not None else ""


def _is_plain(producer: bytes) -> bool:
    levels = LEVEL.findall(producer)
    return not levels or levels[-1] == b"0"
