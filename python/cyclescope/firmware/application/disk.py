"""A program's disk: made before its run and read after it, by the same littlefs on this machine."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from cyclescope.errors import CyclescopeError


@dataclass(frozen=True)
class Disk:
    """The disk of an image: its program for this machine, and its size."""

    tool: Path
    size_bytes: int

    def made(self, files: Mapping[str, bytes]) -> bytes:
        """A disk with these files, by the path that the program opens. Refuses too many bytes."""
        with TemporaryDirectory() as folder:
            image, pairs = Path(folder) / "disk", []
            for number, (name, content) in enumerate(files.items()):
                file = Path(folder) / str(number)
                file.write_bytes(content)
                pairs += [str(file), name]
            self._run("make", str(image), *pairs)
            return image.read_bytes()

    def files(self, content: bytes) -> dict[str, bytes]:
        """Every file on a disk, by its path."""
        with TemporaryDirectory() as folder:
            image, found = Path(folder) / "disk", Path(folder) / "files"
            image.write_bytes(content)
            found.mkdir()
            self._run("read", str(image), str(found))
            return {
                str(one.relative_to(found)): one.read_bytes()
                for one in sorted(found.rglob("*"))
                if one.is_file()
            }

    def _run(self, *arguments: str) -> None:
        done = subprocess.run([self.tool, *arguments], capture_output=True, text=True)
        if done.returncode:
            raise CyclescopeError(
                f"the disk of {self.size_bytes} bytes cannot be used: {done.stderr.strip()}; "
                "choose a larger disk, or smaller files",
                code="disk-unusable",
            )
