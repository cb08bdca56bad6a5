"""Judgement of a transfer, and the intervals of one, on a wire that was written by hand."""

import hashlib
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cyclescope.studies.peripheral.analyses import replayed, stacks
from cyclescope.studies.peripheral.analyses.by_class import Bytes
from cyclescope.studies.peripheral.board_side import Said
from cyclescope.studies.peripheral.choices import Direction
from cyclescope.studies.peripheral.outcome import TransferOutcome, outcome
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.wire_bytes import WireBytes

HZ = 1000
WIRE = WireBytes(
    cycles=np.array([100, 200, 300, 400, 500, 900], np.int64),
    to_board=np.array([1, 1, 0, 1, 1, 0], np.bool_),
    values=np.array([1, 2, 3, 4, 5, 6], np.uint16),
    flipped=np.array([0, 3, 0, 0, 1 << 9, 0], np.uint16),
)
"""Four characters to the board, two from it; three bits flipped."""
SETTING = TransferSetting(size=20)
FILE = SETTING.file()
DIGEST = hashlib.sha256(FILE).hexdigest()


def judged(
    content: bytes, digest: str, setting: TransferSetting = SETTING, is_over: bool = True
) -> TransferOutcome:
    exchange: Any = SimpleNamespace(
        kinds=lambda: {"S": 1, "D": 2}, retransmissions=1, wrong_checks=2, content=content
    )
    said = Said(0, digest, 3, 2, 1, 1, is_over=is_over, memory_was_full=False)
    return outcome(setting, WIRE, exchange, said, 0, FILE[1:], HZ)


def test_the_line_is_counted() -> None:
    came = judged(FILE, DIGEST)
    assert (came.bytes_to_board, came.bytes_from_board) == (4, 2)
    assert came.lost_to_board == 1, "the driver has counted three"
    assert (came.overruns, came.framing_errors, came.flipped_bits) == (1, 1, 3)
    assert (came.packets, came.retransmissions, came.wrong_checks) == (3, 1, 2)
    assert (came.cycles, came.seconds, came.remark) == (800, 0.8, None)


@pytest.mark.parametrize(
    ("content", "digest", "judgement"),
    [
        (FILE, DIGEST, (True, True)),
        (FILE[::-1], DIGEST, (True, False)),
        (FILE[:-1], DIGEST, (True, False)),
        (FILE, "0" * 64, (False, True)),
    ],
)
def test_file_and_wire_are_judged_apart(
    content: bytes, digest: str, judgement: tuple[bool, bool]
) -> None:
    came = judged(content, digest)
    assert (came.identical, came.decoded_identical) == judgement


def test_an_upload_is_judged_by_the_peers_file() -> None:
    """The board's own digest says nothing of it."""
    up = judged(FILE, DIGEST, SETTING.model_copy(update={"direction": Direction.UPLOAD}))
    assert not up.identical
    assert up.received_sha256 == hashlib.sha256(FILE[1:]).hexdigest()


def recorded(steady: tuple[int, int]) -> Any:
    record = SimpleNamespace(frame_cycles=30)
    return SimpleNamespace(wire_bytes=WIRE, steady=steady, record=record, setting=SETTING)


def test_a_byte_is_of_the_interval_in_which_it_ends() -> None:
    """Intervals that follow each other have each byte once."""
    transfer = recorded((200, 500))
    first, begin, end, last = replayed.boundaries(transfer)
    assert (first, begin, end, last) == (40, 200, 500, 900)
    parts = [
        replayed.moved(transfer, *span) for span in ((first, begin), (begin, end), (end, last))
    ]
    assert parts == [Bytes(2, 0, 20), Bytes(2, 1, 20), Bytes(0, 1, 20)]
    assert replayed.moved(transfer, first, last) == Bytes(4, 2, 20)


def test_an_interval_begins_before_the_first_byte_is_taken_from_memory() -> None:
    """Two frames before its end; a steady state that begins earlier is whole, too."""
    assert replayed.boundaries(recorded((20, 950))) == (20, 20, 950, 950)


def test_branches_that_are_left_out_stay_in_the_sums() -> None:
    def node(name: str, cycles: int, *children: dict[str, Any]) -> dict[str, Any]:
        counts = {"instructions": cycles // 2, "cycles": cycles, "asleep_cycles": 1}
        return {"name": name, "class": None, "subclass": None, **counts, "children": [*children]}

    tree = node("root", 10, node("small", 4, node("leaf", 2)), node("large", 90), node("tiny", 2))
    stacks._include(tree)
    kept = stacks.pruned(tree, 50)
    assert [one["name"] for one in kept["children"]] == ["large", stacks.SMALLER]
    for key in ("instructions", "cycles", "asleep_cycles"):
        below = sum(child[f"inclusive_{key}"] for child in kept["children"])
        assert kept[f"inclusive_{key}"] == kept[key] + below
    assert kept["children"][1]["inclusive_cycles"] == 8


@pytest.mark.parametrize(("errors", "remedy"), [(0.0, "--baud"), (0.001, "fewer --errors")])
def test_the_remedy_for_a_transfer_without_an_end_fits_its_line(errors: float, remedy: str) -> None:
    setting = SETTING.model_copy(update={"errors": errors})
    remark = judged(FILE, "0" * 64, setting, is_over=False).remark
    assert remark and remedy in remark
