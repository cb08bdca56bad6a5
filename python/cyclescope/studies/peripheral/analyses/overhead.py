"""Overhead against payload (Figure 2): every byte on the wire by its origin.

The wire alone answers, so nothing is attached to a replay.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from cyclescope.studies.peripheral.analysis import TransferAnalysis
from cyclescope.studies.peripheral.transfer import Transfer

WIDTH = 20


def analyse(transfer: Transfer) -> dict[str, Any]:
    """Bytes by origin and direction; they sum to the bytes on the wire.

    `overhead_bytes` are the bytes on the wire beyond the file's. Repeat prefixes stand for
    `saved_bytes` of the file that are not on the wire.
    """
    exchange, size = transfer.exchange, transfer.setting.size
    counts = exchange.count()
    origins = {
        str(origin): {
            "to_board": counts[0, origin],
            "from_board": counts[1, origin],
            "bytes": counts[0, origin] + counts[1, origin],
        }
        for origin in exchange.known_origins
    }
    wire = len(transfer.wire_bytes)
    return {
        "payload_bytes": size,
        "wire_bytes": wire,
        "to_board_bytes": transfer.record.outcome.bytes_to_board,
        "from_board_bytes": transfer.record.outcome.bytes_from_board,
        "overhead_bytes": wire - size,
        "overhead_share": (wire - size) / size,
        "saved_bytes": exchange.saved,
        "origins": origins,
        "packets": dict(sorted(exchange.kinds().items())),
        "retransmissions": exchange.retransmissions,
        "wrong_checks": exchange.wrong_checks,
    }


def lines(document: Mapping[str, Any]) -> Sequence[str]:
    """The origins as a table: bytes to the board, from it, of the payload."""
    size = document["payload_bytes"]
    rows = [f"{'origin':<{WIDTH}}{'to board':>10}{'from board':>12}{'of payload':>12}"]
    for name, one in document["origins"].items():
        if one["bytes"]:
            share = f"{one['bytes'] / size:.1%}"
            rows.append(f"{name:<{WIDTH}}{one['to_board']:>10,}{one['from_board']:>12,}{share:>12}")
    total = (document["to_board_bytes"], document["from_board_bytes"])
    share = f"{document['wire_bytes'] / size:.1%}"
    rows.append(f"{'all':<{WIDTH}}{total[0]:>10,}{total[1]:>12,}{share:>12}")
    rows.append(f"overhead {document['overhead_share']:.1%} of {size:,} bytes")
    return rows


ANALYSIS = TransferAnalysis(
    "overhead", "bytes on the wire by origin, beside the payload (Figure 2)", analyse, lines
)
