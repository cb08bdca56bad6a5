"""The boards of an infrared transfer: each runs a station of the IrDA stack.

Linux runs it by a script; an image of FreeRTOS has nothing else.
"""

from cyclescope.firmware.linux import System, built, compose
from cyclescope.firmware.linux.station import station
from cyclescope.studies.peripheral.board_side import (
    LINE,
    OVER,
    PORT,
    READY,
    UPLOADED,
    arguments,
)
from cyclescope.studies.peripheral.board_system import BoardSystem
from cyclescope.studies.peripheral.choices import Direction, SystemType
from cyclescope.studies.peripheral.infrared import freertos
from cyclescope.studies.peripheral.infrared.abilities import data_sizes, speeds, turnaround, windows
from cyclescope.studies.peripheral.infrared.freertos import FreertosEnd, FreertosStation
from cyclescope.studies.peripheral.peer import FILE
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.two_boards import BoardEnd, switched_on

PROGRAM = "/bin/station"
STATIONS_TURNAROUND = 1
"""Of the program, if its options have none: 10 ms."""
RECEIVER_SEED, SENDER_SEED = 1, 2
"""Of addresses and back-off, which differ."""


def system(setting: TransferSetting) -> BoardSystem:
    """Composes the analysed board's system. Raises CyclescopeError if Linux is not built."""
    return _system(setting, sends=setting.direction is Direction.UPLOAD)


def peer_system(setting: TransferSetting) -> BoardSystem:
    """The same of the other board."""
    return _system(setting, sends=setting.direction is Direction.DOWNLOAD)


def started(system: BoardSystem) -> BoardEnd:
    """A board with the system, at its power-on."""
    board = switched_on(system)
    if isinstance(system, FreertosStation):
        return FreertosEnd(board, system)
    return BoardEnd(board)


def _system(setting: TransferSetting, *, sends: bool) -> BoardSystem:
    seed = SENDER_SEED if sends else RECEIVER_SEED
    if setting.system is SystemType.FREERTOS:
        return freertos.compose(setting, sends=sends, seed=seed)
    return _linux(setting, sends=sends)


def _linux(setting: TransferSetting, *, sends: bool) -> System:
    driver = setting.driver
    directions = {f"{LINE}.rx": driver.receives_by_pdc, f"{LINE}.tx": driver.sends_by_pdc}
    return compose(
        pdc=[name for name, chosen in directions.items() if chosen],
        arguments=arguments(setting),
        programs={PROGRAM: station(built())},
        files={UPLOADED: setting.file()} if sends else {},
        script=script(setting, sends=sends),
        rom_waits=setting.rom_waits,
        ram_waits=setting.ram_waits,
    )


def script(setting: TransferSetting, *, sends: bool) -> str:
    """The script that the first process runs: one station, and the digest of its file."""
    file = UPLOADED if sends else FILE
    seed = SENDER_SEED if sends else RECEIVER_SEED
    action = f"{'send' if sends else 'receive'}={file}"
    options = f"line={PORT} seed={seed} {abilities(setting)}"
    return "\n".join(
        [
            "cd /tmp",
            f'echo "{READY}"',
            f"{PROGRAM} {action} {options}",
            'echo "transfer: status $?"',
            f"sha256sum {file}",
            "cat /proc/tty/driver/atmel_serial",
            f'echo "{OVER}"',
            "",
        ]
    )


def abilities(setting: TransferSetting) -> str:
    """The offers of a station in a negotiation, as its program reads them: a bit for each speed,
    size and window up to the setting's. The station's own pause before an answer is left out."""
    offers = {
        "speeds": speeds(setting),
        "sizes": data_sizes(setting),
        "windows": windows(setting),
    }
    if (pause := turnaround(setting)) != STATIONS_TURNAROUND:
        offers["turnaround"] = pause
    return " ".join(f"{name}={bits:x}" for name, bits in offers.items())
