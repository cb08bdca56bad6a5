"""The wire of an infrared transfer between two boards, kept so that tests need no Linux.

`tests/recorded_infrared.json` has a download of 100 bytes: its setting, what came of it, and each
character that a board sent. Made by `python tests/recorded_infrared.py RESULTS`.
"""

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cyclescope.studies.peripheral import results
from cyclescope.studies.peripheral.outcome import TransferOutcome
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.wire_bytes import WireBytes

KEPT = Path(__file__).with_suffix(".json")


class RecordedInfrared(NamedTuple):
    """A transfer as its recording has it."""

    setting: TransferSetting
    outcome: TransferOutcome
    wire: WireBytes
    frame_cycles: int
    steady: tuple[int, int]


def recorded() -> RecordedInfrared:
    """The recording."""
    found: dict[str, Any] = json.loads(KEPT.read_text())
    steps, values = np.array(found["steps"], np.int64), bytes.fromhex(found["values"])
    wire = WireBytes(
        steps.cumsum(),
        np.array([one == "1" for one in found["to_board"]], np.bool_),
        np.frombuffer(values, np.uint8).astype(np.uint16),
        np.zeros(len(values), np.uint16),
    )
    begin, end = found["steady"]
    return RecordedInfrared(
        TransferSetting.model_validate(found["setting"]),
        TransferOutcome.model_validate(found["outcome"]),
        wire,
        found["frame_cycles"],
        (begin, end),
    )


def _keep(folder: Path) -> None:
    (one,) = results.load(folder).transfers()
    wire = one.wire_bytes
    kept = {
        "setting": one.setting.model_dump(mode="json"),
        "outcome": one.record.outcome.model_dump(mode="json"),
        "frame_cycles": one.record.frame_cycles,
        "steady": one.steady,
        "steps": np.diff(wire.cycles, prepend=0).tolist(),
        "to_board": "".join("1" if way else "0" for way in wire.to_board),
        "values": wire.values.astype(np.uint8).tobytes().hex(),
    }
    KEPT.write_text(json.dumps(kept, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    _keep(Path(sys.argv[1]))
