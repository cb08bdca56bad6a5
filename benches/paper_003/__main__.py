"""Tables 1 and 2 of paper 003, executed on the virtual ATmega2560 and recorded by a simulated card.

usage: python benches/paper_003 [1 | 2 [PAGE]]
"""

import sys
import time
from pathlib import Path

import page
import page_two
import table
import table_two
from experiments import CORE_HZ
from instrument import Instrument

from cyclescope.firmware.boards import FOLDER

EXPERIMENTS = 7_500
BATCHES = 20
SEED = 1
DOCS = FOLDER.parent / "docs"


def table_1(path: Path, pictures: Path) -> None:
    instrument = Instrument(CORE_HZ)
    begun = time.monotonic()
    batches = table.run(instrument, EXPERIMENTS, BATCHES, SEED)
    minutes = (time.monotonic() - begun) / 60
    found = table.entries(batches)
    path.write_text(page.text(instrument, batches, found, EXPERIMENTS, SEED))
    page.draw(instrument, found, pictures)
    print(f"{path}: {EXPERIMENTS:,} experiments of each row in {minutes:.1f} minutes")


def table_2(path: Path) -> None:
    begun = time.monotonic()
    measured, seconds = table_two.execute(), table_two.reference_edges()
    print(f"table 2: executed in {time.monotonic() - begun:.0f} s", flush=True)
    tables = table_two.estimate(measured, seconds, table_two.SEEDS[0])
    covered = table_two.coverage(measured, seconds)
    path.write_text(page_two.text(measured, tables, covered, len(seconds) - 1))
    print(f"{path}: {(time.monotonic() - begun) / 60:.1f} minutes")


def main(which: str | None = None, file: str | None = None) -> None:
    path = Path(file) if file else None
    if which in (None, "1"):
        table_1(
            path or DOCS / "reference" / "table-1.md", path.parent if path else DOCS / "pictures"
        )
    if which in (None, "2"):
        table_2(path or DOCS / "reference" / "table-2.md")


if __name__ == "__main__":
    main(*sys.argv[1:])
