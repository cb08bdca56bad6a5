"""Judges of the benchmark's programs that process sound, pictures and codes."""

import sys
import warnings
from collections.abc import Callable
from random import Random

import numpy as np

Files = dict[str, bytes]
Judge = Callable[[Files, Files, str], object]
"""Gets inputs, files after the run and the console; gives two things that have to be equal."""


def numbers(data: bytes) -> list[list[int]]:
    """The integers of each line."""
    return [[int(one) for one in line.split()] for line in data.decode().splitlines()]


def adpcm(inputs: Files, files: Files, console: str) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import audioop
    codes = audioop.lin2adpcm(inputs["speech.pcm"], 2, None)[0]
    return files["speech.adpcm"], bytes(one >> 4 | one << 4 & 0xF0 for one in codes)


def adpcm_back(inputs: Files, files: Files, console: str) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import audioop
    codes = bytes(one >> 4 | one << 4 & 0xF0 for one in inputs["speech.adpcm"])
    return files["again.pcm"], audioop.adpcm2lin(codes, 2, None)[0]


def fft(inputs: Files, files: Files, console: str) -> object:
    frames = np.frombuffer(inputs["speech.pcm"], "<i2").reshape(-1, 256)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(256) / 256)
    power = np.abs(np.fft.fft(frames * window)[:, :128]) ** 2
    wanted = 10 * np.log10(1 + power.reshape(len(frames), 16, 8).sum(axis=2))
    off = np.array(numbers(files["spectrum.txt"])) - np.floor(wanted)
    return bool(np.all(np.abs(off) <= 1)) and bool(np.mean(off == 0) > 0.99), True


def viterbi(inputs: Files, files: Files, console: str) -> object:
    """The decoded frames, coded again, differ from what was received in few places."""
    hard = [one >= 128 for one in inputs["soft.bin"]]
    bits = np.unpackbits(np.frombuffer(files["bytes.bin"], np.uint8)).reshape(-1, 192)
    sent, register = [], 0
    for frame in bits:
        for bit in [*frame, *[0] * 6]:
            register = (register | int(bit) << 6) & 0x7F
            sent += [(register & one).bit_count() & 1 for one in (0o171, 0o133)]
            register >>= 1
    wrong = sum(one != two for one, two in zip(sent, hard, strict=True))
    return 0 < wrong < len(sent) * 0.04, True


def picture(kind: str, width: int, name: str, colours: bool) -> np.ndarray:
    """The picture that an input was made from."""
    pictures, seed = sys.modules["pictures"], sys.modules["inputs"].SEED
    make = pictures.colour if colours else pictures.grey
    return make(width, width * 3 // 4, Random(f"{seed}/{kind}/{width}/{name}"))


def tiff(inputs: Files, files: Files, console: str) -> object:
    wanted = picture("tiff-colour", 128, "colour.tif", True) // 48 * 48
    body = files["rgba.tif"][8 : 8 + 4 * 128 * 96]
    pixels = np.frombuffer(body, np.uint8).reshape(96, 128, 4)
    return (pixels[..., :3].tobytes(), set(pixels[..., 3].flat)), (wanted.tobytes(), {255})


def dithered(inputs: Files, files: Files, console: str) -> object:
    """Each square of 20 pixels is about as bright as it was."""
    grey = picture("tiff-grey", 240, "grey.tif", False)
    packed, row = files["dithered.tif"], bytearray()
    at = 8
    while len(row) < 30 * 180:
        code = packed[at] if packed[at] < 128 else packed[at] - 256
        row += packed[at + 1 : at + 2] * (1 - code) if code < 0 else packed[at + 1 : at + 2 + code]
        at += 2 if code < 0 else 2 + code
    black = np.unpackbits(np.frombuffer(bytes(row), np.uint8)).reshape(180, 240) * 255.0
    squares = [one.reshape(9, 20, 12, 20).mean(axis=(1, 3)) for one in (black, grey.astype(float))]
    return bool(np.abs(squares[0] - squares[1]).max() < 12), True


def jpeg(inputs: Files, files: Files, console: str) -> object:
    """The picture comes back with less than 1 % of the mean square."""
    again = sys.modules["benchmark"].host_run("jpeg-decompress").files["again.ppm"]
    found, wanted = (
        np.frombuffer(one.split(b"\n", 3)[3], np.uint8).astype(float)
        for one in (again, inputs["scene.ppm"])
    )
    error = np.mean((found - wanted) ** 2) / np.mean(wanted**2)
    return (len(files["scene.jpg"]) < len(inputs["scene.ppm"]) // 4, error < 0.01), (True, True)


def filtered(inputs: Files, files: Files, console: str) -> object:
    half = np.array([120, 364, 787, 1395, 2127, 2865, 3477, 5249])
    samples = np.frombuffer(inputs["speech.pcm"], "<i2").astype(np.int64)
    sums = np.convolve(samples, np.concatenate([half, half[::-1]]))[: len(samples)]
    return files["filtered.pcm"], ((sums + (1 << 14)) >> 15).astype("<i2").tobytes()
