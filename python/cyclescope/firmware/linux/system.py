"""A system to boot: stub, kernel, device tree and root archive, each at its place."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.linux import archive, device_tree
from cyclescope.firmware.linux.built import RAM, RAM_END, Kernel, LinuxBuild, built
from cyclescope.firmware.linux.stub import stub

KERNEL = RAM + 0x8000
PAGE = 4096
ROM_DATA, ROM_END = 0x0040_1000, 0x0080_0000
"""The part of the ROM behind the stub."""
ARGUMENTS = "console=ttyS0,115200 quiet"
APPLETS = (
    *("[", "cat", "cksum", "cmp", "cp", "dd", "dmesg", "echo", "free", "insmod", "kill", "ls"),
    *("lsmod", "md5sum", "mount", "ps", "rm", "rmmod", "sh", "sha256sum", "sleep"),
    *("stty", "test", "uname", "wc"),
)
"""Names of busybox in /bin."""


class Board(Protocol):
    """A board into which bytes are loaded."""

    def load_bytes(self, address: int, data: bytes) -> None:
        """Loads bytes, which survive a reset."""

    def reset(self, entry: int | None = None) -> None:
        """Power-on."""


@dataclass(frozen=True)
class System:
    """A composed system. `programs` and `modules` name the files with symbols: by path in the root
    file system, and by name. `settings` says how it was composed, for results."""

    built: LinuxBuild
    kernel: Kernel
    loads: tuple[tuple[int, bytes], ...]
    programs: Mapping[str, Path]
    modules: Mapping[str, Path]
    enter_kernel: int
    """Address of the stub's jump to the kernel."""
    settings: Mapping[str, Any] = field(default_factory=dict)

    def load(self, board: Board) -> None:
        """Loads it into a board and switches the board on."""
        for address, data in self.loads:
            board.load_bytes(address, data)
        board.reset(0)


def compose(
    built_linux: LinuxBuild | None = None,
    *,
    preemption: str = "none",
    pdc: Collection[str] = (),
    arguments: str = ARGUMENTS,
    programs: Mapping[str, Path] | None = None,
    files: Mapping[str, bytes] | None = None,
    modules: Collection[str] = (),
    script: str | None = None,
    tree: str = "",
    rom_waits: int = 0,
    ram_waits: int = 0,
    folders: Collection[str] = (),
    alone: bool = False,
    rom_data: bytes = b"",
) -> System:
    """Composes a system from what `make linux` has made.

    `programs` are ELF files by path in the root file system: /init there replaces ours. `files` are
    contents by path. The first process loads `modules` and runs `script` before the shell. `pdc`
    and `tree` are as `device_tree.source` has them. `folders` are added, empty. A system that is
    `alone` has none of our programs, so `programs` has /init. `rom_data` lies in ROM at ROM_DATA,
    outside Linux's memory.
    """
    if len(rom_data) > ROM_END - ROM_DATA:
        raise CyclescopeError(
            f"the ROM has {ROM_END - ROM_DATA:,} bytes beside the stub, too few for "
            f"{len(rom_data):,}: choose a smaller --size",
            code="linux-rom-too-small",
        )
    found = built_linux or built()
    kernel = found.kernel(preemption)
    own = {"/init": found.program("init"), "/bin/busybox": found.program("busybox"),
           "/bin/gkermit": found.program("gkermit")}  # fmt: skip
    elves = ({} if alone else own) | dict(programs or {})
    kos = {name: kernel.module(name) for name in modules}
    entries = {"/dev/console": archive.device(5, 1), "/proc": archive.folder(),
               "/tmp": archive.folder()}  # fmt: skip
    entries |= {path: archive.program(_read(elf)) for path, elf in elves.items()}
    entries |= {path: archive.folder() for path in folders}
    if not alone:
        entries |= {f"/bin/{name}": archive.link("busybox") for name in APPLETS}
    entries |= {f"/lib/modules/{name}.ko": archive.file(_read(ko)) for name, ko in kos.items()}
    if kos:
        listed = "".join(f"/lib/modules/{name}.ko\n" for name in kos)
        entries["/etc/modules"] = archive.file(listed.encode())
    if script is not None:
        entries["/etc/rc"] = archive.file(script.encode())
    entries |= {path: archive.file(data) for path, data in (files or {}).items()}
    root = archive.archive(entries)
    at = (RAM_END - len(root)) // PAGE * PAGE
    text = device_tree.source(arguments, (at, at + len(root)), pdc, tree)
    blob = device_tree.compiled(found.dtc, text)
    tree_at = (at - len(blob)) // PAGE * PAGE
    if tree_at < kernel.end:
        raise CyclescopeError(
            f"a root archive of {len(root):,} bytes does not fit behind the kernel: leave files "
            "out",
            code="linux-root-too-large",
        )
    entry = stub(found.stub.read_bytes(), rom_waits, ram_waits, tree_at, KERNEL)
    loads = [(entry.address, entry.data), (KERNEL, kernel.image), (tree_at, blob), (at, root)]
    digests = {
        "kernel": hashlib.sha256(kernel.image).hexdigest(),
        "device_tree": hashlib.sha256(blob).hexdigest(),
        "root": hashlib.sha256(root).hexdigest(),
    }
    if rom_data:
        loads.append((ROM_DATA, rom_data))
        digests["rom_data"] = hashlib.sha256(rom_data).hexdigest()
    settings = {
        "preemption": preemption,
        "pdc": sorted(set(pdc)),
        "arguments": arguments,
        "rom_waits": rom_waits,
        "ram_waits": ram_waits,
        "modules": sorted(kos),
        "packages": found.versions["packages"],
        "compiler": found.versions["compiler"],
        "sha256": digests,
    }
    return System(found, kernel, tuple(loads), elves, kos, entry.enter_kernel, settings)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CyclescopeError(
            f"{path} cannot be put into the root file system: {error.strerror}; name a file that "
            "can be read",
            code="linux-file-unreadable",
        ) from error
