"""Exchanges of two G-Kermits on the host, as recorded in tests/kermit_wires.json.

`python tests/kermit_wires.py` records them again, with Debian's gkermit 2.01.
"""

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cyclescope.studies.peripheral.content import Content, make
from cyclescope.studies.peripheral.kermit.origins import SideBytes
from cyclescope.targets.virtual.lines.instant_program import InstantProgram

RECORDED = Path(__file__).with_suffix(".json")
ALWAYS = ["-X", "-q", "-i", "-w", "-b", "0"]
RUNS = bytes(200) + b"aab~#&" * 3 + b"x" * 95 + b"\xff" * 3 + b"yy\x01\x01\x01"


@dataclass(frozen=True)
class HostExchange:
    """One exchange: options of both programs, the file, and the packet whose byte 6 is damaged."""

    name: str
    options: list[str]
    file: bytes
    damaged: int | None = None


EXCHANGES = [
    HostExchange("text", ["-S", "-e", "94"], make(Content.TEXT, 300, 1)),
    HostExchange("random", ["-S", "-e", "94"], make(Content.RANDOM, 300, 1)),
    HostExchange("runs", ["-S", "-e", "94"], RUNS),
    HostExchange("long", ["-S", "-e", "1000"], make(Content.RANDOM, 1500, 2)),
    HostExchange("streaming", [], make(Content.TEXT, 500, 3)),
    HostExchange("seven bits", ["-S", "-e", "94", "-p", "s"], make(Content.RANDOM, 300, 4)),
    HostExchange("damaged", ["-S", "-e", "94"], make(Content.TEXT, 300, 1), damaged=4),
    HostExchange("empty", ["-S", "-e", "94"], b""),
]


def record(exchange: HostExchange) -> list[tuple[int, bytes]]:
    """Runs an exchange; returns what side 0, which has the file, and side 1 sent, in order."""
    with tempfile.TemporaryDirectory() as place:
        folders = [Path(place, "sends"), Path(place, "receives")]
        for folder in folders:
            folder.mkdir()
        (folders[0] / "file.bin").write_bytes(exchange.file)
        actions = [["-s", "file.bin"], ["-r"]]
        programs = [
            InstantProgram(["gkermit", *ALWAYS, *exchange.options, *action], folder)
            for action, folder in zip(actions, folders, strict=True)
        ]
        try:
            sent = list(_relayed(programs, exchange.damaged))
        finally:
            for program in programs:
                program.close()
        assert [one.status for one in programs] == [0, 0]
        assert (folders[1] / "file.bin").read_bytes() == exchange.file
    return sent


def _relayed(programs: list[InstantProgram], damaged: int | None) -> Iterator[tuple[int, bytes]]:
    heard, sent = b"", 0
    while any(one.status is None for one in programs):
        for side in (0, 1):
            said = programs[side].answer(heard)
            if said:
                yield side, said
            heard = said
            if said and side == 0:
                if sent == damaged:
                    heard = said[:6] + bytes([said[6] ^ 1]) + said[7:]
                sent += 1


def sides(sent: list[tuple[int, bytes]]) -> tuple[SideBytes, SideBytes]:
    """The bytes of each side; moments are places in the order of all."""
    found: list[tuple[bytearray, list[int]]] = [(bytearray(), []), (bytearray(), [])]
    moment = 0
    for side, data in sent:
        found[side][0].extend(data)
        found[side][1].extend(range(moment, moment + len(data)))
        moment += len(data)
    first, second = (SideBytes(bytes(data), ends) for data, ends in found)
    return first, second


def recorded() -> dict[str, list[tuple[int, bytes]]]:
    """The exchanges in the file, by name."""
    kept = json.loads(RECORDED.read_text())
    return {
        name: [(side, bytes.fromhex(data)) for side, data in sent] for name, sent in kept.items()
    }


if __name__ == "__main__":
    made = {one.name: [(side, data.hex()) for side, data in record(one)] for one in EXCHANGES}
    RECORDED.write_text(json.dumps(made, indent=1) + "\n")
