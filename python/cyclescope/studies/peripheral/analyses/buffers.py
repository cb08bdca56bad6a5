"""The buffers on the way of each byte of the file between the line and its page: copies per byte.

The bytes themselves are followed: from the receiver to the file, or from there to the transmitter.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from cyclescope.studies.peripheral import lines as line_types
from cyclescope.studies.peripheral.analyses.distributions import distribution
from cyclescope.studies.peripheral.analyses.followed import (
    LINE,
    PDC,
    SENT,
    CopiedByte,
    FollowedBytes,
    followed,
)
from cyclescope.studies.peripheral.analysis import TransferAnalysis
from cyclescope.studies.peripheral.choices import Direction
from cyclescope.studies.peripheral.kermit.origins import ByteOrigin
from cyclescope.studies.peripheral.paper import STATED
from cyclescope.studies.peripheral.transfer import Transfer

PAYLOAD = (ByteOrigin.PAYLOAD, ByteOrigin.RETRANSMISSION)
MOST_WAYS, MOST_FUNCTIONS = 8, 12
CHECKED = {True: "yes", False: "no", None: "not checked, as no whole file was followed"}


def analyse(transfer: Transfer) -> dict[str, Any]:
    """Ways of the file's bytes, copies per byte, and the cost of the instructions that carry them.

    A copy is a store by the core into a buffer: an object of Linux or of a program that holds the
    byte on its way. Registers that a function or an interrupt saves are counted by themselves.
    `buffers_to_program` are those from the device to the program's own memory, that one included;
    of an upload, those from there to the device.
    """
    found, payload = followed(transfer), transfer.setting.size
    uploads = transfer.setting.direction is Direction.UPLOAD
    if uploads:
        ends = _sent(found, payload)
    else:
        ends = _stored(found) if found.file else _read(found, transfer)
    program = line_types.of(transfer.setting).program
    ways = [_way(found, number) for number in ends.values()]
    saves = [sum(map(found.saves_register, found.on_way(number))) for number in ends.values()]
    checked = _checked(found, transfer)
    stores = Counter(one.byte for one in found.copies if one.source and one.by is not None)
    arrived = {one.byte for one in found.copies if not one.source}
    wire = transfer.wire_bytes.to_board != uploads
    return {
        "direction": str(transfer.setting.direction),
        "driver": str(transfer.setting.driver),
        "payload_bytes": payload,
        "wire_bytes": int(wire.sum()),
        "followed_bytes": len(arrived),
        "lost_copies": found.lost,
        "file_bytes_followed": len([one for one in ends if one < payload]),
        "ways_end": "line" if uploads else "file" if found.file else "program",
        "file_is_what_was_followed": checked,
        "ways": _grouped(ways),
        "copies_per_payload_byte": distribution(_copies(way) for way in ways),
        "buffers_per_payload_byte": distribution(len(_buffers(way)) for way in ways),
        "buffers_to_program": distribution(_to_program(way, uploads, program) for way in ways),
        "saves_per_payload_byte": distribution(saves),
        "stores_per_followed_byte": distribution(stores[byte] for byte in arrived),
        "stores_by_place": _by_place(found),
        "carrying": _carrying(found, len(ends)),
    }


Step = tuple[str, str]
"""Maker and holder of a copy."""


def _way(found: FollowedBytes, number: int) -> list[Step]:
    """The copies of a byte, without registers that were saved."""
    first, *copies = found.on_way(number)
    copies = [one for one in copies if not found.saves_register(one)]
    maker = PDC if first.by is None else "line" if first.place else "file"
    steps = [(found.maker(one), found.holder(one)) for one in copies]
    return [(maker, found.holder(first)), *steps]


def _stored(found: FollowedBytes) -> dict[int, int]:
    """By place in the file the number of the last copy there."""
    ends = {}
    for page in found.file:
        for address in range(page.start, page.end):
            if (number := found.last_at.get(address)) is not None:
                ends[(page.file_at or 0) + address - page.start] = number
    return ends


def _read(found: FollowedBytes, transfer: Transfer) -> dict[int, int]:
    """By order of arrival the number of the first copy of each byte in the program's own memory.

    It serves where no file is kept, or where the transfer was not followed to its end.
    """
    payload = {byte for byte, origin in _origins(found, transfer).items() if origin in PAYLOAD}
    program = line_types.of(transfer.setting).program
    ends: dict[int, int] = {}
    for number, one in enumerate(found.copies, 1):
        wanted = one.source and one.byte in payload and one.byte not in ends
        if wanted and found.holder(one).startswith(f"{program}:"):
            ends[one.byte] = number
    return dict(enumerate(ends[byte] for byte in sorted(ends)))


def _origins(found: FollowedBytes, transfer: Transfer) -> dict[int, str]:
    """The origin of each byte from the line. The receiver hands over the last character that had
    ended."""
    received = transfer.wire_bytes.to_board
    cycles = transfer.wire_bytes.cycles[received].tolist()
    origins = transfer.exchange.origins[0]
    return {
        one.byte: origins[bisect_right(cycles, one.at) - 1]
        for one in found.copies
        if not one.source
    }


def _is_sent(copy: CopiedByte) -> bool:
    return bool(copy.source) and copy.place in (LINE, SENT)


def _sent(found: FollowedBytes, size: int) -> dict[int, int]:
    """By place in the file the number of the copy that went to the line for it.

    If as many went as the file has, they are in its order: of two bytes that are equal, G-Kermit
    may send one twice. Otherwise, the first copy of each byte.
    """
    sent = [number for number, one in enumerate(found.copies, 1) if _is_sent(one)]
    if len(sent) == size:
        return dict(enumerate(sent))
    places = {page.start: page.file_at or 0 for page in found.file}
    starts = sorted(places)
    arrivals = {one.byte: one.address for one in found.copies if not one.source}
    ends: dict[int, int] = {}
    for number in sent:
        address = arrivals[found.copies[number - 1].byte]
        start = starts[bisect_right(starts, address) - 1]
        ends.setdefault(places[start] + address - start, number)
    return ends


def _checked(found: FollowedBytes, transfer: Transfer) -> bool | None:
    """Whether what was followed is the file; None where the file is not whole yet."""
    if transfer.setting.direction is Direction.UPLOAD:
        return _sent_is_file(found, transfer) if found.whole else None
    if not found.whole:
        return None
    return _file_is_followed(found, transfer)


def _file_is_followed(found: FollowedBytes, transfer: Transfer) -> bool:
    """Whether each byte of the file came from the byte of payload on the wire that says it."""
    content, ends, origins = transfer.setting.file(), _stored(found), _origins(found, transfer)
    if any(at not in ends for at in range(len(content))):
        return False
    last = [found.copies[ends[at] - 1] for at in range(len(content))]
    return all(
        one.value == value and origins[one.byte] in PAYLOAD
        for one, value in zip(last, content, strict=True)
    )


def _sent_is_file(found: FollowedBytes, transfer: Transfer) -> bool:
    """Whether each byte of the file left as a followed byte of its value.

    Without repeat prefixes and retransmissions the values must be the payload on the wire, too.
    """
    content, exchange = transfer.setting.file(), transfer.exchange
    ends = _sent(found, len(content))
    sent = [found.copies[ends[at] - 1] for at in sorted(ends)]
    if bytes(one.arrived for one in sent) != content:
        return False
    seen = transfer.wire_bytes.sent(to_board=False).sent
    origins = exchange.origins[1]
    payload = [byte for byte, one in zip(seen, origins, strict=True) if one == ByteOrigin.PAYLOAD]
    plain = not exchange.saved and not exchange.retransmissions
    return not plain or [one.value for one in sent] == payload


def _copies(way: Sequence[Step]) -> int:
    return sum(maker != PDC for maker, _ in way[1:])


def _buffers(way: Sequence[Step]) -> list[str]:
    """Objects in memory that held the byte, in order."""
    memory = (holder for _, holder in way if not holder.startswith(f"{LINE}"))
    return list(dict.fromkeys(memory))


def _to_program(way: Sequence[Step], uploads: bool, program: str) -> int:
    """Buffers from the device to the first one of the program."""
    buffers = _buffers(way[::-1] if uploads else way)
    own = (n for n, one in enumerate(buffers, 1) if one.startswith(f"{program}:"))
    return next(own, len(buffers))


def _grouped(ways: Sequence[Sequence[Step]]) -> list[dict[str, Any]]:
    counts = Counter(tuple(way) for way in ways)
    return [
        {"bytes": count, "steps": [{"by": maker, "to": holder} for maker, holder in way]}
        for way, count in counts.most_common()
    ]


def _by_place(found: FollowedBytes) -> list[dict[str, Any]]:
    """All stores of followed bytes, by function and object."""
    counts = Counter(
        (found.maker(one), found.holder(one))
        for one in found.copies
        if one.source and one.by is not None
    )
    return [{"by": by, "to": to, "stores": count} for (by, to), count in counts.most_common()]


def _carrying(found: FollowedBytes, file_bytes: int) -> dict[str, Any]:
    """Instructions that passed on followed bytes, with their own cycles."""
    functions: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for one in found.moving:
        total = functions[found.function(one.address)]
        total[0] += one.executions
        total[1] += one.cycles
    ranked = sorted(functions.items(), key=lambda one: -one[1][1])
    instructions, cycles = (sum(one[n] for one in functions.values()) for n in (0, 1))
    return {
        "instructions": instructions,
        "cycles": cycles,
        "instructions_per_payload_byte": instructions / (file_bytes or 1),
        "cycles_per_payload_byte": cycles / (file_bytes or 1),
        "functions": [
            {"function": name, "instructions": counts[0], "cycles": counts[1]}
            for name, counts in ranked
        ],
    }


def lines(document: Mapping[str, Any]) -> Sequence[str]:
    """The most frequent ways step by step, and the copies per byte."""
    rows = [
        f"{document['file_bytes_followed']:,} of {document['payload_bytes']:,} bytes of the file "
        f"followed; they are the bytes {_between(document)}: "
        f"{CHECKED[document['file_is_what_was_followed']]}"
    ]
    for way in document["ways"][:MOST_WAYS]:
        rows += ["", f"way of {way['bytes']:,} bytes:"]
        rows += [f"  {step['by']} -> {step['to']}" for step in way["steps"]]
    if more := len(document["ways"]) - MOST_WAYS:
        rows += ["", f"({more} more ways)"] if more > 0 else []
    rows.append("")
    for key in ("copies_per_payload_byte", "buffers_per_payload_byte", "buffers_to_program",
                "saves_per_payload_byte", "stores_per_followed_byte"):  # fmt: skip
        rows.append(f"{key.replace('_', ' ')}: {_text(document[key])}")
    if document["direction"] == Direction.DOWNLOAD:
        stated = STATED["buffers"]
        rows.append(f"buffers {stated.counts}, in the paper: {stated.value:g}")
    carrying = document["carrying"]
    rows.append(
        f"instructions that carry a byte: {carrying['instructions_per_payload_byte']:.1f} and "
        f"{carrying['cycles_per_payload_byte']:.1f} cycles per byte of the file"
    )
    for one in carrying["functions"][:MOST_FUNCTIONS]:
        rows.append(f"  {one['cycles']:>10,} cycles {one['instructions']:>10,}  {one['function']}")
    return rows


def _between(document: Mapping[str, Any]) -> str:
    uploads = document["direction"] == Direction.UPLOAD
    return "on the line" if uploads else "in the file"


def _text(one: Mapping[str, Any]) -> str:
    if not one["n"]:
        return "none"
    return (
        f"n {one['n']:,}, min {one['min']}, quartiles {one['q25']} {one['q50']} {one['q75']}, "
        f"max (observed) {one['max']}, mean {one['mean']:.2f}"
    )


ANALYSIS = TransferAnalysis(
    "buffers",
    "copies of each byte of the file, and the buffers on its way",
    analyse,
    lines,
)
