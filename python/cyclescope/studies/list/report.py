"""Lists in a terminal: one line for each entry, or with --full all of its text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from cyclescope.report.plain_text import GAP, cut

HOST_SENTENCE = "this machine: --board host times calls of its C library, system and processes"
NAME = 34
"""Columns of a name, at most, before its text; longer names take what they need."""


@dataclass(frozen=True)
class ListLine:
    """An entry: its name, and what is said of it."""

    name: str
    text: str


def boards(entries: Iterable[dict[str, Any]]) -> list[ListLine]:
    """The virtual boards, and the machine that the program runs on."""
    lines = [ListLine(one["board"], one["description"]) for one in entries]
    return [*lines, ListLine("host", HOST_SENTENCE)]


def kernels(entries: Iterable[dict[str, Any]]) -> list[ListLine]:
    """The kernels, and which run on the host alone."""
    return [
        ListLine(
            one["kernel"],
            ("--board host: " if one["boards"] == "host" else "") + one["description"],
        )
        for one in entries
    ]


def options(entries: Iterable[dict[str, Any]]) -> list[ListLine]:
    """Name and values, then what the option does."""
    return [
        ListLine(f"{one['option']}={','.join(map(str, one['values']))}", one["what it does"])
        for one in entries
    ]


def cases(entries: Iterable[dict[str, Any]]) -> list[ListLine]:
    """Each case with the x it takes, its function and the condition of the call."""
    return [ListLine(one["name"], f"{_x(one)}{_call(one)}: {one['condition']}") for one in entries]


def _x(entry: dict[str, Any]) -> str:
    parameter = entry.get("parameter")
    if not parameter:
        return ""
    values = parameter["values"]
    return f"x = {min(values)} … {max(values)} {parameter['unit']}; "


def _call(entry: dict[str, Any]) -> str:
    return str(entry["call"]).partition("(")[0]


def show(lines: Sequence[ListLine], whole: bool, width: int) -> None:
    """Prints each name with its text: on one line, cut if need be, or with `whole` all of it."""
    column = min(max((len(one.name) for one in lines), default=0), NAME)
    cut_any = False
    for one in lines:
        name = f"{one.name:<{column}}"
        left = width - len(name) - GAP
        if whole and len(one.text) > left:
            _print_wrapped(name, one.text, width)
        else:
            text = cut(one.text, left)
            cut_any |= text != one.text
            print(f"{name}{'':{GAP}}{text}".rstrip())
    if cut_any:
        print("--full prints what is cut.")


def _print_wrapped(name: str, text: str, width: int) -> None:
    """Prints the text beside its name, or below one that is long."""
    indent = len(name) + GAP
    if indent > width // 2:
        print(name.rstrip())
        name, indent = "", 2 * GAP
    for line in wrap(text, width - indent):
        print(f"{name:<{indent}}{line}")
        name = ""
