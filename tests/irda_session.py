"""Shared by tests of the IrDA stack: stations on a simulated medium, and frames read from its log.

The reader of frames shares no code with the stack: it is written from the format.
"""

import fcntl
import functools
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
HOST = ROOT / "firmware" / "irda" / "ports" / "host"
BUILT = ROOT / "build" / "irda-checked"

EVERYTHING = {
    "speeds": 0x3E,
    "max_turnaround": 0x01,
    "sizes": 0x3F,
    "windows": 0x7F,
    "bofs": 0x04,
    "min_turnaround": 0x04,
    "disconnect": 0xFF,
}
"""A station's offers unless a test says otherwise: bits, as in the negotiation."""

XID_COMMAND, XID_RESPONSE, SNRM, UA, DISC, DM, FRMR = 0x3F, 0xBF, 0x93, 0x73, 0x53, 0x1F, 0x97


def fcs(octets: Iterable[int]) -> int:
    """CRC-16/X.25, bit by bit."""
    register = 0xFFFF
    for octet in octets:
        for bit in range(8):
            feedback = (register ^ octet >> bit) & 1
            register = register >> 1 ^ (0x8408 if feedback else 0)
    return register ^ 0xFFFF


def framed(content: bytes, extra_bofs: int = 10) -> bytes:
    """The octets on the line of a frame: address, control, information."""
    octets = bytearray(b"\xff" * extra_bofs + b"\xc0")
    for octet in content + fcs(content).to_bytes(2, "little"):
        octets += bytes((0x7D, octet ^ 0x20)) if octet in (0xC0, 0xC1, 0x7D) else bytes((octet,))
    return bytes(octets + b"\xc1")


@dataclass(frozen=True)
class Frame:
    """A frame that a station sent: when its BOF began, and whether it arrived everywhere whole."""

    us: int
    station: int
    content: bytes
    whole: bool

    @property
    def control(self) -> int:
        return self.content[1]

    @property
    def info(self) -> bytes:
        return self.content[2:]


@dataclass
class Session:
    """Reports of the stations of a scenario."""

    events: list[tuple[int, int, str, list[str]]] = field(default_factory=list)
    counters: list[dict[str, int]] = field(default_factory=list)
    octets: list[tuple[int, int, int, bool]] = field(default_factory=list)

    def named(self, event: str, station: int | None = None) -> list[list[str]]:
        """Values of each such event, of one station or of all."""
        return [
            values
            for _, number, name, values in self.events
            if name == event and station in (None, number)
        ]

    def frames(self, station: int | None = None) -> list[Frame]:
        """Every frame sent, by the time of its BOF; raises if its FCS is not right as sent."""
        found = []
        for number in sorted({one[1] for one in self.octets}):
            if station in (None, number):
                found += list(self._frames_of(number))
        return sorted(found, key=lambda frame: frame.us)

    def _frames_of(self, station: int) -> Iterable[Frame]:
        begin, inside, escaped, whole = 0, False, False, True
        content = bytearray()
        for us, number, value, damaged in self.octets:
            if number != station:
                continue
            if value == 0xC0:
                assert not inside, "a BOF inside a frame"
                begin, inside, whole = us, True, True
                content.clear()
            elif value == 0xC1:
                assert inside and int.from_bytes(content[-2:], "little") == fcs(content[:-2])
                yield Frame(begin, station, bytes(content[:-2]), whole and not damaged)
                inside = False
            elif inside and value == 0x7D:
                escaped = True
            elif inside:
                content.append(value ^ 0x20 if escaped else value)
                escaped = False
            whole = whole and not damaged


@functools.cache
def host(program: str = "lap_host") -> Path:
    """Builds programs of the host, with checks of addresses and undefined behaviour."""
    BUILT.mkdir(parents=True, exist_ok=True)
    with (BUILT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(
            ["make", "-s", "-C", str(HOST), f"OUT={BUILT}", "SANITIZE=1"],
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, done.stderr
    return BUILT / program


def station(
    address: int = 0,
    info: str = "0400",
    accepts: int = 1,
    file: Path | str = "-",
    keeps: bool = False,
    **offers: int,
) -> str:
    """A scenario's line for a station. Address 0: it draws one. `accepts` 2: it does not decide.

    `keeps`: it keeps packets that come out of sequence.
    """
    bits = " ".join(f"{value:x}" for value in {**EVERYTHING, **offers}.values())
    return f"station {address:x} {bits} {info} {accepts} {file} {int(keeps)}"


def medium(
    seed: int = 1,
    error_rate: float = 0.0,
    latency_us: int = 0,
    echo: bool = True,
    chunk_octets: int = 0,
    chunk_wait_us: int = 0,
) -> str:
    """A scenario's line for the medium."""
    errors = round(error_rate * 1e9)
    return f"medium {seed} {errors} {latency_us} {int(echo)} {chunk_octets} {chunk_wait_us}"


def run(folder: Path, lines: Iterable[str]) -> Session:
    """Runs a scenario. Raises if the stations end with an error, as after a wrong access."""
    scenario, log = folder / "scenario", folder / "octets"
    scenario.write_text("\n".join(lines) + "\n")
    done = subprocess.run([host(), scenario, log], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    session = Session()
    for line in done.stdout.splitlines():
        us, number, event, *values = line.split()
        if event == "counters":
            pairs = dict(value.split("=") for value in values)
            address = int(pairs.pop("address"), 16)
            session.counters.append({"address": address} | {k: int(v) for k, v in pairs.items()})
        else:
            session.events.append((int(us), int(number), event, values))
    for line in log.read_text().splitlines():
        us, number, octet, damaged = line.split()
        session.octets.append((int(us), int(number), int(octet, 16), damaged == "1"))
    return session
