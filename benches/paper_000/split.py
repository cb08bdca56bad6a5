"""Divides the families of the benchmark into training and held back, once and for all.

The list is drawn by a hash with a seed and kept in examples/programs/split.json, committed before
anything was fitted. A family that is added later is drawn by its own hash alone. Families of
later drawings came when those before them had been opened: the hash may put them into
training, but none of them trains.
"""

import hashlib
import json

from benchmark import FOLDER, programs

SEED = "cyclescope-paper-000-1"
FILE = FOLDER / "split.json"


SECOND = (
    "calendar",
    "connect",
    "events",
    "framing",
    "heat",
    "lisp",
    "machine",
    "matching",
    "naturals",
    "plant",
    "ranges",
    "rays",
    "settings",
    "sliding",
    "suffixes",
    "symbols",
    "tables",
    "typesetting",
)
"""Families of the second drawing. None trains, so nothing is fitted to them. They are opened."""

THIRD = (
    "attitude",
    "biquads",
    "blake3",
    "brotli",
    "cache",
    "celt",
    "curves",
    "elevator",
    "gateway",
    "gcode",
    "http",
    "lattice",
    "lz4",
    "markdown",
    "modbus",
    "nmea",
    "reedsolomon",
    "resampling",
    "runs",
    "xml",
)
"""Families of the third drawing. None trains, so nothing is fitted to them. They are opened."""

FOURTH = (
    "aead",
    "astronomy",
    "bigfloat",
    "btree",
    "canbus",
    "cbor",
    "chess",
    "clusters",
    "dtmf",
    "flac",
    "forth",
    "gif",
    "keywords",
    "montgomery",
    "mqtt",
    "redblack",
    "regexp",
    "sudoku",
    "voice",
    "webp",
    "zstd",
)
"""Families of the fourth drawing. None trains, so nothing is fitted to them. They are opened."""

FIFTH = (
    "bitmaps",
    "dns",
    "eddsa",
    "foc",
    "hexagons",
    "horizon",
    "hpack",
    "ihex",
    "irrigation",
    "javascript",
    "journal",
    "lzma",
    "mail",
    "maze",
    "oniguruma",
    "png",
    "rationals",
    "scope",
    "shell",
    "softfloat",
    "treesitter",
    "xmodem",
)
"""Families of the fifth drawing. None trains, so nothing is fitted to them. They are opened."""

SIXTH = (
    "barcode",
    "blackbox",
    "decimals",
    "delta",
    "fat",
    "geodesics",
    "gimli",
    "grids",
    "hull",
    "mapping",
    "modes",
    "passwords",
    "polygons",
    "pulse",
    "resp",
    "rice",
    "spooler",
    "unicode",
    "vectors",
    "wasm",
)
"""Families of the sixth drawing. None trains, so nothing is fitted to them. They are opened."""

SEVENTH = (
    "battery",
    "camellia",
    "cliques",
    "conveyor",
    "deferred",
    "echo",
    "fmsynth",
    "isomers",
    "jpeg2000",
    "midi",
    "mos6502",
    "pcode",
    "peers",
    "scrypt",
    "sharedbus",
    "tangents",
    "usb",
    "x86",
)
"""Families of the seventh drawing. None trains, so nothing is fitted to them. They are opened."""

EIGHTH = (
    "afsk",
    "assembler",
    "chiptune",
    "gltf",
    "kinetics",
    "lanes",
    "ldpc",
    "lzfse",
    "merging",
    "nistcurve",
    "particles",
    "prefixes",
    "qoa",
    "spreadsheet",
    "srtp",
    "tar",
    "terminal",
    "tiles",
    "wren",
)
"""Families of the eighth drawing. None trains, so nothing is fitted to them. They are opened."""

HELD_BACK: tuple[str, ...] = ()
"""Families of a drawing that is closed: nothing is fitted, calibrated or corrected by what they
show. A new drawing stands here until it has been estimated."""

LATER = (*SECOND, *THIRD, *FOURTH, *FIFTH, *SIXTH, *SEVENTH, *EIGHTH)


def drawn() -> dict[str, list[str]]:
    """Half of the first families, those with the least hashes, train; no other ever does."""
    families = {one.family for one in programs().values()} - {*LATER}

    def by_hash(family: str) -> str:
        return hashlib.sha256(f"{SEED}/{family}".encode()).hexdigest()

    order = sorted(families, key=by_hash)
    half = len(order) // 2
    return {
        "training": sorted(order[:half]),
        "held_back": sorted(order[half:]),
        "second": sorted(SECOND),
        "third": sorted(THIRD),
        "fourth": sorted(FOURTH),
        "fifth": sorted(FIFTH),
        "sixth": sorted(SIXTH),
        "seventh": sorted(SEVENTH),
        "eighth": sorted(EIGHTH),
    }


GROUPS = ("training", "opened", "held back")
"""Families that fit something; held back until faults were looked for in them; held back."""


DRAWINGS = ("held_back", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
"""Lists of the file, none of which trains."""


def group(family: str) -> str:
    """The one of GROUPS that a family is in."""
    if family in HELD_BACK:
        return GROUPS[2]
    return GROUPS[0] if trains(family) else GROUPS[1]


def trains(family: str) -> bool:
    """Whether a family may be used to fit something, as the committed list says."""
    kept = json.loads(FILE.read_text())
    if family in kept["training"]:
        return True
    if any(family in kept[drawing] for drawing in DRAWINGS):
        return False
    digest = hashlib.sha256(f"{kept['seed']}/{family}".encode()).digest()
    return digest[0] < 128


if __name__ == "__main__":
    FILE.write_text(json.dumps({"seed": SEED, **drawn()}, indent=2) + "\n")
