"""Copies of the bytes that a device hands over: by function and place, and per byte."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from cyclescope.studies.run.instruments.accesses import NO_FUNCTION
from cyclescope.studies.run.instruments.instrument import NamedBySymbols
from cyclescope.studies.run.instruments.interrupts import summary
from cyclescope.studies.run.instruments.symbols import Symbols
from cyclescope.targets.virtual.board import Board

MEMORY = "memory"


class Follow(NamedBySymbols):
    """Follows bytes from registers (`device.REGISTER`) and from devices' own transfers."""

    key = "follow"

    def __init__(self, board: Board, read: Callable[[], Symbols], sources: Sequence[str]) -> None:
        super().__init__(board, read)
        self._sources = sources

    def _attach(self) -> int:
        registers = [one for one in self._sources if "." in one]
        devices = [one for one in self._sources if "." not in one]
        return self._board.attach_follow(registers=registers, devices=devices)

    def divide(self) -> None:
        """Names copies from here on by the symbols of now. Bytes stay followed."""
        if self._number is not None:
            self._before.append((self._counted(), self._symbols))
            self._board.clear(self._number)
            self._symbols = self._read()

    def document(self) -> dict[str, Any]:
        counted = self._counted()
        copies, changed, per_byte = Counter[Any](), Counter[Any](), Counter[int]()
        moving, lost = [], 0
        for part, symbols in self._parts():
            moving += part["moving"]
            lost += part["lost"]
            for byte, source, by, place, _, _, value, arrived in part["copies"]:
                if source:
                    key = (_maker(symbols, by, place), place or MEMORY)
                    copies[key] += 1
                    changed[key] += value != arrived
                    per_byte[byte] += 1
        numbers = Counter(per_byte.values())
        if never := counted["bytes"] - len(per_byte):
            numbers[0] += never
        return {
            "bytes": counted["bytes"],
            "copies": sum(copies.values()),
            "lost": lost,
            "copies_per_byte": summary(sorted(numbers.items())),
            "carrying": {
                "instructions": sum(executions for _, executions, _ in moving),
                "cycles": sum(cycles for _, _, cycles in moving),
            },
            "lines": [
                {"function": name, "to": to, "copies": count, "changed": changed[name, to]}
                for (name, to), count in copies.most_common()
            ],
        }


def _maker(symbols: Symbols, by: int | None, place: str | None) -> str:
    if by is None:
        return f"({place} by itself)"
    found = symbols.at(by)
    return found.name if found else NO_FUNCTION
