"""The lab's disassembler of AVR against GNU's, on every word and on a whole image."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cyclescope.firmware.architectures.avr import ARCHITECTURE
from cyclescope.firmware.architectures.avr.decoder import TWO_WORDS, decode

SECOND_WORD = b"\x34\x12"
LISTED = re.compile(r"^ *([0-9a-f]+):\t(\S+)(?:\t([^;\n]*))?", re.MULTILINE)
NUMBERS = re.compile(r"0x[0-9a-f]+|\d+")
NOT_THIS_CORE = {"xch", "las", "lac", "lat", "des"}
"""Instructions of the XMEGA."""

pytestmark = pytest.mark.skipif(
    shutil.which("avr-objdump") is None, reason="binutils-avr is not installed"
)


def listed(file: Path) -> dict[int, tuple[str, str]]:
    """Returns what GNU's disassembler makes of a file of bare code, by address."""
    command = ["avr-objdump", "-D", "-b", "binary", "-m", "avr:6", "--no-show-raw-insn", file]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {int(at, 16): (name, rest.strip()) for at, name, rest in LISTED.findall(text)}


def operands(text: str) -> list[str]:
    """Operands whose numbers are written alike."""
    plain = NUMBERS.sub(lambda found: str(int(found[0], 0)), text.lower())
    return re.split(r",\s*", plain) if plain else []


def test_every_word_is_what_binutils_says_it_is(tmp_path: Path) -> None:
    words = [word for word in range(0x10000) if word != 0]  # a row of zeroes is left out there
    code = b"".join(word.to_bytes(2, "little") + SECOND_WORD for word in words)
    (tmp_path / "code").write_bytes(code)
    theirs = listed(tmp_path / "code")
    seen = set()
    for index, word in enumerate(words):
        at = 4 * index
        one = next(decode(code[at : at + 4], at))
        name, rest = theirs[at]
        if name == ".word" or name in NOT_THIS_CORE:
            assert one.mnemonic == ".word", f"{word:#06x}"
            continue
        assert one.mnemonic == name, f"{word:#06x}"
        assert one.size == (4 if name in TWO_WORDS else 2)
        seen.add(name)
        if one.target is None:
            assert operands(one.op_str) == operands(rest), f"{word:#06x}"
        elif name in ("jmp", "call"):
            assert one.target == int(rest, 16)
        else:
            assert one.target == at + 2 + int(rest.removeprefix("."))
    assert len(seen) == 100


def test_a_word_that_lacks_its_second_one_is_data() -> None:
    jump = bytes.fromhex("0c94")
    assert [one.mnemonic for one in decode(jump, 0)] == [".word"]
    assert [one.mnemonic for one in decode(jump + SECOND_WORD, 0)] == ["jmp"]


def test_targets_are_those_of_jumps_alone() -> None:
    code = bytes.fromhex("fe cf 0e 94 34 12 05 e0 f1 f7".replace(" ", ""))
    found = list(ARCHITECTURE.instructions(code, 0x100, "code"))
    assert [ARCHITECTURE.target(one) for one in found] == [0xFE, 0x2468, None, 0x106]
