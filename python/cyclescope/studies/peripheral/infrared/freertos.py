"""Stations with FreeRTOS: one image of the IrDA stack; role and file are set before it runs."""

import hashlib
import io
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

from cyclescope.firmware.build import build
from cyclescope.firmware.configuration import Configuration
from cyclescope.firmware.program import Program
from cyclescope.studies.peripheral.board_side import BOARD, Said
from cyclescope.studies.peripheral.infrared.abilities import data_sizes, speeds, turnaround, windows
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.two_boards import BoardEnd
from cyclescope.studies.run.instruments.symbols import Symbols, read
from cyclescope.targets.virtual.board import Board, Image, read_image

WORKLOAD = "irda"
CODE = "ram"
"""The code lies in the memory in which Linux's does."""
RECEIVES_OCTETS, SENDS_OCTETS = ("receive", "byte"), ("send", "byte")
"""Parameters of a station that takes, and gives, each octet by an interrupt."""
TIME_OUT_UNIT_BITS = 4
"""Of US_RTOR."""
QUIET_STEPS = 4
"""Steps of the bench without an octet, after which the link is closed."""
COPIES, OF_CONTENT = 0, 0
"""The station copies received octets, and its file is what is written into the image."""
SETTING, CONTENT, OUTCOME = "station_setting", "station_content", "station_outcome"
FILE, LOSSES = "station_file", "line_losses"
"""Symbols of the image (firmware/irda/ports/freertos)."""


@dataclass(frozen=True)
class FreertosStation:
    """An image, what is written into it where it is loaded, by address, and the file to send."""

    elf: Path
    image: Image
    loads: Mapping[int, bytes]
    settings: Mapping[str, Any]
    to_send: bytes

    def load(self, board: Board) -> None:
        """Loads it into a board and switches the board on."""
        board.load(self.image)
        for address, data in self.loads.items():
            board.load_bytes(address, data)
        board.reset()

    def symbols(self) -> Symbols:
        """All functions of the image."""
        program = Program(self.elf.read_bytes())
        return read([(self.elf, None)], True, (), program.known_architecture)

    def words(self, board: Board, symbol: str, count: int) -> tuple[int, ...]:
        """Words of a board's memory from a symbol."""
        return struct.unpack(f"<{count}I", board.read_memory(self._at(symbol), 4 * count))

    def file(self, board: Board, size: int) -> bytes:
        """The file in a board's memory."""
        return bytes(board.read_memory(self._at(FILE), size))

    def _at(self, symbol: str) -> int:
        return self.image.symbols[symbol][0]


class FreertosEnd(BoardEnd):
    """A board with a station. It says nothing: the outcome is in its memory."""

    def __init__(self, board: Board, station: FreertosStation) -> None:
        super().__init__(board)
        self._station, self._quiet = station, 0

    @property
    def is_ready(self) -> bool:
        """Whether it has made the file that it sends; one that receives begins at once."""
        to_send = self._station.to_send
        return self._station.file(self.board, len(to_send)) == to_send

    @property
    def is_over(self) -> bool:
        """Whether a transfer has ended and the link is closed."""
        return self._quiet >= QUIET_STEPS and self._outcome()[0] > 0

    def listen(self) -> bool:
        """Takes what came since; returns whether the line sent."""
        heard = len(self.heard)
        has_sent = super().listen()
        self._quiet = 0 if has_sent or len(self.heard) > heard else self._quiet + 1
        return has_sent

    def said(self) -> Said:
        """The outcome, the digest of the file, and the driver's counts of losses."""
        ended, result, octets = self._outcome()
        overruns, framing_errors = self._station.words(self.board, LOSSES, 2)
        content = self._station.file(self.board, octets)
        return Said(
            status=result if ended else None,
            sha256=hashlib.sha256(content).hexdigest() if ended else None,
            received=None,
            sent=None,
            overruns=overruns,
            framing_errors=framing_errors,
            is_over=ended > 0,
            memory_was_full=False,
        )

    def _outcome(self) -> tuple[int, ...]:
        """Transfers that ended, the last one's result, and octets of its file."""
        return self._station.words(self.board, OUTCOME, 3)


def compose(setting: TransferSetting, *, sends: bool, seed: int) -> FreertosStation:
    """Builds the image, or finds it built, and sets its role and file.

    Raises CyclescopeError if it does not build.
    """
    waits = {"romwaits": setting.rom_waits, "ramwaits": setting.ram_waits}
    driver = setting.driver
    by_octets = {RECEIVES_OCTETS: driver.receives_by_pdc, SENDS_OCTETS: driver.sends_by_pdc}
    made = build(
        Configuration(
            board=BOARD,
            settings={"code": CODE, **waits},
            workload=WORKLOAD,
            parameters=tuple(name for name, by_pdc in by_octets.items() if not by_pdc),
        )
    )
    image = read_image(made.elf)
    content = setting.file() if sends else b""
    offers = (one(setting) for one in (speeds, windows, data_sizes, turnaround))
    time_out = -(-setting.time_out // TIME_OUT_UNIT_BITS) * TIME_OUT_UNIT_BITS
    pdc = (COPIES, setting.receive_buffer, time_out)
    role = struct.pack("<11I", int(sends), seed, len(content), OF_CONTENT, *offers, *pdc)
    written = {SETTING: role, CONTENT: content} if sends else {SETTING: role}
    segments = list(_segments(made.elf))
    loads = {_loaded(image.symbols[name][0], segments): data for name, data in written.items()}
    written_sha256 = hashlib.sha256(role + content).hexdigest()
    return FreertosStation(
        made.elf,
        image,
        loads,
        {
            "system": "freertos",
            "kernel_version": made.facts.kernel_version,
            "tick_hz": made.facts.kernel_configuration.get("configTICK_RATE_HZ"),
            "compiler": made.facts.compiler,
            "code": CODE,
            "rom_waits": setting.rom_waits,
            "ram_waits": setting.ram_waits,
            "sha256": {"image": made.sha256, "station": written_sha256},
        },
        content,
    )


def _segments(elf: Path) -> Iterator[tuple[int, int, int]]:
    """Where each segment runs, where it is loaded, and its bytes in the file."""
    for one in ELFFile(io.BytesIO(elf.read_bytes())).iter_segments("PT_LOAD"):
        yield one["p_vaddr"], one["p_paddr"], one["p_filesz"]


def _loaded(address: int, segments: list[tuple[int, int, int]]) -> int:
    """Where the image has what runs at an address."""
    runs_at, loaded_at = next(
        (run, load) for run, load, size in segments if run <= address < run + size
    )
    return loaded_at + address - runs_at
