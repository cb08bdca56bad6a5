"""The ways of a file's bytes, on copies that were written by hand."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from cyclescope.firmware.linux.ram_copy import GuestObject
from cyclescope.studies.peripheral.analyses import buffers, followed
from cyclescope.studies.peripheral.analyses.followed import CopiedByte, FollowedBytes
from cyclescope.studies.peripheral.kermit.origins import ByteOrigin
from cyclescope.studies.peripheral.wire_bytes import WireBytes


def test_of_five_buffers_the_pdc_fills_one_and_copies_none() -> None:
    """The way that the paper counts, download and upload; the line's own registers are none."""
    names = ["PDC's buffer", "flip buffer", "buffer of n_tty", "kernel stack"]
    memory = [("kernel: copy", name) for name in names[1:]]
    own = [("gkermit: main", f"gkermit: {name}") for name in ("tinbuf", "packet")]
    down = [(followed.PDC, names[0]), *memory, *own, ("gkermit: main", "page cache")]
    assert buffers._buffers(down) == [*names, "gkermit: tinbuf", "gkermit: packet", "page cache"]
    assert buffers._to_program(down, uploads=False, program="gkermit") == 5
    assert buffers._copies(down) == 6
    line = f"{followed.LINE}: line"
    up = [("file", "page cache"), *own, ("kernel: copy", "ring"), (followed.PDC, line)]
    assert buffers._buffers(up) == ["page cache", "gkermit: tinbuf", "gkermit: packet", "ring"]
    assert buffers._to_program(up, uploads=True, program="gkermit") == 2
    assert buffers._copies(up) == 3, "what the PDC sends is no copy"


def recorded_by_hand(content: bytes, sent: bytes, *, to_board: bool) -> Any:
    """A transfer of this file, whose bytes of payload on the wire are these; each ends at 10, 20…
    and one byte of framing stands before them."""
    number = len(sent) + 1
    values = np.array([0x01, *sent], np.uint16)
    wire = WireBytes(np.arange(1, number + 1) * 10, np.full(number, to_board), values, values * 0)
    origins = [ByteOrigin.FRAMING, *[ByteOrigin.PAYLOAD] * len(sent)]
    return SimpleNamespace(
        wire_bytes=wire,
        exchange=SimpleNamespace(origins=(origins, origins), saved=0, retransmissions=0),
        setting=SimpleNamespace(file=lambda: content),
    )


PAGES = [
    GuestObject("page cache", 0x5000, 0x5002, file_at=0),
    GuestObject("page cache", 0x3000, 0x3002, file_at=2),
]
PLACES = (0x5000, 0x5001, 0x3000, 0x3001)
"""A file of 4 bytes whose second page lies before its first, and the places of its bytes."""


def stored_by_hand(values: bytes) -> FollowedBytes:
    """Bytes that came from the receiver, each stored at its place in the file's pages."""
    copies = []
    for n, (value, address) in enumerate(zip(values, PLACES, strict=True)):
        at = 20 + 10 * n
        copies += [
            CopiedByte(n, 0, 0x10, followed.RECEIVED, 0, at + 1, value, value),
            CopiedByte(n, 2 * n + 1, 0x20, None, address, at + 5, value, value),
        ]
    return FollowedBytes(copies, 0, [], [], PAGES)


def test_a_download_is_followed_to_its_places_in_the_file() -> None:
    transfer = recorded_by_hand(b"abcd", b"abcd", to_board=True)
    found = stored_by_hand(b"abcd")
    assert buffers._stored(found) == {0: 2, 1: 4, 2: 6, 3: 8}
    assert buffers._file_is_followed(found, transfer)
    assert not buffers._file_is_followed(stored_by_hand(b"abce"), transfer), "another value"
    late = stored_by_hand(b"abcd")
    late.copies[0] = late.copies[0]._replace(at=15)
    assert not buffers._file_is_followed(late, transfer), "from the byte of framing"
    short = FollowedBytes(found.copies[:6], 0, [], [], PAGES)
    assert not buffers._file_is_followed(short, transfer), "a byte without a copy"


def sent_by_hand(values: bytes) -> FollowedBytes:
    """Bytes of the file that were read from their pages and sent by the PDC."""
    copies = []
    for n, (value, address) in enumerate(zip(values, PLACES, strict=True)):
        copies += [
            CopiedByte(n, 0, None, None, address, 5 + n, value, value),
            CopiedByte(n, 2 * n + 1, None, followed.LINE, 0, 20 + 10 * n, value, value),
        ]
    return FollowedBytes(copies, 0, [], [], PAGES)


def test_an_upload_is_followed_from_its_places_in_the_file() -> None:
    transfer = recorded_by_hand(b"abcd", b"abcd", to_board=False)
    found = sent_by_hand(b"abcd")
    assert buffers._sent(found, 4) == {0: 2, 1: 4, 2: 6, 3: 8}
    assert buffers._sent_is_file(found, transfer)
    assert not buffers._sent_is_file(sent_by_hand(b"abce"), transfer), "another value"
    other = recorded_by_hand(b"abcd", b"abdc", to_board=False)
    assert not buffers._sent_is_file(found, other), "other payload on the wire"
    again = recorded_by_hand(b"abce", b"abcd", to_board=False)
    assert not buffers._sent_is_file(found, again), "another file"
    assert buffers._sent(FollowedBytes(found.copies[:6], 0, [], [], PAGES), 4) == {0: 2, 1: 4, 2: 6}
