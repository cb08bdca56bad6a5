"""Functions of a library that are called through pointers.

Where a program takes the address of such a function, it gets that of one with the same type. This
one makes the call, and records it at the call of a pointer that led to it.
"""

from collections.abc import Iterator
from typing import Any

from cyclescope.sources import calls, library_calls
from cyclescope.sources.edits import Edits
from cyclescope.sources.syntax import SyntaxTree

PREFIX = "cyclescope_through_"
NAMES = tuple(sorted((library_calls.KNOWN.keys() | library_calls.PLAIN) - calls.NO_RETURN))
"""Functions that may stand behind a pointer; a record has their number here."""
FIRST = 1 << 40
"""The number of the first in a record: no value of another call is as great."""
VALUES_MOST = library_calls.MOST - 1
NUMBERS = library_calls.INTEGERS | {"VOID", "FLOAT", "DOUBLE"}


def replaced(tree: SyntaxTree, defined: set[str], edits: Edits) -> str:
    """Puts the functions that record in the place of the library's; returns their text."""
    found = dict[str, str]()
    for root in (*tree.functions, *tree.initialised):
        for node in calls.addressed(root):
            declaration = node.referenced
            name = str(declaration.spelling)
            if name in defined or name not in NAMES:
                continue
            text = found.get(name) or _text(name, declaration)
            if text is not None:
                found[name] = text
                edits.replace(node.begin, node.end, PREFIX + name)
    return "".join(found.values())


def _text(name: str, declaration: Any) -> str | None:
    """The function that stands for one of the library; None where a record does not hold it."""
    values = library_calls.KNOWN.get(name, ())
    kind = declaration.type.get_canonical()
    if kind.kind.name != "FUNCTIONPROTO" or kind.is_function_variadic():
        return None
    types, result = list(kind.argument_types()), kind.get_result()
    if len(values) > VALUES_MOST or not all(map(_is_plain, (*types, result))):
        return None
    given = ",".join(f"{_spelled(one)} a{at}" for at, one in enumerate(types)) or "void"
    call = f"{name}({','.join(f'a{at}' for at in range(len(types)))})"
    of = f"{_spelled(result)} {PREFIX}{name}({given})"
    recorded = library_calls.recorded(values, FIRST + NAMES.index(name), "cyclescope_in")
    is_void = result.kind.name == "VOID"
    return (
        f"extern {_spelled(result)} {name}({given});__attribute__((weak)) {of}{{"
        f"struct cyclescope_slot *const cyclescope_in=cyclescope_next;"
        f"{'' if is_void else '__auto_type cyclescope_r='}{call};{recorded}"
        f"{'' if is_void else 'return cyclescope_r;'}}}\n"
    )


def _spelled(kind: Any) -> str:
    return str(kind.spelling).replace("restrict", "")


def _is_plain(kind: Any) -> bool:
    """Whether a type has a name everywhere: a number, or a pointer to one."""
    while kind.kind.name == "POINTER":
        kind = kind.get_pointee()
    return kind.kind.name in NUMBERS


def through(values: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The function that a record of a pointer's call is of, and its values."""
    number = values[0] - FIRST
    if 0 <= number < len(NAMES):
        yield NAMES[number], values[1 : 1 + len(library_calls.KNOWN.get(NAMES[number], ()))]
