"""Runs two stations with IrDA under FreeRTOS: the receiving one is counted."""

import struct
from dataclasses import dataclass
from typing import Any

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.architecture import of_board
from cyclescope.studies.proposals.declared import board_of
from cyclescope.studies.proposals.frame_latency import frame_latency
from cyclescope.studies.proposals.images import built, described
from cyclescope.studies.proposals.measure import (
    START_CYCLES,
    Counting,
    document,
    request_to_device,
)
from cyclescope.studies.proposals.peer import LINE
from cyclescope.studies.proposals.setting import (
    FileSetting,
    StationLayers,
    StationRole,
    StationSetting,
)
from cyclescope.studies.run.instruments import symbols
from cyclescope.targets.virtual.board import Bench, Board, make_board, read_image
from cyclescope.targets.virtual.infrared import Infrared

BEGINS, TAKEN, ENDS = "read_file", "lap_receive_frame", "station_transfer_ended"
BAUD = 115_200
SPEED_115200, WINDOWS_TO_7, DATA_64, TURNAROUND_10_MS = 0x20, 0x7F, 0x01, 0x01
"""Abilities of both stations, as bits of the negotiation."""
SENDER, RECEIVER = StationRole.SENDER, StationRole.RECEIVER
SLICE_AS, PATIENCE_AS = 10**17, 200 * 10**18
"""Interrupts are taken each 0.1 s; a transfer that takes 200 s of the boards has failed."""
MULTIPLIER, INCREMENT = 1_664_525, 1_013_904_223


def content(size: int, seed: int) -> bytes:
    """The file that the sending station makes: the upper bits of a linear congruence."""
    made = bytearray()
    for _ in range(size):
        seed = (seed * MULTIPLIER + INCREMENT) & 0xFFFF_FFFF
        made.append(seed >> 24)
    return bytes(made)


@dataclass
class Stations:
    """Two boards in lock step, on one channel that echoes. The one that is counted has the setting;
    the other one is the same in all."""

    setting: StationSetting
    file: FileSetting

    def __post_init__(self) -> None:
        settings = {SENDER: StationSetting(), RECEIVER: StationSetting()}
        settings[self.setting.role] = self.setting
        made = {name: built(one, self.file) for name, one in settings.items()}
        self.counted = made[self.setting.role]
        self.images = {name: read_image(one.elf) for name, one in made.items()}
        self.boards = {name: self._board(name, one) for name, one in settings.items()}
        light = Infrared(
            lines=[f"{name}.{LINE}" for name in self.boards],
            delay_cycles=0, echo=True, bit_error_rate=0.0, seed=1, directions=[],
        )  # fmt: skip
        self.bench = Bench(list(self.boards.items()), [], BAUD, [light])

    def _board(self, name: StationRole, setting: StationSetting) -> Board:
        image, sends = self.images[name], name == SENDER
        board = make_board(board_of(setting))
        board.load(image)
        board.reset()
        # The settings may lie where the start copies the image to, so they are written after it.
        board.run(pcs=[image.address_of("main")], cycles=START_CYCLES)
        words = (
            *(int(sends), 1 + sends, self.file.size, self.file.seed),
            *(SPEED_115200, WINDOWS_TO_7, DATA_64, TURNAROUND_10_MS),
            int(setting.layers is StationLayers.LENT),
            *(setting.buffer, setting.time_out),
        )
        at = image.address_of("station_setting")
        board.write_memory(at, struct.pack(f"<{len(words)}I", *words))
        return board

    def received(self) -> bytes:
        """The file as the receiver has it."""
        at = self.images[RECEIVER].address_of("station_file")
        return self.boards[RECEIVER].read_memory(at, self.file.size)

    def run_to(self, name: StationRole, symbol: str, counting: Counting | None = None) -> None:
        """Runs until a station comes to a function. Raises CyclescopeError if it does not."""
        until, target = 0, {str(name): [self.images[name].address_of(symbol)]}
        while until < PATIENCE_AS:
            until = max(self.bench.positions().values()) + SLICE_AS
            ended = self.bench.run(until_as=until, pcs=target, stop_on_exception=True)
            if counting:
                counting.take_interrupts()
            if ended["by"]:
                if ended["stops"][ended["by"]]["reason"] == "pc":
                    return
                break
        raise CyclescopeError(
            "the stations moved no whole file: choose another setting",
            code="stations-stopped",
        )


def measure(setting: StationSetting, file: FileSetting) -> dict[str, Any]:
    """Moves the file between two stations and returns what one of them took, as a JSON document.

    Counts begin when the sender reads the file. They end when the station reports the end.
    """
    both = Stations(setting, file)
    own, made = setting.role, both.counted
    other = RECEIVER if own is SENDER else SENDER
    board, elf = both.boards[own], both.images[own]
    both.run_to(SENDER, BEGINS)
    both.bench.take_carried()
    names = symbols.read([(made.elf, None)], False, (), of_board(board))
    counting = Counting(board, names, elf.address_of(TAKEN))
    since = board.cycle
    counting.attach()
    both.run_to(own, ENDS, counting)
    senders = [one[1] for one in both.bench.take_carried()]
    wire = (senders.count(f"{other}.{LINE}"), senders.count(f"{own}.{LINE}"))
    sent = content(file.size, file.seed)
    heard = [(at, value) for at, _, value in board.take_recorded()]
    taken = [at for at, _ in board.take_executed()]
    latency = {
        "request_to_device": request_to_device(counting),
        **frame_latency(heard, taken, commands=own is RECEIVER),
    }
    return {
        **described(setting, made, board, sent=sent, came=both.received()),
        **document(counting, wire, since, file.size),
        "latency": latency,
    }
