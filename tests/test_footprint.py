"""Bytes of an image: as the toolchain's `size` counts them, and apart from the heap."""

import io
import subprocess

import pytest
from choices import configured
from elftools.elf.elffile import ELFFile

from cyclescope.firmware.build import build
from cyclescope.target.footprint import Footprint, footprint, size_of


@pytest.mark.parametrize("board", ["stm32f100rb", "lpc2148", "atmega2560"])
def test_an_images_bytes_are_those_of_size(board: str) -> None:
    image = build(configured({"board": board})).elf
    tool = "avr-size" if board == "atmega2560" else "arm-none-eabi-size"
    ran = subprocess.run([tool, image], capture_output=True, text=True, check=True)
    text, data, bss = map(int, ran.stdout.splitlines()[1].split()[:3])
    found = footprint(image.read_bytes())
    assert (found.text, found.data, found.bss + found.heap) == (text, data, bss)
    assert found.heap > 4000
    table = ELFFile(io.BytesIO(image.read_bytes())).get_section_by_name(".symtab")
    sizes: dict[str, int] = {}
    for one in table.iter_symbols():
        sizes.setdefault(one.name, one["st_size"])
    for name in [*sizes][::50]:
        assert size_of(table, name) == sizes[name]
    assert size_of(table, "no_such_symbol") == 0


def test_a_bigger_image_is_said_in_flash_and_ram() -> None:
    base = Footprint(text=1000, data=10, bss=100, heap=4000)
    other = Footprint(text=1200, data=14, bss=90, heap=3000)
    assert other.beyond(base) == (204, -6)
    assert base.sentence == "text 1,000 + data 10 + bss 100 + heap 4,000 bytes"
