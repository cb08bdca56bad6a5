"""AVRe+ instructions and their text (AVR Instruction Set Manual, 0856), as GNU's disassembler has
them."""

from collections.abc import Iterator
from typing import NamedTuple


class AvrInstruction(NamedTuple):
    """One instruction; `target` is the byte address that a direct jump, call or branch names."""

    address: int
    size: int
    mnemonic: str
    op_str: str
    target: int | None = None


FLAGS = ("c", "z", "n", "v", "s", "h", "t", "i")
BRANCHES_SET = ("brcs", "breq", "brmi", "brvs", "brlt", "brhs", "brts", "brie")
BRANCHES_CLEAR = ("brcc", "brne", "brpl", "brvc", "brge", "brhc", "brtc", "brid")

FORMS = """
0000000000000000 nop
00000001ddddrrrr movw r{d2}, r{r2}
00000010ddddrrrr muls r{d16}, r{r16}
000000110ddd0rrr mulsu r{d16}, r{r16}
000000110ddd1rrr fmul r{d16}, r{r16}
000000111ddd0rrr fmuls r{d16}, r{r16}
000000111ddd1rrr fmulsu r{d16}, r{r16}
000001rdddddrrrr cpc r{d}, r{r}
000010rdddddrrrr sbc r{d}, r{r}
000011rdddddrrrr add r{d}, r{r}
000100rdddddrrrr cpse r{d}, r{r}
000101rdddddrrrr cp r{d}, r{r}
000110rdddddrrrr sub r{d}, r{r}
000111rdddddrrrr adc r{d}, r{r}
001000rdddddrrrr and r{d}, r{r}
001001rdddddrrrr eor r{d}, r{r}
001010rdddddrrrr or r{d}, r{r}
001011rdddddrrrr mov r{d}, r{r}
0011kkkkddddkkkk cpi r{d16}, {k:#04x}
0100kkkkddddkkkk sbci r{d16}, {k:#04x}
0101kkkkddddkkkk subi r{d16}, {k:#04x}
0110kkkkddddkkkk ori r{d16}, {k:#04x}
0111kkkkddddkkkk andi r{d16}, {k:#04x}
1110kkkkddddkkkk ldi r{d16}, {k:#04x}
1001000ddddd0000 lds r{d}, {word:#06x}
1001001ddddd0000 sts {word:#06x}, r{d}
1000000ddddd0000 ld r{d}, Z
1000000ddddd1000 ld r{d}, Y
1000001ddddd0000 st Z, r{d}
1000001ddddd1000 st Y, r{d}
10q0qq0ddddd0qqq ldd r{d}, Z+{q}
10q0qq0ddddd1qqq ldd r{d}, Y+{q}
10q0qq1ddddd0qqq std Z+{q}, r{d}
10q0qq1ddddd1qqq std Y+{q}, r{d}
1001000ddddd0001 ld r{d}, Z+
1001000ddddd0010 ld r{d}, -Z
1001000ddddd1001 ld r{d}, Y+
1001000ddddd1010 ld r{d}, -Y
1001000ddddd1100 ld r{d}, X
1001000ddddd1101 ld r{d}, X+
1001000ddddd1110 ld r{d}, -X
1001000ddddd0100 lpm r{d}, Z
1001000ddddd0101 lpm r{d}, Z+
1001000ddddd0110 elpm r{d}, Z
1001000ddddd0111 elpm r{d}, Z+
1001000ddddd1111 pop r{d}
1001001ddddd0001 st Z+, r{d}
1001001ddddd0010 st -Z, r{d}
1001001ddddd1001 st Y+, r{d}
1001001ddddd1010 st -Y, r{d}
1001001ddddd1100 st X, r{d}
1001001ddddd1101 st X+, r{d}
1001001ddddd1110 st -X, r{d}
1001001ddddd1111 push r{d}
1001010ddddd0000 com r{d}
1001010ddddd0001 neg r{d}
1001010ddddd0010 swap r{d}
1001010ddddd0011 inc r{d}
1001010ddddd0101 asr r{d}
1001010ddddd0110 lsr r{d}
1001010ddddd0111 ror r{d}
1001010ddddd1010 dec r{d}
100101000sss1000 se{flag}
100101001sss1000 cl{flag}
1001010100001000 ret
1001010100011000 reti
1001010110001000 sleep
1001010110011000 break
1001010110101000 wdr
1001010111001000 lpm
1001010111011000 elpm
1001010111101000 spm
1001010111111000 spm Z+
1001010000001001 ijmp
1001010000011001 eijmp
1001010100001001 icall
1001010100011001 eicall
1001010jjjjj110j jmp {far:#x}
1001010jjjjj111j call {far:#x}
10010110kkddkkkk adiw r{d24}, {k:#04x}
10010111kkddkkkk sbiw r{d24}, {k:#04x}
10011000aaaaabbb cbi {a:#04x}, {b}
10011001aaaaabbb sbic {a:#04x}, {b}
10011010aaaaabbb sbi {a:#04x}, {b}
10011011aaaaabbb sbis {a:#04x}, {b}
100111rdddddrrrr mul r{d}, r{r}
10110aadddddaaaa in r{d}, {a:#04x}
10111aadddddaaaa out {a:#04x}, r{d}
1100nnnnnnnnnnnn rjmp {near:#x}
1101nnnnnnnnnnnn rcall {near:#x}
111100nnnnnnnsss {set} {near:#x}
111101nnnnnnnsss {clear} {near:#x}
1111100ddddd0bbb bld r{d}, {b}
1111101ddddd0bbb bst r{d}, {b}
1111110ddddd0bbb sbrc r{d}, {b}
1111111ddddd0bbb sbrs r{d}, {b}
"""
"""Encodings of one word, the earlier of two that fit first: bits that are given, and letters of
fields, most significant bit first. `lds`, `sts`, `jmp` and `call` have a second word."""


