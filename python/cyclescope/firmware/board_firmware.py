"""A board's [firmware] table: what its file says to the lab (docs/reference/boards.md)."""

from collections.abc import Mapping

from pydantic import Field

from cyclescope.firmware.boards import SETTING_NAME, Value
from cyclescope.firmware.pin_delays import PinDelays
from cyclescope.record import Record


class BoardSetting(Record):
    """One choice that a board leaves to its user, and the make variable that it becomes.

    Without `default` the board's build chooses. `unit` is what help calls an integer.
    """

    name: str = Field(pattern=SETTING_NAME)
    variable: str = Field(pattern="^[A-Z][A-Z0-9_]*$")
    values: tuple[Value, ...] = Field(min_length=1)
    default: Value | None = None
    unit: str = ""
    help: str
    labels: dict[str, str] = Field(default_factory=dict)
    """Names of values in tables, where they are not the values themselves."""


class WireSignals(Record):
    """The two signals that the wire goes over, as the host sees them."""

    to: str
    by: str = Field(alias="from")


class CountedSignal(Record):
    """A signal that makes the firmware act, and the address of the counter that dates it.

    The counter has so many `bits` and counts once in `pclk_per_count` cycles of the peripheral
    clock. From the count of an alarm to its signal pass `late_counts`. `settings` are the values
    under which the peripheral clock is the core's; of them `timer` is the one that reads the
    counter.
    """

    signal: str
    count: int
    bits: int = Field(default=32, ge=1, le=32)
    pclk_per_count: int = Field(default=1, ge=1)
    late_counts: int = Field(default=0, ge=0)
    settings: dict[str, Value] = Field(default_factory=dict)


class TransmitterLine(Record):
    """The UART that programs may use beside the wire (firmware/include/transmitter.h)."""

    baud: int = Field(gt=0)


class RoomierBoard(Record):
    """Where an image fits that does not fit here."""

    board: str
    code: str

    @property
    def options(self) -> str:
        """The options that choose it."""
        return f"--board {self.board} --code {self.code}"

    @property
    def place(self) -> str:
        return f"on {self.board} with --code {self.code}"


class ErrorMemory(Record):
    """A memory in which `errors` measures, and the values of settings that make it."""

    name: str
    settings: dict[str, Value]


class MemoryRegister(Record):
    """A register that the start writes for the time of memories.

    Its value is the one of `values` that a fact of the build names; the first without a fact.
    """

    address: int
    fact: str | None = None
    values: tuple[int, ...] = Field(min_length=1)


class BoardFirmware(Record):
    """A board's [firmware] table (docs/reference/boards.md); what is None the board lacks."""

    setting: tuple[BoardSetting, ...] = ()
    wire: WireSignals | None = None
    line: CountedSignal | None = None
    alarm: CountedSignal | None = None
    transmitter: TransmitterLine | None = None
    pin: str | None = None
    reference: str | None = None
    pin_delays: PinDelays | None = None
    roomier: RoomierBoard | None = None
    error_memory: tuple[ErrorMemory, ...] | None = None
    memory_register: tuple[MemoryRegister, ...] = ()
    lacks_options: tuple[str, ...] = ()

    @property
    def settings(self) -> Mapping[str, BoardSetting]:
        """By name; of two with one name, the later."""
        return {one.name: one for one in self.setting}

    def default(self, name: str) -> Value | None:
        """The value that the file gives a setting; None without one, or without the setting."""
        there = self.settings.get(name)
        return there.default if there else None
