"""The lines that a transfer can go over, each with the other side at its end."""

from collections.abc import Callable
from dataclasses import dataclass

from cyclescope.studies.peripheral import serial
from cyclescope.studies.peripheral.board_system import BoardSystem
from cyclescope.studies.peripheral.choices import LineType
from cyclescope.studies.peripheral.exchange import Exchange
from cyclescope.studies.peripheral.infrared import exchange, stations
from cyclescope.studies.peripheral.infrared import run as infrared
from cyclescope.studies.peripheral.line_run import LineRun
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.wire_bytes import WireBytes


@dataclass(frozen=True)
class StudiedLine:
    """The functions of a line.

    `program` is the name of the board's process that transfers the file. `require` raises
    CyclescopeError if what the line needs is not built. `system` composes the analysed board's
    software, `run` makes a transfer with both sides, `decode` reads the wire.
    """

    program: str
    require: Callable[[TransferSetting], object]
    system: Callable[[TransferSetting], BoardSystem]
    run: Callable[[TransferSetting], LineRun]
    decode: Callable[[WireBytes], Exchange]


LINES = {
    LineType.SERIAL: StudiedLine(
        "gkermit", serial.require, serial.system, serial.run, serial.decode
    ),
    LineType.INFRARED: StudiedLine(
        "station", infrared.require, stations.system, infrared.run, exchange.decode
    ),
}


def of(setting: TransferSetting) -> StudiedLine:
    """The line of a setting."""
    return LINES[setting.line]
