"""Writes what a board's file says of its settings, for make: their defaults and their values.

One assignment a word, as make reads the output of a program without its lines: `MAM?=2`, and
`VALUES_OF_MAM:=0,1,2`. Called by the Makefile; needs nothing but Python.
"""

import sys
import tomllib
from pathlib import Path
from typing import Any


def settings(file: Path) -> dict[str, dict[str, Any]]:
    """The settings of a board by make variable, with those of the board that it extends."""
    content = tomllib.loads(file.read_text())
    found = {}
    if "extends" in content:
        found = settings(Path(sys.argv[2]) / content["extends"] / "board.toml")
    own = content.get("firmware", {}).get("setting", ())
    return found | {one["variable"]: one for one in own}


def main() -> None:
    there = settings(Path(sys.argv[1]))
    for variable, one in there.items():
        print(f"VALUES_OF_{variable}:={','.join(map(str, one['values']))}")
        if "default" in one:
            print(f"{variable}?={one['default']}")
    print(f"SETTINGS:={','.join(there)}")


if __name__ == "__main__":
    main()
