"""The peer of a transfer: Debian's G-Kermit on the host, which waits for no clock of its own."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from cyclescope.firmware.linux import built
from cyclescope.studies.peripheral.choices import Direction
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.targets.virtual.lines.instant_program import InstantProgram

FILE = "file.bin"
"""The name under which the file goes over the line."""
TO_PIPES = ("-X", "-q", "-i", "-w", "-b", "0")
"""An external protocol on standard input and output, quiet, binary, over an old file; and without
time-outs: they would be of the host's clock. Those of the board's side suffice."""


@dataclass(frozen=True)
class HostKermit:
    """The program on the host, and the SHA-256 of it."""

    path: Path
    sha256: str

    def start(self, setting: TransferSetting, folder: Path) -> InstantProgram:
        """Starts one side of a transfer in a folder, which has or gets the file."""
        options = ["-e", f"{setting.packet}", *(() if setting.streaming else ("-S",))]
        if setting.direction is Direction.DOWNLOAD:
            (folder / FILE).write_bytes(setting.file())
            action = ["-s", FILE]
        else:
            action = ["-r"]
        return InstantProgram([str(self.path), *TO_PIPES, *options, *action], folder)


def find() -> HostKermit:
    """Debian's G-Kermit for this machine, which `make linux` has fetched. Raises CyclescopeError if
    Linux is not built."""
    path = built().host_gkermit
    return HostKermit(path, sha256(path))


def sha256(program: Path) -> str:
    """Of a program's file."""
    return hashlib.sha256(program.read_bytes()).hexdigest()
