"""The bytes of a transfer on the wire between board and peer, with the cycle of each one's end."""

import hashlib
import io
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cyclescope.results.whole_files import ResultsError, write_whole
from cyclescope.studies.peripheral.kermit.origins import SideBytes

NAMES = ("cycles", "to_board", "values", "flipped")


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
        digest = hashlib.sha256()
        for name in NAMES:
            digest.update(getattr(self, name).tobytes())
        return digest.hexdigest()

    def save(self, path: Path) -> None:
        """Writes them to a file, whole or not at all."""
        packed = io.BytesIO()
        np.savez_compressed(packed, **{name: getattr(self, name) for name in NAMES})
        write_whole(path, packed.getvalue())


def load(path: Path, sha256: str) -> WireBytes:
    """Reads what `save` wrote. Raises ResultsError if the file is damaged or gone."""
    try:
        with np.load(path, allow_pickle=False) as found:
            wire = WireBytes(*(found[name] for name in NAMES))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        wire = None
    if wire is None or wire.sha256 != sha256:
        raise ResultsError(f"{path} is damaged or gone: measure again", code="wire-cannot-be-read")
    return wire
