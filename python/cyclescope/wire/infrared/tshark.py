"""tshark's word on packets of an infrared line: its fields beside ours (`make tshark`)."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.wire.infrared.expected import FIELDS, TTP_FIELDS, Fields, expected
from cyclescope.wire.infrared.irlmp import CONNECT, TINYTP_ATTRIBUTE
from cyclescope.wire.infrared.line import LineFrame
from cyclescope.wire.infrared.packets import InfraredPacket
from cyclescope.wire.infrared.pcap import write_pcap

TSHARK = Path(__file__).resolve().parents[4] / "build" / "tshark"
"""Where `make tshark` puts it."""
FAULTS = ("_ws.malformed", "_ws.expert.severity", "iap.invaloctet", "iap.invallsap")
"""Fields that only frames with an error have."""
IRCOMM = b"IrDA:IrCOMM"
"""The only class whose TinyTP tshark dissects."""
AGGREGATOR = "\x1f"


@dataclass(frozen=True)
class TsharkFindings:
    """tshark's findings on a line; `differences` and `malformed` are empty if all agree."""

    frames: int
    fields: int
    malformed: tuple[str, ...]
    differences: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """True if every frame is whole and every field equal."""
        return not self.malformed and not self.differences


def installed() -> bool:
    """True if `make tshark` was run."""
    return (TSHARK / "usr" / "bin" / "tshark").is_file()


def run_tshark(*arguments: str) -> str:
    """Runs tshark with these arguments; returns its output."""
    if not installed():
        raise CyclescopeError(
            "tshark is not fetched: run make tshark, then this again", code="tshark-not-fetched"
        )
    libraries = sorted({str(one.parent) for one in (TSHARK / "usr" / "lib").rglob("lib*.so*")})
    plugins = next((TSHARK / "usr" / "lib").rglob("wireshark/plugins"))
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "LD_LIBRARY_PATH": ":".join(libraries),
        "WIRESHARK_PLUGIN_DIR": str(plugins),
        "HOME": str(TSHARK),
        "LC_ALL": "C.UTF-8",
    }
    # As root tshark takes no other folder of plugins; in a user namespace it is not root.
    user = ["unshare", "--user"] if os.geteuid() == 0 else []
    command = [*user, str(TSHARK / "usr" / "bin" / "tshark"), *arguments]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True)
    if ended.returncode:
        last = ended.stderr.strip().splitlines()[-1:]
        raise CyclescopeError(
            f"tshark failed ({''.join(last)}): remove build/tshark and run make tshark again",
            code="tshark-failed",
        )
    return ended.stdout


def judge(packets: Sequence[InfraredPacket], folder: Path) -> TsharkFindings:
    """Compares tshark's fields of all undamaged frames with ours; writes captures into `folder`.

    tshark dissects TinyTP of IrCOMM alone. So a second capture has IrCOMM's name in place of the
    class that was asked for, and TinyTP's fields are those of that capture. Of several
    connections to one LSAP tshark dissects TinyTP of the first alone; so of the others no field of
    TinyTP is compared.
    """
    sound = [one for one in packets if one.frame.content is not None]
    frames, expected_fields = [one.frame for one in sound], [expected(one) for one in sound]
    malformed = [f"frame {at + 1}: {one.fault}" for at, one in enumerate(sound) if one.fault]
    write_pcap(folder / "line.pcap", frames)
    rows = list(_rows(folder / "line.pcap", (*FAULTS, *FIELDS)))
    for at, row in enumerate(rows):
        malformed += [f"frame {at + 1}: {name} of tshark" for name in FAULTS if name in row]
    write_pcap(folder / "ircomm.pcap", [_as_ircomm(one) for one in sound])
    transport = list(_rows(folder / "ircomm.pcap", TTP_FIELDS))
    differences = list(_differences(FIELDS, expected_fields, rows))
    known = zip(_dissected(sound), expected_fields, strict=True)
    expected_transport = [fields if is_known else {} for is_known, fields in known]
    differences += _differences(TTP_FIELDS, expected_transport, transport)
    return TsharkFindings(
        len(rows), sum(map(len, expected_fields)), tuple(malformed), tuple(differences)
    )


def _as_ircomm(packet: InfraredPacket) -> LineFrame:
    query, frame = packet.query, packet.frame
    if query is None or query.attribute != TINYTP_ATTRIBUTE or frame.content is None:
        return frame
    asked, instead = (bytes((len(one),)) + one for one in (query.class_name, IRCOMM))
    return replace(frame, content=frame.content.replace(asked, instead, 1))


def _dissected(packets: Sequence[InfraredPacket]) -> Iterator[bool]:
    """True for packets whose TinyTP tshark dissects: of the first connection to their LSAP."""
    first: dict[int, int] = {}
    for one in packets:
        if one.lmp and one.ttp and one.lmp.opcode == CONNECT:
            first.setdefault(one.lmp.destination, one.lmp.source)
        ends = (one.lmp.destination, one.lmp.source) if one.lmp else (0, 0)
        yield ends in first.items() or ends[::-1] in first.items()


def _rows(path: Path, names: Sequence[str]) -> Iterator[dict[str, list[str]]]:
    """The fields of each frame that have a value."""
    asked = [part for name in names for part in ("-e", name)]
    text = run_tshark("-r", str(path), "-T", "fields", "-E", f"aggregator={AGGREGATOR}", *asked)
    for line in text.splitlines():
        values = zip(names, line.split("\t"), strict=True)
        yield {name: value.split(AGGREGATOR) for name, value in values if value}


def _differences(
    names: Sequence[str], ours: Sequence[Fields], theirs: Sequence[dict[str, list[str]]]
) -> Iterator[str]:
    if len(ours) != len(theirs):
        yield f"{len(ours)} frames of ours, {len(theirs)} of tshark"
    for at, (own, other) in enumerate(zip(ours, theirs, strict=False)):
        for name in names:
            values = [_value(one) for one in other.get(name, [])]
            wanted = [_value(one) for one in own.get(name, [])]
            if values != wanted:
                yield f"frame {at + 1}: {name}: {wanted} of ours, {values} of tshark"


def _value(text: str | int) -> str | int:
    """Numbers and truth values as numbers, all else as it is."""
    if isinstance(text, int):
        return int(text)
    if text in ("True", "False"):
        return int(text == "True")
    try:
        return int(text, 0)
    except ValueError:
        return text
