"""A transfer between two boards with Linux, by its recorded wire: file, origins, and frames."""

from pathlib import Path

from infrared_frames import judged, needs_tshark
from recorded_infrared import recorded

from cyclescope.studies.peripheral.infrared.exchange import decode
from cyclescope.studies.peripheral.infrared.run import character_cycles
from cyclescope.wire.infrared import SentOctet, frames

CORE_HZ = 32_768_000


def test_the_frames_carry_the_file() -> None:
    kept = recorded()
    found = decode(kept.wire)
    assert found.content == kept.setting.file()
    assert kept.outcome.identical
    assert found.wrong_checks == found.retransmissions == 0


def test_every_octet_has_one_origin() -> None:
    kept = recorded()
    found = decode(kept.wire)
    counts = found.count()
    assert sum(counts.values()) == len(kept.wire)
    assert [len(one) for one in found.origins] == [
        kept.outcome.bytes_to_board,
        kept.outcome.bytes_from_board,
    ]
    assert counts[0, "payload"] == kept.setting.size
    assert counts[0, "damaged"] == counts[1, "damaged"] == 0


def test_the_steady_state_is_that_of_the_record() -> None:
    kept = recorded()
    assert character_cycles(kept.wire) == kept.frame_cycles
    assert decode(kept.wire).span(kept.frame_cycles) == kept.steady


@needs_tshark
def test_tshark_agrees_with_every_frame_of_the_boards(tmp_path: Path) -> None:
    wire = recorded().wire
    octets = [
        SentOctet(int(at) * 1_000_000_000 // CORE_HZ, int(not way), int(value))
        for at, way, value in zip(wire.cycles, wire.to_board, wire.values, strict=True)
    ]
    sent = frames(octets)
    assert judged(sent, tmp_path) == len(sent)
