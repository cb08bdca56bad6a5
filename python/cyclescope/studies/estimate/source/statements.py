"""Statements of a dump: their operators, operands, and places in memory."""

import re
from dataclasses import dataclass

from cyclescope.studies.estimate.source.gimple import SSA

ASSIGNED = re.compile(r"^(.+?) =(?:\{v\})? (.+);$")
COMPARED = r"==|!=|<=|>=|<|>"
UNORDERED = r"u==|u<=|u>=|u<|u>|<>|ord|unord"
BINARY = re.compile(
    rf"^(\S+) (\+|-|\*|/|%|&|\||\^|<<|>>|r<<|r>>|w\*|h\*|{COMPARED}|{UNORDERED}|/\[\w+\]|%\[\w+\])"
    r" (\S+)$"
)
CONVERTED = re.compile(r"^\((.+)\) ([^\s()]+(?:\(D\))?)$")
CONDITION = re.compile(rf"^if \((\S.*?) ({COMPARED}|{UNORDERED}) (\S.*)\)$")
CALLED = re.compile(r"^(?:(.+?) = )?([\w.$]+)(?:\(D\))? \((.*)\);(?: \[.*\])*$")
NUMBER = re.compile(r"^-?(\d+)[BuUlL]*$")
FLOATING = re.compile(r"^-?\d*\.?\d+(e[+-]?\d+)?$")
NAME = re.compile(r"^[A-Za-z_][\w.$]*$")
STEP = re.compile(r"_\d")
COMPARISONS = (*COMPARED.split("|"), *UNORDERED.split("|"))
MEMORY = re.compile(r"MEM(?: <[^>]*>)? ?\[")
CAST = re.compile(r"^\(.*?\*+(?: const)?\s*\)|^\([\w ]+\)")
BYTES = re.compile(r"^-?\d+B$")
TAIL = re.compile(r"\[([^\[\]]*)\]|(?:\.|->)([A-Za-z_]\w*)")
WRAP = 1 << 32
FIELD = 4
"""Bytes that stand for the offset of a field, which is not in a dump."""


@dataclass(frozen=True)
class MemoryReference:
    """A place in memory: a value or variable, so many bytes, and indices with their scales.

    A scale of 0 is that of an aggregate, whose size is not in a dump.
    """

    base: str
    offset: int
    indices: tuple[tuple[str, int], ...]
    rows: bool = False
    """Whether it is an array of arrays."""
    inner: bool = False
    """Whether an array in an array is taken by a constant."""

    @property
    def is_value(self) -> bool:
        """Whether the base is a pointer in a register, not a variable."""
        return SSA.fullmatch(self.base) is not None


def number(text: str) -> int | None:
    """An integer constant."""
    match = NUMBER.match(text)
    return int(match.group(1)) * (-1 if text.startswith("-") else 1) if match else None


def is_value(text: str) -> bool:
    """Whether an operand is a value in SSA form."""
    return SSA.fullmatch(text.removesuffix("(D)")) is not None


def is_variable(text: str) -> bool:
    """Whether a value is one of a variable that the program names, no step of an expression."""
    return STEP.match(text) is None and "." not in text


def is_floating(text: str) -> bool:
    """Whether an operand is a floating constant."""
    return FLOATING.match(text) is not None and ("." in text or "e" in text)


def is_memory(text: str) -> bool:
    """Whether an operand is a place in memory."""
    bare = text.strip().removesuffix("(D)")
    if not bare or bare[0] in '&"{-~' or SSA.fullmatch(bare) or bare[0].isdigit():
        return False
    if bare.startswith(("MEM", "*", "(*")) or "->" in bare or "[" in bare:
        return " ? " not in bare
    return NAME.match(bare) is not None or ("." in bare and bare[0] != "(")


def reference(text: str, width_bytes: int) -> MemoryReference:
    """Reads a place; `width_bytes` is the size of what lies there."""
    text = text.strip().replace("(D)", "")
    indices: list[tuple[str, int]] = []
    offset = 0
    if match := MEMORY.match(text):
        sum_, tail = _bracketed(text[match.end() :])
        base = ""
        for part in sum_.split(" + "):
            value, _, scale = CAST.sub("", part.strip()).partition(" * ")
            if BYTES.match(value):
                offset += _signed(int(value[:-1]))
            elif not base and not scale:
                base = value.lstrip("&")
            else:
                indices.append((value, int(scale) if scale.isdigit() else 1))
    elif text.startswith("(*"):
        base, _, tail = text[2:].partition(")")
    elif text.startswith("*"):
        base, tail = text[1:], ""
    else:
        base, tail = _named(text)
    rows = inner = False
    steps = list(TAIL.finditer(tail))
    for at, step in enumerate(steps):
        index = step.group(1)
        if index is None:
            offset += FIELD if step.group(2) else 0
        elif is_value(index):
            rows = rows or any(scale == 0 for _, scale in indices)
            indices.append((index, width_bytes if at == len(steps) - 1 else 0))
        else:
            offset += (number(index) or 0) * width_bytes
            inner = inner or (bool(number(index)) and at < len(steps) - 1)
    return MemoryReference(base.split("[")[0], offset, tuple(indices), rows, inner)


def _named(text: str) -> tuple[str, str]:
    match = re.match(r"[A-Za-z_]\w*", text)
    if match is None:
        return "", text
    value = SSA.match(text)
    end = value.end() if value and value.end() > match.end() else match.end()
    return text[:end], text[end:]


def _bracketed(text: str) -> tuple[str, str]:
    depth = 1
    for at, one in enumerate(text):
        depth += (one == "[") - (one == "]")
        if not depth:
            return text[:at], text[at + 1 :]
    return text, ""


def _signed(offset: int) -> int:
    return offset - WRAP if offset >= WRAP // 2 else offset
