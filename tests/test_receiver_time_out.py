"""Linux takes what the PDC received at the time-out, at a buffer's end, or by polling."""

from collections import Counter
from pathlib import Path

import pytest
from linux_session import needs_linux

from cyclescope.studies.peripheral import transfer
from cyclescope.studies.peripheral.analyses import accesses
from cyclescope.studies.peripheral.analyses.rules import read_rules
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.transfer import Transfer

pytestmark = needs_linux

UNIT_BITS, FRAME_BITS = 4, 10


def blocks(recorded: Transfer) -> Counter[int]:
    """Lengths of the PDC's transfers to memory; the last one may go on."""
    to_memory = accesses.analyse(recorded, read_rules())["whole_transfers"][0]
    found = Counter(dict(to_memory["lengths"]))
    if (rest := to_memory["bytes"] - sum(size * count for size, count in found.items())) > 0:
        found[rest] += 1
    return found


def runs(recorded: Transfer, bits: int, buffer: int) -> Counter[int]:
    """The same lengths by the wire alone: characters between silences, in buffers of this size."""
    units = -(-bits // UNIT_BITS)
    silence = units * UNIT_BITS * recorded.record.frame_cycles // FRAME_BITS
    ends = [at for at, to_board, _ in recorded.wire if to_board]
    found, begin = Counter[int](), 0
    for place in range(1, len(ends) + 1):
        last = place == len(ends)
        if last or ends[place] - recorded.record.frame_cycles - ends[place - 1] > silence:
            whole, rest = divmod(place - begin, buffer)
            found.update({buffer: whole, rest: 1} if whole and rest else {buffer: whole} if whole
                         else {rest: 1})  # fmt: skip
            begin = place
    return found


@pytest.mark.parametrize(("time_out", "buffer"), [(30, 512), (200, 64)])
def test_each_silence_and_each_full_buffer_ends_a_block(
    time_out: int, buffer: int, tmp_path: Path
) -> None:
    setting = TransferSetting(time_out=time_out, receive_buffer=buffer)
    recorded = transfer.record(setting, tmp_path)
    assert recorded.record.outcome.identical
    assert blocks(recorded) == runs(recorded, time_out, buffer)


def test_small_buffers_end_within_packets(tmp_path: Path) -> None:
    """A character just behind a full buffer may be taken with it, so its block goes on."""
    recorded = transfer.record(TransferSetting(receive_buffer=16), tmp_path)
    found = blocks(recorded)
    assert recorded.record.outcome.identical
    assert max(found) == 16
    assert sum(size * count for size, count in found.items()) == len(
        [1 for _, to_board, _ in recorded.wire if to_board]
    )
    assert found[16] >= runs(recorded, 30, 16)[16]


def test_without_a_time_out_only_full_buffers_end(tmp_path: Path) -> None:
    recorded = transfer.record(TransferSetting(time_out=0, receive_buffer=128), tmp_path)
    came = recorded.record.outcome
    assert came.identical
    whole, rest = divmod(came.bytes_to_board, 128)
    assert blocks(recorded) == Counter({128: whole, rest: 1})


@pytest.mark.parametrize("size", [4000, 16_000])
def test_no_buffer_ends_within_a_packet_so_nothing_is_lost(size: int, tmp_path: Path) -> None:
    """A tick's interrupt may keep the driver away for longer than a character."""
    came = transfer.record(TransferSetting(size=size), tmp_path).record.outcome
    assert came.identical
    assert (came.overruns, came.lost_to_board, came.retransmissions) == (0, 0, 0)
