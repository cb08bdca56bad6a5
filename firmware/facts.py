"""Writes the facts of a build as JSON: compiler, flags, board, and the whole kernel configuration.

The values are those the compiler sees. Called by the Makefile; needs nothing but Python.
"""

import argparse
import ast
import json
import operator
import re
import shlex
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
}


def evaluate(text: str) -> int | str:
    """The value of a C integer expression, or its text if it is something else (a type)."""
    plain = re.sub(r"\(\s*[A-Za-z_][A-Za-z0-9_ ]*\s*\)", "", text)
    plain = re.sub(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]+", r"\1", plain).replace("/", "//")
    try:
        return compute(ast.parse(plain.strip(), mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError):
        return " ".join(text.split()).strip('"')


def compute(node: ast.expr) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -compute(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](compute(node.left), compute(node.right))
    raise ValueError("not an integer expression")


class Preprocessor:
    """The compiler's own preprocessor, with the flags of the build."""

    def __init__(self, command: list[str], headers: list[str]) -> None:
        self._command = command
        self._prologue = "".join(f"#include <{header}>\n" for header in headers)

    def run(self, text: str, *flags: str) -> str:
        command = [*self._command, "-E", *flags, "-x", "c", "-"]
        text = self._prologue + text
        return subprocess.run(
            command, input=text, text=True, check=True, stdout=subprocess.PIPE
        ).stdout

    def macros(self, pattern: str) -> list[str]:
        """Names of the macros without arguments that match."""
        listing = self.run("", "-dM")
        return sorted(re.findall(rf"^#define ({pattern})(?: |$)", listing, re.MULTILINE))

    def values(self, names: list[str]) -> dict[str, int | str]:
        """Returns the values of the macros."""
        output = self.run("".join(f"\n@@ {name}_ = {name}\n" for name in names), "-P")
        found = re.findall(r"^@@ (\w+)_ =(.*(?:\n(?!@@).*)*)", output, re.MULTILINE)
        return {name: evaluate(text) for name, text in found}


def nested(choices: Iterable[list[str]]) -> dict[str, Any]:
    """Numbers and texts by name; `a.b=1` stands in the table of a."""
    found: dict[str, Any] = {}
    for name, value in choices:
        *tables, last = name.split(".")
        table = found
        for one in tables:
            table = table.setdefault(one, {})
        table[last] = int(value) if value.isdigit() else value
    return found


def known(value: int | str) -> int | None:
    """A number; what is not one is not known before the program runs, or does not exist."""
    return value if isinstance(value, int) else None


def fragment(written: Path, used: Path) -> dict[str, Any]:
    """The lab's facts about a fragment, with each option as the compiler got it."""
    facts: dict[str, Any] = json.loads((written / "facts.json").read_text())
    lines = ((written / "options").read_text().splitlines(), used.read_text().splitlines())
    names = dict(zip(*lines, strict=True))
    return {**facts, "options": [names.get(option, option) for option in facts["options"]]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("version", "compiler", "compile", "defines", "includes", "link"):
        parser.add_argument(f"--{option}", required=True)
    for option in ("library", "library-header", "library-version"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--header", action="append", required=True, help="of the kernel, in order")
    parser.add_argument("--fragment", type=Path, help="the folder that the lab wrote")
    parser.add_argument("--fragment-options", type=Path, help="its options, as they were used")
    parser.add_argument("choices", nargs="*", metavar="name=value")
    arguments = parser.parse_args()

    flags = shlex.split(arguments.compile)
    defines = shlex.split(arguments.defines)
    preprocessor = Preprocessor(
        [arguments.compiler, *flags, *defines, *shlex.split(arguments.includes)],
        [*arguments.header, arguments.library_header],
    )
    board = preprocessor.values(
        ["BOARD_CORE_HZ", "BOARD_PCLK_HZ", "BOARD_WIRE_BAUD", "SAMPLE_CAPACITY"]
    )
    library = arguments.library_version.split(".")
    version = preprocessor.values([arguments.version, *library])
    names = preprocessor.macros(r"(?:config|INCLUDE_|DISK_)\w+")
    choices = nested(choice.split("=", 1) for choice in arguments.choices)
    compiler = subprocess.run(
        [arguments.compiler, "--version"], text=True, check=True, stdout=subprocess.PIPE
    ).stdout.splitlines()[0]
    facts = {
        **choices,
        "core_hz": known(board["BOARD_CORE_HZ"]),
        "pclk_hz": known(board["BOARD_PCLK_HZ"]),
        "wire_baud": known(board["BOARD_WIRE_BAUD"]),
        "sample_capacity": board["SAMPLE_CAPACITY"],
        "compiler": compiler,
        "compile_flags": flags,
        "defines": defines,
        "link_flags": shlex.split(arguments.link),
        "c_library": f"{arguments.library} {'.'.join(str(version[part]) for part in library)}",
        "kernel_version": version[arguments.version],
        "kernel_configuration": preprocessor.values(names),
    }
    if arguments.fragment:
        facts["fragment"] = fragment(arguments.fragment, arguments.fragment_options)
    print(json.dumps(facts, indent=2))


if __name__ == "__main__":
    main()
