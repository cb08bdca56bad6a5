"""Runs one image: the file goes to the board while every instrument counts."""

import dataclasses
from bisect import bisect_left
from typing import Any

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.architecture import of_board
from cyclescope.studies.peripheral.analyses.distributions import distribution
from cyclescope.studies.peripheral.content import Content, make
from cyclescope.studies.proposals import counts
from cyclescope.studies.proposals.declared import board_of
from cyclescope.studies.proposals.images import built, described
from cyclescope.studies.proposals.peer import LINE, Conversation, bodies
from cyclescope.studies.proposals.setting import FileSetting, ImageSetting
from cyclescope.studies.run.instruments import symbols
from cyclescope.studies.run.instruments.symbols import Symbols
from cyclescope.targets.virtual.board import Board, Image, make_board, read_image

START_CYCLES = 3_000_000
"""The image starts, and waits for the line, in less."""
HANDED_OVER = "packet_came"
REAL_KIND, RECEIVED = "usart_at91", f"{LINE}.US_RHR"
FIRST_READ, FIRST_WRITTEN = (0x10, 0x14, 0x18), 0x1C
"""Registers of the line's device: its handler reads or writes one of them first."""


@dataclasses.dataclass
class Counting:
    """The instruments of one run, by their numbers."""

    board: Board
    names: Symbols
    handed_over: int

    def attach(self) -> None:
        """Attaches all. The board stands where the steady state begins."""
        board, ranges = self.board, self.names.ranges
        (device,) = (one for one in board.describe()["device"] if one["name"] == LINE)
        windows = [one["base"] for one in device["maps"]]
        reads = [base + offset for base in windows for offset in FIRST_READ]
        self.writes = [base + FIRST_WRITTEN for base in windows]
        board.watch(executed=[self.handed_over], accessed=reads + self.writes)
        board.record([f"{LINE}.rxd"])
        self.histogram = board.attach_histogram(ranges)
        self.accesses = board.attach_accesses(ranges)
        self.transfers = board.attach_transfers()
        self.interrupts = board.attach_interrupts()
        registers = [RECEIVED] if device["kind"] == REAL_KIND else []
        self.follow = board.attach_follow(registers=registers, devices=[LINE])
        board.meter(functions=ranges)
        self.latest: list[dict[str, Any]] = []

    def take_interrupts(self) -> None:
        """Keeps the interrupts since, of which the instrument has the last 1,000."""
        self.latest += self.board.counted(self.interrupts)["latest"]
        self.board.clear(self.interrupts)


def measure(image: ImageSetting, file: FileSetting) -> dict[str, Any]:
    """Moves the file and returns what was counted, as a JSON document.

    Raises CyclescopeError if the board refuses the image or stops answering.
    """
    made = built(image, file)
    elf = read_image(made.elf)
    board = make_board(board_of(image))
    board.load(elf)
    board.reset()
    board.run(cycles=START_CYCLES)
    content = make(Content(file.content), file.size, file.seed)
    counting = Counting(
        board,
        symbols.read([(made.elf, None)], False, (), of_board(board)),
        elf.address_of(HANDED_OVER),
    )
    line = Conversation(board)
    line.exchange(b"B")
    before = (line.to_board, line.from_board)
    counting.attach()
    since = board.cycle
    for body in bodies(file, content):
        line.exchange(b"D", body)
        counting.take_interrupts()
    wire = (line.to_board - before[0], line.from_board - before[1])
    found = {
        **document(counting, wire, since, file.size, len(line.answered_at) - 1),
        "packets_repeated": line.repeated,
        "latency": _latency(counting, line),
    }
    line.exchange(b"F")
    came = received(board, elf)
    return {**described(image, made, board, sent=content, came=came), **found}


def received(board: Board, elf: Image) -> bytes:
    """The file as the board has it."""
    length = int.from_bytes(board.read_memory(elf.address_of("file_length"), 4), "little")
    return board.read_memory(elf.address_of("file_content"), length)


def document(
    counting: Counting,
    crossed: tuple[int, int],
    since: int,
    payload: int,
    answers: int | None = None,
) -> dict[str, Any]:
    """Returns the counts since a cycle, per byte. `crossed` are bytes of the line to the board and
    from it. `answers` are the blocks sent; by default as many as the PDC took from memory."""
    board, names = counting.board, counting.names
    to_board, from_board = crossed
    wire = to_board + from_board
    touched = counts.accesses(board.counted(counting.accesses), names, wire, payload)
    moved = counts.transfers(board.counted(counting.transfers))
    taken = _taken(counting.latest)
    sent = moved["from_memory"]["number"] if answers is None else answers
    received = moved["to_memory"]["number"] or touched["line_data"]
    # A device that keeps no blocks interrupts for each frame.
    interactions = (received or taken[f"{LINE}.interrupt"]) + sent
    return {
        "interval_cycles": [since, board.cycle],
        "core_hz": board.core_hz,
        "bytes": {
            "to_board": to_board,
            "from_board": from_board,
            "wire": wire,
            "payload": payload,
        },
        "load": counts.load(board.counted(counting.histogram), names, wire, payload),
        "accesses": touched,
        "transfers": moved,
        "copies": counts.copies(board.counted(counting.follow), names),
        "interactions": interactions,
        "bytes_per_interaction": wire / interactions if interactions else None,
        "energy": counts.energy(board.spent(), board.energy_parts(), names, wire, payload),
        "interrupts": taken,
    }


def _taken(latest: list[dict[str, Any]]) -> dict[str, int]:
    sources = [one["source"] for one in latest]
    return {source: sources.count(source) for source in sorted(set(sources))}


def _latency(counting: Counting, line: Conversation) -> dict[str, Any]:
    """Stages in cycles. One is the request's. The others go from a packet's end on the line to the
    application, and to the answer's end there."""
    board = counting.board
    ends = [at for at, _, value in board.take_recorded() if value & 0xFF == 0xC1]
    came = [at for at, _ in board.take_executed()]
    answered = line.answered_at[-len(ends) :]
    return {
        "request_to_device": request_to_device(counting),
        "line_to_application": distribution(_after(ends, came)),
        "line_to_answer": distribution(_after(ends, answered)),
    }


def request_to_device(counting: Counting) -> dict[str, Any]:
    """Cycles from each request of the line to the handler's first access to the device."""
    first = [
        at
        for at, address, *_, is_write in counting.board.take_accessed()
        if is_write == (address in counting.writes)
    ]
    requests = [
        one["asserted"]
        for one in counting.latest
        if one["source"] == f"{LINE}.interrupt" and one["asserted"] is not None
    ]
    handled = [(one, bisect_left(first, one)) for one in requests]
    return distribution(first[place] - one for one, place in handled if place < len(first))


def _after(begins: list[int], ends: list[int]) -> list[int]:
    """The time from each moment to the next of the others."""
    if len(begins) != len(ends):
        raise CyclescopeError(
            "a packet's end was lost among the moments of the run: measure again",
            code="moments-do-not-match",
        )
    return [end - begin for begin, end in zip(begins, ends, strict=True)]
