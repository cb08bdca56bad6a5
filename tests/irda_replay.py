"""One whole IrDA station of this machine that hears frames of a script; for tests by octets."""

import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from irda_session import host

OFFERS = "3e 01 3f 7f 80 80 ff"
"""All speeds, 500 ms, all sizes and windows, no extra BOFs, no turnaround, all disconnect times."""


@dataclass(frozen=True)
class Replay:
    """Frames that the station sent, and its events: name and values."""

    sent: list[bytes]
    events: list[tuple[str, ...]]

    def named(self, event: str) -> list[list[str]]:
        """Values of each such event."""
        return [values for name, *values in self.events if name == event]


def replay(folder: Path, lines: Iterable[str]) -> Replay:
    """Runs a script (firmware/irda/ports/host/replay_host.c); raises if the station fails."""
    script = folder / "script"
    script.write_text("\n".join(lines) + "\n")
    done = subprocess.run([host("replay_host"), script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    events = [tuple(line.split()[1:]) for line in done.stdout.splitlines()]
    sent = [bytes.fromhex(values[1]) for values in events if values[0] == "sent"]
    return Replay(sent, [one for one in events if one[0] != "sent"])


def heard(*contents: bytes | str) -> list[str]:
    """Commands for frames, in order: address, control, information."""
    texts = (one if isinstance(one, str) else one.hex() for one in contents)
    return ["frame " + one.replace(" ", "") for one in texts]
