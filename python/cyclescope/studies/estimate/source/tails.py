"""Calls in return position: ARM code jumps to the function, which returns in its caller's place.

The host's compiler marks the calls. The target's compiler makes jumps of some: it must know that
the function is ARM code. It knows that of a pointer, of a `static` function, and of one that the
file had before. Thumb code has no such jumps.
"""

from collections.abc import Iterable
from dataclasses import replace

from cyclescope.studies.estimate.source.gimple import (
    JUMPS,
    Choice,
    GimpleFunction,
    Statement,
)
from cyclescope.studies.estimate.source.statements import CALLED, is_floating, is_value
from cyclescope.studies.estimate.source.types import Types, Width

MARK = "; [tail call]"
REGISTERS = 4
"""Those that words of arguments have."""


def places(widths: Iterable[Width]) -> list[int]:
    """The first word of each argument: 64 bits begin at even words, and word 4 is on the stack."""
    found, at = [], 0
    for width in widths:
        words = 2 if width.bits == 64 else 1
        at += at % 2 if words == 2 else 0
        found.append(at)
        at += words
    return found


def words_of(widths: Iterable[Width]) -> int:
    """Words up to the end of the last argument."""
    known = list(widths)
    return places(known)[-1] + (2 if known[-1].bits == 64 else 1) if known else 0


def parameters(function: GimpleFunction) -> list[str]:
    """The names of a function's parameters."""
    split = (one.rpartition(" ")[2].lstrip("*") for one in function.parameters)
    return [one for one in split if one and one not in ("void", "...")]


def with_jumps(function: GimpleFunction, types: Types) -> GimpleFunction:
    """The function with each such call as the end of its code, marked with JUMPS."""
    tails = {
        block.number: at
        for block in function.blocks
        if block.count and len(block.ways) <= 1
        for at, one in enumerate(block.statements)
        if MARK in one.text and _jumps(function, one.text, types)
    }
    if not tails:
        return function
    lost = {block.number: 0 for block in function.blocks}
    passed: dict[tuple[int, int], int] = {}
    by_number = {block.number: block for block in function.blocks}
    for number in tails:
        block, times = by_number[number], by_number[number].count
        while block.ways:
            way = next(iter(block.ways))
            passed[block.number, way] = passed.get((block.number, way), 0) + times
            if way not in by_number:
                break
            block = by_number[way]
            lost[way] += times
            if len(block.ways) != 1:
                break
    blocks = []
    for block in function.blocks:
        at = tails.get(block.number)
        statements = block.statements
        ways = {
            way: max(times - passed.get((block.number, way), 0), 0)
            for way, times in block.ways.items()
        }
        if at is not None:
            call = statements[at]
            text = call.text.replace(MARK, f"; {JUMPS}")
            statements, ways = [*statements[:at], Statement(text, call.place)], {}
        choices = [
            Choice(one.name, {key: of for key, of in one.sources.items() if key not in tails})
            for one in block.choices
        ]
        blocks.append(
            replace(
                block,
                count=max(block.count - lost[block.number], 0),
                statements=statements,
                choices=choices,
                ways=ways,
            )
        )
    return replace(function, blocks=blocks)


def _jumps(function: GimpleFunction, text: str, types: Types) -> bool:
    match = CALLED.match(text)
    if match is None:
        return False
    _, name, arguments = match.groups()
    if not (is_value(name) or "." in name or name in function.near):
        return False
    given = [_width(function, one, types) for one in arguments.split(", ") if one.strip()]
    own = [types.width(function.types.get(one, "int")) for one in parameters(function)]
    return words_of(given) <= max(words_of(own), REGISTERS)


def _width(function: GimpleFunction, operand: str, types: Types) -> Width:
    if is_value(operand):
        return types.width(function.type_of(operand.removesuffix("(D)")))
    return Width(64 if is_floating(operand) else 32, "i")
