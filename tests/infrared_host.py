"""Whole IrDA stations on a simulated medium of this machine: built, run, and their line read."""

import fcntl
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from cyclescope.wire.infrared import InfraredPacket, LineFrame, SentOctet, frames, packets
from cyclescope.wire.infrared.tshark import installed, judge

HOST = Path(__file__).parents[1] / "firmware" / "irda" / "ports" / "host"
BUILD = HOST.parents[3] / "build" / "irda"
DONE, DIFFERS, REFUSED, NO_STATION, NO_SERVICE, NO_LINK, LINK_LOST, NO_ANSWER = range(8)
"""Results of a transfer (firmware/irda/send.h)."""


@cache
def program(name: str, sanitized: bool = False) -> Path:
    """Builds a program of the host port."""
    out = BUILD / "sanitized" if sanitized else BUILD
    out.mkdir(parents=True, exist_ok=True)
    with (out / f".{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = ["make", "-s", "-C", HOST, f"OUT={out}", f"SANITIZE={int(sanitized)}"]
        subprocess.run([*command, str(out / name)], check=True)
    return out / name


@dataclass(frozen=True)
class Run:
    """One run: events as (us, station, name, values), counters by station and name."""

    events: list[tuple[int, int, str, tuple[int, ...]]]
    counters: dict[int, dict[str, int]]
    log: Path

    @cached_property
    def frames(self) -> list[LineFrame]:
        """The frames of both stations as they were sent."""
        octets = []
        for row in self.log.read_text().splitlines():
            begin_us, station, value, _ = row.split()
            octets.append(SentOctet(int(begin_us) * 1000, int(station), int(value, 16)))
        return frames(octets)

    @cached_property
    def packets(self) -> list[InfraredPacket]:
        """The packets of the line."""
        return packets(self.frames)

    def kinds(self) -> set[str]:
        """The kinds of frames that were sent."""
        return {one.lap.kind for one in self.packets if one.lap}

    def values(self, name: str, station: int = 0) -> list[tuple[int, ...]]:
        """The values of a station's events of this name."""
        return [found for _, at, event, found in self.events if (at, event) == (station, name)]

    def octets(self) -> int:
        """The octets that were on the line."""
        return len(self.log.read_text().splitlines())


def run(
    name: str, folder: Path, *options: str, sanitized: bool = False, judged: bool = True
) -> Run:
    """Runs a program with these options; with tshark, every frame of the line is judged."""
    log = folder / "line.log"
    command = [program(name, sanitized), f"log={log}", *options]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr
    events, counters = [], defaultdict[int, dict[str, int]](dict)
    for line in ended.stdout.splitlines():
        words = line.split()
        if words[1].isdigit():
            events.append((int(words[0]), int(words[1]), words[2], tuple(map(int, words[3:]))))
        else:
            counters[int(words[0])][words[1]] = int(words[2])
    found = Run(events, dict(counters), log)
    if judged and installed():
        findings = judge(found.packets, folder)
        assert findings.agrees, (findings.malformed[:5], findings.differences[:5])
        assert findings.frames == len(found.frames) > 0
    return found


def transfer(folder: Path, content: bytes, *options: str) -> Run:
    """Sends a file from one station to the other, which has to become the same file."""
    (folder / "file.bin").write_bytes(content)
    into = folder / "received.bin"
    found = run("send_host", folder, f"file={folder / 'file.bin'}", f"into={into}", *options)
    assert [found.values("ended", station) for station in (0, 1)] == [[(DONE,)], [(DONE,)]]
    assert found.values("file.bin", 1) == [(len(content),)]
    assert into.read_bytes() == content
    return found
