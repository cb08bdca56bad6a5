"""Options of kernels: each kernel declares its own in firmware/kernels/<kernel>/options.mk."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.kernels import KERNELS

DECLARATION = re.compile(r"^\$\(call option,(\w+),([\d ]+),(.*)\)$", re.MULTILINE)


@dataclass(frozen=True)
class KernelOption:
    """An option of a build: its values, the usual one first, and its effect."""

    name: str
    values: tuple[int, ...]
    sentence: str


def of(kernel: str) -> tuple[KernelOption, ...]:
    """The options that a kernel declares, in its order."""
    path = KERNELS / kernel / "options.mk"
    found = DECLARATION.findall(path.read_text()) if path.is_file() else []
    return tuple(
        KernelOption(name, tuple(map(int, values.split())), sentence)
        for name, values, sentence in found
    )


def parse(kernel: str, texts: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Values of a kernel's options from `NAME=VALUE`; refuses what the kernel does not declare.

    >>> parse("freertos", ["configUSE_TRACE_FACILITY=1"])
    (('configUSE_TRACE_FACILITY', 1),)
    """
    there = {option.name: option for option in of(kernel)}
    chosen: dict[str, int] = {}
    for text in texts:
        name, _, value = text.partition("=")
        option = there.get(name)
        if option is None:
            known = f"it has {', '.join(there)}" if there else "it declares none"
            raise CyclescopeError(
                f"there is no option {name} of {kernel}: {known}", code="no-such-kernel-option"
            )
        if value not in map(str, option.values):
            values = " ".join(map(str, option.values))
            raise CyclescopeError(
                f"{name} cannot be {value or 'nothing'}: it takes {values}",
                code="kernel-option-value-wrong",
            )
        if chosen.setdefault(name, int(value)) != int(value):
            raise CyclescopeError(
                f"{name} has two values: leave one of them out", code="kernel-option-given-twice"
            )
    return tuple(sorted(chosen.items()))
