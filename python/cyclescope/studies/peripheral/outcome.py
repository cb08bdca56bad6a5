"""The outcome of a transfer: the file, what the line lost, and what went over it."""

import hashlib

import numpy as np

from cyclescope.record import Record
from cyclescope.studies.peripheral.board_side import Said
from cyclescope.studies.peripheral.choices import Direction
from cyclescope.studies.peripheral.exchange import Exchange
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.wire_bytes import WireBytes


class TransferOutcome(Record):
    """Exact for the recording. Bytes are those of the line; cycles are of the board's core.

    `lost_to_board` are characters at the receiver that the driver never counted, `overruns` the
    times at which the USART said so. `cycles` go from the end of the first character to that of the
    last.
    """

    identical: bool
    sha256: str
    received_sha256: str | None
    board_status: int | None
    peer_status: int | None
    bytes_to_board: int
    bytes_from_board: int
    flipped_bits: int
    lost_to_board: int | None
    overruns: int
    framing_errors: int
    packets: int
    retransmissions: int
    wrong_checks: int
    decoded_identical: bool
    """Whether the data packets on the wire, decoded, are the file."""
    cycles: int
    seconds: float
    remark: str | None = None
    """Why the transfer did not come to its end, and the remedy."""


def outcome(
    setting: TransferSetting,
    wire: WireBytes,
    exchange: Exchange,
    said: Said,
    peer_status: int | None,
    arrived: bytes | None,
    core_hz: int,
    heard: int | None = None,
) -> TransferOutcome:
    """Judges a transfer; `arrived` is the file that the peer received, if it did.

    `heard` are the characters at the board's receiver, if those are not the ones sent to it.
    """
    file = setting.file()
    digest = hashlib.sha256(file).hexdigest()
    if setting.direction is Direction.DOWNLOAD:
        received = said.sha256
    else:
        received = hashlib.sha256(arrived).hexdigest() if arrived is not None else None
    to_board = int(wire.to_board.sum())
    at_receiver = to_board if heard is None else heard
    cycles = int(wire.cycles[-1] - wire.cycles[0]) if len(wire) else 0
    return TransferOutcome(
        identical=received == digest,
        sha256=digest,
        received_sha256=received,
        board_status=said.status,
        peer_status=peer_status,
        bytes_to_board=to_board,
        bytes_from_board=len(wire) - to_board,
        flipped_bits=int(np.bitwise_count(wire.flipped).sum()),
        lost_to_board=None if said.received is None else at_receiver - said.received,
        overruns=said.overruns,
        framing_errors=said.framing_errors,
        packets=sum(exchange.kinds().values()),
        retransmissions=exchange.retransmissions,
        wrong_checks=exchange.wrong_checks,
        decoded_identical=bytes(exchange.content) == file,
        cycles=cycles,
        seconds=cycles / core_hz,
        remark=_remark(said, setting),
    )


def _remark(said: Said, setting: TransferSetting) -> str | None:
    if said.memory_was_full:
        return "the board's memory cannot hold the file: choose a smaller --size"
    if not said.is_over:
        remedy = "fewer --errors" if setting.errors else "a slower --baud, or another --driver"
        return f"both sides waited for each other at the end: choose {remedy}"
    return None