class Form(NamedTuple):
    """One line of FORMS: which words it fits, where the bits of its fields are, and its text."""

    mask: int
    value: int
    fields: tuple[tuple[str, tuple[int, ...]], ...]
    mnemonic: str
    operands: str


def _form(line: str) -> Form:
    bits, text = line.split(" ", 1)
    mnemonic, _, operands = text.partition(" ")
    mask = int("".join("1" if bit in "01" else "0" for bit in bits), 2)
    value = int("".join(bit if bit in "01" else "0" for bit in bits), 2)
    letters = dict.fromkeys(bit for bit in bits if bit not in "01")
    fields = tuple(
        (letter, tuple(15 - at for at, bit in enumerate(bits) if bit == letter))
        for letter in letters
    )
    return Form(mask, value, fields, mnemonic, operands)


def _table() -> list[Form | None]:
    """The form of every word."""
    table: list[Form | None] = [None] * 0x10000
    for form in reversed([_form(line) for line in FORMS.split("\n") if line]):
        free = ~form.mask & 0xFFFF
        rest = free
        while True:
            table[form.value | rest] = form
            if rest == 0:
                break
            rest = rest - 1 & free
    return table


TABLE = _table()
TWO_WORDS = {"lds", "sts", "jmp", "call"}
DISTANCE_SIGN = {"rjmp": 0x800, "rcall": 0x800}
"""The sign bit of a distance; a branch's is bit 6."""


def decode(code: bytes, address: int) -> Iterator[AvrInstruction]:
    """Yields the instructions of a piece of code; a word that is none is `.word`."""
    at = 0
    while at + 2 <= len(code):
        word = int.from_bytes(code[at : at + 2], "little")
        form = TABLE[word]
        second = code[at + 2 : at + 4] if form and form.mnemonic in TWO_WORDS else b""
        if form is None or (form.mnemonic in TWO_WORDS and len(second) < 2):
            yield AvrInstruction(address + at, 2, ".word", f"{word:#06x}")
            at += 2
            continue
        one = _decoded(form, word, int.from_bytes(second, "little"), address + at)
        yield one
        at += one.size


def _decoded(form: Form, word: int, second: int, address: int) -> AvrInstruction:
    field = {
        letter: sum((word >> bit & 1) << place for place, bit in enumerate(reversed(bits)))
        for letter, bits in form.fields
    }
    d, r, s, n = (field.get(letter, 0) for letter in "drsn")
    sign = DISTANCE_SIGN.get(form.mnemonic, 0x40)
    near = address + 2 + 2 * ((n ^ sign) - sign)
    far = 2 * (field.get("j", 0) << 16 | second)
    words: dict[str, object] = {
        **field,
        "d2": 2 * d, "r2": 2 * r, "d16": 16 + d, "r16": 16 + r, "d24": 24 + 2 * d,
        "flag": FLAGS[s], "set": BRANCHES_SET[s], "clear": BRANCHES_CLEAR[s],
        "near": near, "far": far, "word": second,
    }  # fmt: skip
    target = near if "{near" in form.operands else far if "{far" in form.operands else None
    size = 4 if form.mnemonic in TWO_WORDS else 2
    mnemonic, operands = form.mnemonic.format(**words), form.operands.format(**words)
    return AvrInstruction(address, size, mnemonic, operands, target)
