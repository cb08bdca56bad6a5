"""Messages of compiler and linker about a fragment, as sentences about the user's own file."""

import re
from collections.abc import Iterator
from pathlib import Path

from elftools.elf.elffile import ELFFile

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.fragment import call
from cyclescope.firmware.fragment.source import FragmentSource

MESSAGE = re.compile(r"^(?P<file>.+?):(?P<line>\d+):(?:\d+:)? (?:fatal )?(?P<kind>error|warning): ")
UNDEFINED = re.compile(r"undefined reference to `(\w+)'")
NO_LIBRARY = re.compile(r"cannot find -l([\w.+-]+)")
TWICE = re.compile(r"multiple definition of `(\w+)'")
UNKNOWN = ("undeclared", "was not declared", "is not a member", "has not been declared")
UNKNOWN_CALL = "declaration of function"
OF_POINTERS = (
    "incompatible pointer type",
    "impossible constraint",
    "cannot convert",
    "asm operand",
)
OVERFLOW = re.compile(r"region `(\w+)' overflowed by (\d+) bytes")


def cause(errors: str, source: FragmentSource, code: str, larger: str, room: str) -> str | None:
    """Why the fragment cannot be built, in a sentence; None if it is not the fragment's fault.

    `code` is the memory that holds it, `larger` a larger one of the board, `room` the options of a
    board with more, each empty if none is known.
    """
    found = next(_with_user_lines(errors, source, "error"), None)
    if found:
        return found
    if lacking := OVERFLOW.search(errors):
        return _does_not_fit(lacking[1], lacking[2], source, code, larger, room)
    if twice := TWICE.search(errors):
        return f"{source.file} defines {twice[1]}, which the firmware has itself: rename it"
    if lacking := NO_LIBRARY.search(errors):
        return f"there is no library {lacking[1]} for this board (-l {lacking[1]})"
    if undefined := UNDEFINED.search(errors):
        return _undefined(undefined[1], source)
    return None


def _does_not_fit(
    memory: str, bytes_lacking: str, source: FragmentSource, code: str, larger: str, room: str
) -> str:
    """Beside code in another memory, only data can be too much."""
    lacks = f"{memory} lacks {bytes_lacking} bytes"
    room = room or "a board with more memory"
    if memory != code:
        return (
            f"the data of {source.file.name} do not fit: {lacks}; make them smaller or constant, "
            f"or choose {room}"
        )
    elsewhere = f"--code {larger}, " if larger else ""
    return (
        f"{source.file.name} and the copies of its plans do not fit: {lacks}; choose {elsewhere}"
        f"fewer points (--points), smaller tables, or {room}"
    )


def require_no_constructors(compiled: Path, source: FragmentSource) -> None:
    """Refuses a file with something that a board would have to execute before main: `compiled` is
    what the compiler made of it."""
    with compiled.open("rb") as file:
        sections = [section.name for section in ELFFile(file).iter_sections()]
    if any(name.startswith((".init_array", ".ctors")) for name in sections):
        raise CyclescopeError(
            f"{source.file} has something that must be constructed before main, and nothing does "
            "that on this board: make it in INITIALISE or PREPARE, or time it on the host",
            code="constructor-on-board",
        )


def warnings(file: Path, source: FragmentSource) -> tuple[str, ...]:
    """The compiler's warnings about the user's file, as it left them in `file`."""
    told = _with_user_lines(file.read_text(), source, "warning") if file.exists() else ()
    return tuple(dict.fromkeys(told))


def _with_user_lines(text: str, source: FragmentSource, kind: str) -> Iterator[str]:
    """The messages of a kind, each with the user's own file and line."""
    for line in text.splitlines():
        found = MESSAGE.match(line)
        if not found or found["kind"] != kind:
            continue
        message = re.sub(r" \[-W[\w=-]+\]$", "", line[found.end() :])
        if found["file"] == "--call":
            yield _of_call(message, source)
        elif found["file"] == str(source.file.resolve()):
            yield f"{source.file}:{found['line']}: {message}"
        else:
            yield f"{found['file']}:{found['line']}: {message}"


def _of_call(message: str, source: FragmentSource) -> str:
    name = source.function
    own = (name or "").rpartition("::")[2]
    if any(f"'{own}' {lacks}" in message for lacks in UNKNOWN) or UNKNOWN_CALL in message:
        return f"{source.file} has no function {name}"
    if "overloaded function" in message or "template" in message:
        return (
            f"{source.file} has several functions {name}, or a template: give the one that is "
            f"meant a name of its own, or write a file with EXECUTE {{ {source.call}; }}"
        )
    if "too few arguments" in message and source.direct:
        return f"{name} takes arguments: write the call with them, like --call '{name}(…)'"
    if "redefinition of" in message and "fragment_execute" in message:
        return (
            f"{source.file} says with EXECUTE what is executed, and {source.call} says it too: "
            "leave one of them out"
        )
    if "aggregate value" in message:
        return f"{name} returns a structure: write a file with EXECUTE {{ {name}(); }}"
    if "fragment_pointer" in message or any(mark in message for mark in OF_POINTERS):
        return f"{name} in {source.file} is no function, but holds the address of one: name that"
    told = re.sub(rf"\b({call.CALLEE}|{call.CAPTURE})\b", str(name), message)
    return f"in the call {source.call}: {told}"


def _undefined(symbol: str, source: FragmentSource) -> str:
    file, name = source.file, source.function
    if symbol == "fragment_execute":
        return f"{file} has no EXECUTE {{ … }}: write one, or name the function with --function"
    if symbol == "fragment_initialise":
        return (
            f"{file} has no INITIALISE {{ … }}, which the technique executes too: write one, or "
            "choose another technique"
        )
    if symbol == name:
        return f"{file} declares {name} and does not define it: name the file that does"
    return (
        f"{file} needs {symbol}, which neither it nor the image defines: put it into the "
        "file, or name its library with -l"
    )
