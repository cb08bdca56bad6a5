"""Tables of the page on the infrared line, from transfers of known figures."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cyclescope.studies.peripheral.choices import LineType

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "benches"))

from pages import (  # noqa: E402
    infrared_bytes,
    infrared_campaigns,
    infrared_conditions,
    infrared_costs,
    infrared_systems,
    infrared_transfers,
    runs,
)


def transfer(size: int = 1000, seconds: float = 1.0, **changed: Any) -> Any:
    """A transfer with simple figures; `changed` are fields of its outcome."""
    came = {"identical": True, "board_status": 0, "overruns": 0, "retransmissions": 0}
    came |= {"seconds": seconds, "bytes_to_board": 2 * size, "bytes_from_board": size}
    active = {"instructions_per_byte": 100.0 * seconds, "cycles_per_byte": 700.0}
    classes = [
        {"class": name, "share_of_active_instructions": share}
        for name, share in (("char", 0.125), ("irda", 0.325), ("kernel", 0.55))
    ]
    documents = {
        "overhead": {"wire_bytes": 3 * size, "overhead_share": 2.0},
        "load": {"steady": {"active": active, "classes": classes}},
        "accesses": {"per_wire_byte": 90.0, "char_share": 0.2, "peripheral_share": 0.34},
    }
    return SimpleNamespace(
        setting=SimpleNamespace(size=size, line=LineType.INFRARED),
        outcome=SimpleNamespace(**(came | changed)),
        documents=documents,
    )


def test_times_are_by_the_serial_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def of(name: str, line: LineType = LineType.INFRARED, size: int = 1000) -> Any:
        return transfer(size, 2.0 if line is LineType.SERIAL else 3.0 * size / 1000)

    monkeypatch.setattr(infrared_bytes, "transfer", of)
    rows = infrared_bytes.infrared_times().splitlines()[2:]
    counts = (infrared_campaigns.TIMED_FRAMES, infrared_campaigns.WINDOWS)
    assert len(rows) == len(counts[0]) * len(counts[1]) * len(infrared_campaigns.TURNAROUNDS)
    assert rows[0] == "| 64 | 1 | 10 | 1.50 | 6.00 | 24.00 | 1.00 | 0 |"
    said = infrared_bytes.infrared_twice()
    assert said == (
        "1,000 bytes take that long with 0 of 12. 4,000 bytes take that long with 12 of 12. "
        "16,000 bytes take that long with 12 of 12."
    )


def test_the_papers_own_bytes_are_twice_as_many_for_its_file_alone() -> None:
    assert infrared_bytes.infrared_papers_bytes().startswith("1.96 for its file")
    assert "1.05 for large files" in infrared_bytes.infrared_papers_bytes()


def test_the_spread_counts_whole_files_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last of each ten is lost, and is in no range."""
    seconds = iter(range(1, 100))

    def of(name: str) -> list[Any]:
        at = next(seconds)
        return [transfer(seconds=float(at), identical=at % 10 != 0)]

    monkeypatch.setattr(infrared_conditions, "transfers", of)
    rows = infrared_conditions.infrared_spread().splitlines()[2:]
    assert len(rows) == len(infrared_conditions.VARIED)
    assert rows[0] == (
        "| serial, Linux: content | 9 of 10 | 3,000 | 5.000 (1.000 … 9.000) | "
        "500.0 (100.0 … 900.0) | 90.0 |"
    )


def test_shares_of_the_peripheral_are_beside_the_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(infrared_costs, "pair", lambda: {line: transfer() for line in LineType})
    found = [row.split(" | ") for row in infrared_costs.infrared_shares().splitlines()[2:]]
    assert [(here, theirs.strip(" |")) for _, here, theirs in found] == [
        ("12%", "16%"),
        ("20%", "18%"),
        ("45%", "60%"),
        ("34%", "66%"),
        ("32%", "47%"),
    ]


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({}, "whole"),
        ({"overruns": 1}, "whole, 1 overrun"),
        ({"identical": False, "overruns": 2}, "not whole, 2 overruns"),
        ({"identical": False, "board_status": None}, "not whole, no end"),
    ],
)
def test_the_end_of_a_transfer_is_said(changed: dict[str, Any], text: str) -> None:
    assert infrared_transfers.came(transfer(**changed)) == text


def test_a_station_without_data_has_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = transfer(identical=False, board_status=None)
    lost.documents.clear()
    monkeypatch.setattr(infrared_systems, "transfers", lambda name: [lost])
    rows = infrared_systems.infrared_freertos_buffers().splitlines()[2:]
    assert rows[-1] == f"| 16, 0 | not whole, no end |{' – |' * 6}"


def test_every_cell_has_its_campaign() -> None:
    """The names of cells are those of the campaigns, and one that may not end is let through."""
    for names in infrared_conditions.VARIED.values():
        assert len(names) >= 5 and set(names) <= runs.CAMPAIGNS.keys()
    waits = [
        f"infrared_pio_{baud}_{one}_0" for baud in runs.SERIAL_BAUDS for one in runs.SERIAL_WAITS
    ]
    assert set(waits) <= runs.CAMPAIGNS.keys()
    assert 1 in runs._answers(waits[0]) and 1 not in runs._answers("serial_sizes")
