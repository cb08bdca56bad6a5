"""The offers of a station in a negotiation: a bit for each value up to the setting's."""

from cyclescope.studies.peripheral.choices import LAP_BAUDS, TURNAROUNDS_MS
from cyclescope.studies.peripheral.setting import TransferSetting

LEAST_FRAME_BYTES = 64


def speeds(setting: TransferSetting) -> int:
    """Speeds of the line; bit 1 is 9,600 bit/s."""
    return sum(2 << place for place, baud in enumerate(LAP_BAUDS) if baud <= setting.baud)


def data_sizes(setting: TransferSetting) -> int:
    """Data of a frame; bit 0 is 64 octets, and each further bit twice as many."""
    return 2 * setting.frame // LEAST_FRAME_BYTES - 1


def windows(setting: TransferSetting) -> int:
    """Frames without an acknowledgement; bit 0 is one."""
    return (1 << setting.window) - 1


def turnaround(setting: TransferSetting) -> int:
    """The pause before an answer; bit 0 is 10 ms."""
    return 1 << TURNAROUNDS_MS.index(setting.turnaround)
