"""Writes what a board's file says of its settings, for make: their defaults and their values.

One assignment a word, as make reads the output of a program without its lines: `MAM?=2`, and
`VALUES_OF_MAM:=0,1,2`. Called by the Makefile; needs nothing but Python.
"""

import sys
import tomllib
from pathlib import Path
from typing import Any


def firmware(file: Path) -> dict[str, Any]:
    """The [firmware] table of a board, with that of the board that it extends; `setting` has the
    settings of both by make variable."""
    content = tomllib.loads(file.read_text())
    found: dict[str, Any] = {"setting": {}}
    if "extends" in content:
        found = firmware(Path(sys.argv[2]) / content["extends"] / "board.toml")
    own = content.get("firmware", {})
    settings = {one["variable"]: one for one in own.get("setting", ())}
    return {**found, **own, "setting": {**found["setting"], **settings}}


def main() -> None:
    table = firmware(Path(sys.argv[1]))
    there = table["setting"]
    for variable, one in there.items():
        print(f"VALUES_OF_{variable}:={','.join(map(str, one['values']))}")
        if "default" in one:
            print(f"{variable}?={one['default']}")
    # The timer that reads the counter which the alarm compares.
    print(f"ALARM_TIMER:={table.get('alarm', {}).get('settings', {}).get('timer', '')}")
    print(f"SETTINGS:={','.join(there)}")


if __name__ == "__main__":
    main()
