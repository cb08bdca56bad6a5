"""Writes docs/reference/freertos-lists.md.

The exit code is 1 where a list is walked that no case counts.

usage: python benches/lists [PAGE]
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benches"))

from lists.page import PAGE, page, uncounted  # noqa: E402
from lists.walks import LISTS, OTHERS, opened, walks  # noqa: E402


def main() -> None:
    with opened() as target:
        found = list(walks(target, target.cases()))
    unknown = {one for walk in found for one in walk.alone.loops} - {*LISTS, *OTHERS}
    if unknown or uncounted(found):
        sys.exit(f"loops of unknown bound: {sorted(unknown)}; not counted: {uncounted(found)}")
    (Path(sys.argv[1]) if sys.argv[1:] else PAGE).write_text(page(found))


if __name__ == "__main__":
    main()
