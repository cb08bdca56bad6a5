"""The finished build of `make linux`, or the refusal that asks for it."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.linux.keys import KEY, OWN_PROGRAMS, part_keys

ROOT = Path(__file__).resolve().parents[4]
SOURCES = ROOT / "linux"
RAM, RAM_END = 0x0100_0000, 0x0140_0000
"""The RAM in which Linux runs."""
MODELS = ("none", "voluntary", "full")
"""Models of preemption, each with a kernel of its own. The last two are of real-time figures."""
_REALTIME = ("posix", "realtime")
KERNELS = {
    "none": ("none",),
    "voluntary": ("voluntary", *_REALTIME),
    "full": ("full", *_REALTIME),
    "posix": ("none", "posix"),
    "realtime": ("none", *_REALTIME),
}
"""All kernels, each with the files of linux/config that it adds to kernel.config: a model of
preemption, then `posix` for more system calls, then `realtime` for real-time figures."""
STRUCTURES = {
    "linux_binprm": ("file",),
    "file": ("f_path",),
    "path": ("dentry",),
    "dentry": ("d_parent", "d_name"),
    "qstr": ("name",),
    "task_struct": ("mm",),
    "mm_struct": ("start_code", "end_code"),
    "module": ("name", "init", "core_layout", "init_layout"),
    "module_layout": ("base", "text_size"),
}
"""Structures of the kernel, and their fields that the lab reads."""
PROGRAMS = (*OWN_PROGRAMS, "gkermit", "busybox")
CYCLICTEST = "cyclictest"
"""A program of Debian's rt-tests, which `make cyclictest` builds on its own."""
PARTS = ("apt", "headers", "libc", "boot", *(f"programs/{name}" for name in PROGRAMS))


@dataclass(frozen=True)
class Kernel:
    """A kernel: its folder has `vmlinux` with symbols, `Image`, `config` and modules."""

    folder: Path
    symbols: Path
    """The folder of what was read from `vmlinux`."""

    @property
    def vmlinux(self) -> Path:
        """The ELF file with symbols and debugging information."""
        return self.folder / "vmlinux"

    @cached_property
    def image(self) -> bytes:
        """The bytes that run."""
        return (self.folder / "Image").read_bytes()

    @cached_property
    def end(self) -> int:
        """The first address behind the kernel's data."""
        from elftools.elf.elffile import ELFFile  # options of a run need names of this file alone

        with self.vmlinux.open("rb") as file:
            segments = [one.header for one in ELFFile(file).iter_segments("PT_LOAD")]
        # Beyond the RAM are the vectors, which the kernel copies to their place itself.
        in_ram = (one for one in segments if RAM <= one["p_vaddr"] < RAM_END)
        return max(int(one["p_vaddr"]) + int(one["p_memsz"]) for one in in_ram)

    @cached_property
    def functions(self) -> list[tuple[str, str | None, int, int]]:
        """Name, source file, first address and the first behind it of each function."""
        read = self._read("functions.json")
        return [(name, file, start, end) for name, file, start, end in read]

    @cached_property
    def structures(self) -> dict[str, dict[str, int]]:
        """Where the fields of STRUCTURES begin, in bytes."""
        read: dict[str, dict[str, int]] = self._read("structures.json")
        return read

    def _read(self, name: str) -> Any:
        return json.loads((self.symbols / name).read_text())

    def module(self, name: str) -> Path:
        """The file of a module."""
        path = self.folder / f"{name}.ko"
        if not path.is_file():
            known = ", ".join(sorted(one.stem for one in self.folder.glob("*.ko")))
            raise CyclescopeError(
                f"the kernel has no module {name}: choose one of: {known}",
                code="linux-module-unknown",
            )
        return path


@dataclass(frozen=True)
class LinuxBuild:
    """A finished build, made from the folder `sources`."""

    folder: Path
    sources: Path = SOURCES

    @cached_property
    def versions(self) -> dict[str, Any]:
        """Compiler, versions and hashes of packages, and seconds of each part of the build."""
        found: dict[str, Any] = json.loads((self.folder / "versions.json").read_text())
        return found

    def kernel(self, preemption: str = "none") -> Kernel:
        """One of the kernels, by its name."""
        if preemption not in KERNELS:
            raise CyclescopeError(
                f"there is no kernel with preemption {preemption}: choose one of: "
                f"{', '.join(KERNELS)}",
                code="linux-preemption-unknown",
            )
        parts = f"kernels/{preemption}", f"symbols/{preemption}"
        self.require(*parts)
        return Kernel(*(self.folder / part for part in parts))

    def require(self, *parts: str) -> None:
        """Raises CyclescopeError unless the parts are there and made from these sources."""
        places = [self.folder / part / KEY for part in parts]
        if not all(place.is_file() for place in (*places, self.folder / "versions.json")):
            raise CyclescopeError(
                "Linux is not built: run make linux, then this again", code="linux-not-built"
            )
        if old := [part for part in parts if not self._is_of_sources(part)]:
            raise CyclescopeError(
                f"Linux was built from other sources ({', '.join(old)}): run make linux, then "
                "this again",
                code="linux-built-from-other-sources",
            )

    def _is_of_sources(self, part: str) -> bool:
        place, compiler = self.folder / part / KEY, self.versions.get("compiler", "")
        wanted = part_keys(self.sources, compiler, KERNELS, STRUCTURES)[part]
        return place.is_file() and place.read_text() == wanted

    @property
    def cyclictest(self) -> Path:
        """cyclictest for the board; its folder has `origin.json`. Raises CyclescopeError unless it
        is built, from these sources."""
        part = f"programs/{CYCLICTEST}"
        if not self._is_of_sources(part):
            raise CyclescopeError(
                "cyclictest is not built, or from other sources: run make cyclictest, then this "
                "again",
                code="cyclictest-not-built",
            )
        return self.folder / part / CYCLICTEST

    def program(self, name: str) -> Path:
        """A program of the board, with symbols: one of PROGRAMS."""
        return self.folder / "programs" / name / name

    @property
    def host_gkermit(self) -> Path:
        """Debian's gkermit for this machine."""
        return self.folder / "programs" / "gkermit" / "gkermit-host"

    @property
    def compiler(self) -> Path:
        """Compiles and links programs for the board."""
        return self.folder / "libc" / "cc"

    @property
    def dtc(self) -> Path:
        """The compiler of device trees."""
        return self.folder / "headers" / "dtc"

    @property
    def stub(self) -> Path:
        """The stub in ROM."""
        return self.folder / "boot" / "boot.elf"


def built(folder: Path = ROOT / "build" / "linux", sources: Path = SOURCES) -> LinuxBuild:
    """Returns the build in a folder; refuses if a part is missing, or was made from other sources.
    Of kernels one has to be there; the others are refused when they are asked for."""
    if not sources.is_dir():
        raise CyclescopeError(
            f"{sources.parent} has no sources of Linux: run this in a checkout of Cyclescope, "
            "after make linux",
            code="linux-needs-checkout",
        )
    found = LinuxBuild(folder, sources)
    found.require(*PARTS, f"kernels/{MODELS[0]}", f"symbols/{MODELS[0]}")
    return found


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
