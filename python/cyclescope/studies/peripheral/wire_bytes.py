"""The bytes of a transfer on the wire between board and peer, with the cycle of each one's end."""

import hashlib
import io
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from cyclescope.results.whole_files import ResultsError, write_whole
from cyclescope.studies.peripheral.kermit.origins import SideBytes

NAMES = ("cycles", "to_board", "values", "flipped")
HEARD = ("cycles", "values")


@dataclass(frozen=True)
class HeardCharacters:
    """Characters at a board's receiver, in the order in which they ended."""

    cycles: npt.NDArray[np.int64]
    values: npt.NDArray[np.uint16]

    @property
    def sha256(self) -> str:
        """Of all columns, in hexadecimal digits."""
        return _sha256(self, HEARD)

    def save(self, path: Path) -> None:
        """Writes them to a file, whole or not at all."""
        _save(self, HEARD, path)


@dataclass(frozen=True)
class WireBytes:
    """Characters in the order in which they ended.

    `values` are those at the board's own pins, `flipped` the bits that the line changed. So the
    peer received `values ^ flipped` from the board, and sent it to the board.
    """

    cycles: npt.NDArray[np.int64]
    to_board: npt.NDArray[np.bool_]
    values: npt.NDArray[np.uint16]
    flipped: npt.NDArray[np.uint16]

    def __len__(self) -> int:
        return len(self.cycles)

    def sent(self, to_board: bool) -> SideBytes:
        """The bytes that the peer, or the board, sent into the line."""
        chosen = self.to_board == to_board
        values = self.values[chosen] ^ (self.flipped[chosen] if to_board else 0)
        return SideBytes((values & 0xFF).astype(np.uint8).tobytes(), self.cycles[chosen].tolist())

    @property
    def sha256(self) -> str:
        """Of all columns, in hexadecimal digits."""
        return _sha256(self, NAMES)

    def save(self, path: Path) -> None:
        """Writes them to a file, whole or not at all."""
        _save(self, NAMES, path)

    @property
    def heard(self) -> HeardCharacters:
        """Characters to the board, on a line with a wire for each direction."""
        return HeardCharacters(self.cycles[self.to_board], self.values[self.to_board])


def load(path: Path, sha256: str) -> WireBytes:
    """Reads what `save` wrote. Raises ResultsError if the file is damaged or gone."""
    return _load(WireBytes, NAMES, path, sha256)


def load_heard(path: Path, sha256: str) -> HeardCharacters:
    """The same of characters that a board heard."""
    return _load(HeardCharacters, HEARD, path, sha256)


def _sha256(columns: object, names: Sequence[str]) -> str:
    digest = hashlib.sha256()
    for name in names:
        digest.update(getattr(columns, name).tobytes())
    return digest.hexdigest()


def _save(columns: object, names: Sequence[str], path: Path) -> None:
    packed = io.BytesIO()
    np.savez_compressed(packed, **{name: getattr(columns, name) for name in names})
    write_whole(path, packed.getvalue())


Columns = TypeVar("Columns", WireBytes, HeardCharacters)


def _load(made: type[Columns], names: Sequence[str], path: Path, sha256: str) -> Columns:
    try:
        with np.load(path, allow_pickle=False) as found:
            columns = made(*(found[name] for name in names))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        columns = None
    if columns is None or _sha256(columns, names) != sha256:
        raise ResultsError(f"{path} is damaged or gone: measure again", code="wire-cannot-be-read")
    return columns
