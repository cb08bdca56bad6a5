"""Pictures from a seed: shapes and texture, as PGM, PPM and TIFF files."""

import struct
from random import Random

import numpy as np


def grey(width: int, height: int, random: Random) -> np.ndarray:
    """Rectangles and discs of even grey on a gradient, with a little noise; bytes."""
    y, x = np.mgrid[0:height, 0:width]
    picture = 60 + 100 * x / width + 40 * y / height
    for _ in range(width * height // 500):
        cx, cy = random.randrange(width), random.randrange(height)
        half, level = random.randrange(3, 3 + min(width, height) // 5), random.randrange(256)
        if random.random() < 0.6:
            inside = (abs(x - cx) < half) & (abs(y - cy) < random.randrange(3, half + 3))
        else:
            inside = (x - cx) ** 2 + (y - cy) ** 2 < half**2
        picture[inside] = level
    noise = np.array([random.gauss(0, 3) for _ in range(width * height)]).reshape(height, width)
    return np.clip(np.rint(picture + noise), 0, 255).astype(np.uint8)


def colour(width: int, height: int, random: Random) -> np.ndarray:
    """Red, green and blue of such a picture."""
    return np.stack([grey(width, height, random) for _ in range(3)], axis=-1)


def pgm(width: int, random: Random) -> bytes:
    """A grey picture, three quarters as high as wide."""
    height = width * 3 // 4
    return b"P5\n%d %d\n255\n" % (width, height) + grey(width, height, random).tobytes()


def ppm(width: int, random: Random) -> bytes:
    """The same in colours."""
    height = width * 3 // 4
    return b"P6\n%d %d\n255\n" % (width, height) + colour(width, height, random).tobytes()


def tiff_grey(width: int, random: Random) -> bytes:
    """A grey TIFF in strips of eight rows."""
    return _tiff(grey(width, width * 3 // 4, random)[..., None], photometric=1, packed=False)


def tiff_colour(width: int, random: Random) -> bytes:
    """A TIFF of red, green and blue, packed."""
    coarse = colour(width, width * 3 // 4, random) // 48 * 48
    return _tiff(coarse, photometric=2, packed=True)


def tiff_palette(width: int, random: Random) -> bytes:
    """A TIFF of 256 indexed colours, packed."""
    indices = grey(width, width * 3 // 4, random)[..., None] // 32 * 32
    table = [random.randrange(65536) for _ in range(768)]
    return _tiff(indices, photometric=3, packed=True, table=table)


def _tiff(
    pixels: np.ndarray, photometric: int, packed: bool, table: list[int] | None = None
) -> bytes:
    height, width, samples = pixels.shape
    strips = []
    for first in range(0, height, 8):
        rows = [one.tobytes() for one in pixels[first : first + 8]]
        strips.append(b"".join(_packed(row) if packed else row for row in rows))
    body, offsets = b"", []
    for strip in strips:
        offsets.append(8 + len(body))
        body += strip
    body += b"\0" * (len(body) % 2)
    extra = b""

    def values(numbers: list[int], kind: str) -> int:
        """Places the values of an entry behind the strips, or within it if it is one."""
        nonlocal extra
        if len(numbers) == 1:
            return numbers[0]
        at = 8 + len(body) + len(extra)
        extra += struct.pack(f"<{len(numbers)}{kind}", *numbers)
        return at

    entries = [
        (256, 4, 1, width),
        (257, 4, 1, height),
        (258, 3, samples, values([8] * samples, "H")),
        (259, 3, 1, 32773 if packed else 1),
        (262, 3, 1, photometric),
        (273, 4, len(strips), values(offsets, "I")),
        (277, 3, 1, samples),
        (278, 4, 1, 8),
        (279, 4, len(strips), values([len(one) for one in strips], "I")),
    ]
    if table:
        entries.append((320, 3, len(table), values(table, "H")))
    directory = struct.pack("<H", len(entries))
    directory += b"".join(struct.pack("<HHII", *one) for one in entries) + bytes(4)
    return b"II*\0" + struct.pack("<I", 8 + len(body) + len(extra)) + body + extra + directory


def _packed(row: bytes) -> bytes:
    """PackBits: runs of three and more, and what is between them."""
    out, at = bytearray(), 0
    while at < len(row):
        run = 1
        while run < 128 and at + run < len(row) and row[at + run] == row[at]:
            run += 1
        if run >= 3:
            out += bytes([257 - run, row[at]])
            at += run
            continue
        end = at
        while end < len(row) and end - at < 128 and row[end : end + 3] != row[end : end + 1] * 3:
            end += 1
        end = max(end, at + 1)
        out += bytes([end - at - 1]) + row[at:end]
        at = end
    return bytes(out)
