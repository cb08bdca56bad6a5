"""The archive of a root file system: cpio in the format "newc", which Linux unpacks at boot."""

import stat
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cyclescope.errors import CyclescopeError

MAGIC = "070701"
END = "TRAILER!!!"
WORD = 4


@dataclass(frozen=True)
class RootEntry:
    """A file, folder, link or device; `data` is a file's content, or a link's goal."""

    mode: int
    data: bytes = b""
    device: tuple[int, int] = (0, 0)


def folder() -> RootEntry:
    """A folder."""
    return RootEntry(stat.S_IFDIR | 0o755)


def file(data: bytes, mode: int = 0o644) -> RootEntry:
    """A file."""
    return RootEntry(stat.S_IFREG | mode, data)


def program(elf: bytes) -> RootEntry:
    """A program, without what only debuggers read."""
    return file(loaded(elf), 0o755)


def link(goal: str) -> RootEntry:
    """A symbolic link."""
    return RootEntry(stat.S_IFLNK | 0o777, goal.encode())


def device(major: int, minor: int) -> RootEntry:
    """A character device."""
    return RootEntry(stat.S_IFCHR | 0o600, device=(major, minor))


def archive(entries: Mapping[str, RootEntry]) -> bytes:
    """Returns the archive of these entries, by absolute path; adds folders that they need."""
    whole: dict[str, RootEntry] = {}
    for path, entry in entries.items():
        parts = _parts(path)
        for depth in range(1, len(parts)):
            whole.setdefault("/".join(parts[:depth]), folder())
        whole["/".join(parts)] = entry
    records = [_record(number + 1, name, one) for number, (name, one) in enumerate(whole.items())]
    return b"".join([*records, _record(0, END, RootEntry(0))])


def loaded(elf: bytes) -> bytes:
    """Returns a 32-bit ELF file with its segments alone: without symbols and sections."""
    if elf[:5] != b"\x7fELF\x01" or len(elf) < 52:
        raise CyclescopeError(
            "a program of the root file system is not a 32-bit ELF file: build it with the cc of "
            "build/linux/libc",
            code="linux-program-not-elf",
        )
    order = "<" if elf[5] == 1 else ">"
    (headers,) = struct.unpack_from(f"{order}I", elf, 28)
    size, count = struct.unpack_from(f"{order}HH", elf, 42)
    end = headers + size * count
    for number in range(count):
        at = headers + size * number
        (offset,) = struct.unpack_from(f"{order}I", elf, at + 4)
        (length,) = struct.unpack_from(f"{order}I", elf, at + 16)
        end = max(end, offset + length)
    kept = bytearray(elf[:end])
    struct.pack_into(f"{order}I", kept, 32, 0)
    struct.pack_into(f"{order}HHH", kept, 46, 0, 0, 0)
    return bytes(kept)


def _parts(path: str) -> Sequence[str]:
    parts = [part for part in path.split("/") if part]
    if not path.startswith("/") or not parts or not {".", ".."}.isdisjoint(parts):
        raise CyclescopeError(
            f"{path!r} is no place in the root file system: write it as /FOLDER/FILE",
            code="linux-path-unclear",
        )
    return parts


def _record(number: int, name: str, entry: RootEntry) -> bytes:
    links = 2 if stat.S_ISDIR(entry.mode) else 1
    encoded = name.encode() + b"\0"
    fields = (
        *(number, entry.mode, 0, 0, links, 0, len(entry.data), 0, 0),
        *(*entry.device, len(encoded), 0),
    )
    head = (MAGIC + "".join(f"{field:08X}" for field in fields)).encode()
    return _padded(head + encoded) + _padded(entry.data)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % WORD)
