"""WAV files. SciPy reads them; the standard library writes 24 bits, which SciPy does not."""

import warnings
import wave
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.io import wavfile

from cyclescope.errors import CyclescopeError

LEAST_RATE_HZ = 44_100
CHANNELS = ("left", "right")


@dataclass(frozen=True)
class Sound:
    """One channel of a WAV file: samples as shares of full scale, and the card's nominal rate."""

    samples: NDArray[np.float64]
    rate_hz: int

    @property
    def length_s(self) -> float:
        """How long it is, by the card's clock."""
        return len(self.samples) / self.rate_hz


def read_wave(path: Path) -> dict[str, Sound]:
    """Reads a WAV file: PCM of 16, 24 or 32 bits, or floating point. Returns its channels.

    Raises CyclescopeError if there is no such file, or if its samples are of another kind or too
    slow.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", wavfile.WavFileWarning)
            rate_hz, data = wavfile.read(BytesIO(_whole_frames(path.read_bytes())))
    except OSError as error:
        raise CyclescopeError(
            f"{path} cannot be read: {error.strerror or error}", code="cannot-read"
        ) from None
    except Exception as error:  # SciPy raises what a damaged header leads it to
        raise CyclescopeError(
            f"{path} is no WAV file that can be read ({_first_line(error)}): record or convert it "
            "as WAV, PCM of 16, 24 or 32 bits or floating point",
            code="recording-is-no-wave",
        ) from None
    if data.dtype.kind == "u":
        raise CyclescopeError(
            f"{path} has samples of 8 bits, too coarse for an edge: record with 16 bits or more",
            code="recording-too-coarse",
        )
    if rate_hz < LEAST_RATE_HZ:
        raise CyclescopeError(
            f"{path} has {rate_hz} samples a second: record with {LEAST_RATE_HZ} or more, best "
            "192000",
            code="recording-too-slow",
        )
    scale = 1.0 if data.dtype.kind == "f" else 2.0 ** (8 * data.dtype.itemsize - 1)
    channels = np.atleast_2d(data.T).astype(np.float64) / scale
    if not np.isfinite(channels).all():
        raise CyclescopeError(
            f"{path} has samples that are no numbers: record it again",
            code="recording-holds-no-numbers",
        )
    return {
        name: Sound(samples, int(rate_hz))
        for name, samples in zip(CHANNELS, channels, strict=False)
    }


def _whole_frames(file: bytes) -> bytes:
    """The file without a last frame that is cut off, as a recorder leaves it that was stopped."""
    at, frame = len(b"RIFF____WAVE"), 1
    while at + 8 <= len(file):
        name, size = file[at : at + 4], int.from_bytes(file[at + 4 : at + 8], "little")
        at += 8
        if name == b"data":
            there = len(file) - at
            return file[: len(file) - there % frame] if there < size else file
        if name == b"fmt ":
            frame = int.from_bytes(file[at + 12 : at + 14], "little") or 1
        at += size + size % 2
    return file


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def write_wave(path: Path, channels: Sequence[NDArray[np.int32]], rate_hz: int) -> None:
    """Writes channels of 24 bits."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(len(channels))
        file.setsampwidth(3)
        file.setframerate(rate_hz)
        little_endian = np.column_stack(channels).astype("<i4").view(np.uint8).reshape(-1, 4)
        file.writeframes(little_endian[:, :3].tobytes())
