"""Each register of the part (docs/timing/io_atmega2560.md): as avr-libc and the board have it."""

import re
import subprocess
import tomllib
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "timing"
BOARD = tomllib.loads((ROOT / "boards" / "atmega2560" / "board.toml").read_text())
DATA = 0x80_0000
CORE = {0x5B: "RAMPZ", 0x5C: "EIND", 0x5D: "SPL", 0x5E: "SPH", 0x5F: "SREG"}
TREATMENTS = {"modelled", "stored", "refused"}
CHIP_DEBUGGER = "MONDR"
"""A second name of OCDR."""


def rows(page: str) -> list[list[str]]:
    """Cells of the rows of a page that begin with a number."""
    lines = (PAGES / page).read_text().splitlines()
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines
        if line.startswith("| 0x")
    ]


def of_header() -> dict[int, str]:
    """Registers of a byte that avr-libc defines, by data address."""
    ran = subprocess.run(
        ["avr-gcc", "-mmcu=atmega2560", "-dM", "-E", "-xc", "-"],
        input="#include <avr/io.h>", capture_output=True, text=True, check=True,
    )  # fmt: skip
    pattern = r"#define (\w+) _SFR_(IO|MEM)8 ?\((0[xX][0-9A-Fa-f]+)\)"
    found = re.findall(pattern, ran.stdout)
    return {
        int(at, 16) + (0x20 if space == "IO" else 0): name
        for name, space, at in found
        if name != CHIP_DEBUGGER and not re.fullmatch("EE[A-Z]+_REG.*|SP", name)
    }


def owner(address: int) -> tuple[dict, int] | None:
    """The device at a data address, and its offset of the register."""
    for device in BOARD["device"]:
        for window in device["maps"]:
            inside = address + DATA - window["base"]
            if 0 <= inside < window["size"]:
                return device, window.get("offset", 0) + inside
    return None


@lru_cache
def treated(kind: str) -> dict[int, set[tuple[str, str]]]:
    """Names without digits and treatments by offset, of the page of a kind of device."""
    found: dict[int, set[tuple[str, str]]] = {}
    for offset, name, treatment in rows(f"{kind}.md"):
        found.setdefault(int(offset, 16), set()).add((re.sub(r"\d", "", name), treatment))
    return found


def test_the_page_has_every_register_of_avr_libc_and_no_other() -> None:
    listed = {int(address, 16): name for address, name, _, _ in rows("io_atmega2560.md")}
    assert len(listed) > 170
    assert listed == of_header() | CORE


def test_the_page_says_of_each_register_what_board_and_devices_do_with_it() -> None:
    for cell, name, device, treatment in rows("io_atmega2560.md"):
        address = int(cell, 16)
        assert treatment in TREATMENTS, name
        found = owner(address)
        if address in CORE:
            assert (found, device, treatment) == (None, "core", "modelled"), name
            continue
        assert found is not None, name
        there, offset = found
        assert device == there["name"], name
        if there["kind"] == "unmodelled":
            assert treatment == "refused", name
        else:
            assert (re.sub(r"\d", "", name), treatment) in treated(there["kind"])[offset], name
