"""Tables of granularity on the page of the proposals, from transfers of known figures."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "benches"))

from pages import granularity, runs  # noqa: E402


def transfer(name: str, identical: bool = True) -> dict[str, Any]:
    """A transfer whose figures follow from the buffer in its campaign's name."""
    buffer, time_out = (int(one) for one in name.split("_")[2:])
    moved = [{"mean_bytes": float(buffer), "wire_bytes": 900}, {"wire_bytes": 100}]
    return {
        "outcome": {"identical": identical, "overruns": 0 if identical else 3},
        "analyses": {
            "accesses": {
                "interactions": 2000 // buffer,
                "transfers": moved,
                "control_accesses_per_interaction": 17.25,
            },
            "load": {
                "steady": {
                    "active": {"instructions_per_byte": 400.5, "cycles_per_byte": 3000.0 + time_out}
                }
            },
            "latency": {
                "bytes": {"stages": {"line_to_call_returned": {"us": {"q50": 2800, "max": 8870}}}}
            },
            "energy": {"total": {"nj_per_byte": 15_638.4}},
        },
    }


def test_a_row_for_each_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(granularity, "transfers", lambda name: [transfer(name)])
    rows = granularity.granularity_table("serial").splitlines()[2:]
    assert len(rows) == len(runs.GRANULARITY)
    assert rows[0] == (
        "| 16, 30 | whole | 125 | 16.0 | 400.5 | 3,030 | 17.2 | 2.80, 8.87 | 15,638 |"
    )
    assert granularity.granularity_whole("serial") == f"All {len(rows)} files arrive identical."


def test_a_file_that_is_not_identical_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        granularity, "transfers", lambda name: [transfer(name, identical="_64_30" not in name)]
    )
    assert "| 64, 30 | not whole, 3 overruns |" in granularity.granularity_table("infrared")
    said = granularity.granularity_whole("infrared")
    assert said.endswith("1 do not arrive identical: 64 bytes and 30 bits.")


def test_a_transfer_without_data_has_a_row_and_no_place_in_the_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def only(name: str) -> list[dict[str, Any]]:
        return [transfer(name) if "_16_0" not in name else transfer(name, False) | {"analyses": {}}]

    monkeypatch.setattr(granularity, "transfers", only)
    rows = granularity.granularity_table("infrared").splitlines()
    assert f"| 16, 0 | not whole, 3 overruns |{' – |' * 7}" in rows
    assert len(granularity._whole("infrared")) == len(runs.GRANULARITY) - 1


def test_the_picture_has_every_system_and_the_papers_points(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    image = {
        "name": "one",
        "bytes_per_interaction": 10.0,
        "load": {"active_instructions": {"per_byte": 90.0}},
    }
    comparisons = [
        {"key": key, "images": ["one"]} for key in ("granularity", "infrared-granularity")
    ]
    found = {"comparisons": comparisons, "measured": [image]}
    monkeypatch.setattr(granularity, "campaign", lambda name: found)
    monkeypatch.setattr(granularity, "transfers", lambda name: [transfer(name)])
    monkeypatch.setattr(granularity, "PICTURE", tmp_path / "granularity.svg")
    granularity.granularity_picture()
    drawn = (tmp_path / "granularity.svg").read_text()
    points = len(re.findall('r="3"', drawn))
    assert points == 2 + 2 * len(runs.GRANULARITY) + 2
    assert "paper: serial 222.8, infrared 117.9" in drawn
