"""Operating points: those of a board file (Table 1), if the board's clock can be set to them."""

import re
from collections.abc import Sequence

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware.boards import OperatingPoint
from cyclescope.target.target import Selection

MHZ = 1_000_000


def choose(board: str, wanted: Sequence[str]) -> list[OperatingPoint]:
    """The points of a board that are asked for by name or by MHz; all when none is."""
    there = boards.energy_of(board).points
    chosen = [_find(board, there, text) for text in wanted] if wanted else there
    for point in chosen:
        _require_clock(board, point.core_hz)
    return sorted(dict.fromkeys(chosen), key=lambda point: point.core_hz)


def at_clock(selection: Selection, core_hz: int) -> Selection:
    """The selection at a clock; a board without the setting `clock` has that one alone."""
    if "clock" not in boards.firmware_of(selection.board).settings:
        return selection
    return selection.having({"clock": core_hz // MHZ})


def _find(board: str, there: Sequence[OperatingPoint], text: str) -> OperatingPoint:
    for point in there:
        if text in (point.name, f"{point.core_hz / MHZ:g}"):
            return point
    if re.fullmatch(r"\d+(\.\d+)?", text):
        _require_clock(board, round(float(text) * MHZ))
    known = ", ".join(f"{point.name} ({point.core_hz / MHZ:g} MHz)" for point in there)
    raise CyclescopeError(
        f"there is no operating point {text}: choose among {known}", code="no-such-operating-point"
    )


def _require_clock(board: str, core_hz: int) -> None:
    """Refuses a clock that is no value of the board's setting `clock`, in MHz; without the setting
    all but the clock after a reset."""
    setting = boards.firmware_of(board).settings.get("clock")
    values = setting.values if setting else (boards.oscillator_hz(board) / MHZ,)
    if core_hz / MHZ in values:
        return
    raise CyclescopeError(
        f"the PLL cannot reach {core_hz / MHZ:g} MHz: choose a clock of {board}: "
        f"{', '.join(f'{one}' for one in values)}",
        code="pll-cannot-reach-clock",
    )
