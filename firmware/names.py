"""Refuses two cases of one name, whose figures no report could distinguish.

    names.py NM OBJECT…

A case is known by the symbol of its first probe (docs/reference/cases.md). The Makefile calls this
before it links.
"""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

FIRST_PROBE = re.compile(r"^(?P<object>.*):[0-9a-f]+ \w probe\.(?P<case>.+)\.real\.start$")


def source(of: str) -> str:
    """The source of an object, seen from the clone."""
    name = of.partition("/objects/")[2].removesuffix(".o") or of
    return f"firmware/{name}" if Path(name).is_file() else name


def main() -> None:
    nm, *objects = sys.argv[1:]
    listed = subprocess.run(
        [nm, "--print-file-name", *objects], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    places = defaultdict(list)
    for line in listed.splitlines():
        if found := FIRST_PROBE.match(line):
            places[found["case"]].append(source(found["object"]))
    for case, files in places.items():
        if len(files) > 1:
            where = " and ".join(sorted(files))
            sys.exit(f"error: two cases are called {case}, in {where}: rename one")


if __name__ == "__main__":
    main()
