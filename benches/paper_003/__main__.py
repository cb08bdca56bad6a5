"""Table 1 of paper 003, executed on the virtual ATmega2560 and recorded by a simulated card.

usage: python benches/paper_003 [experiments] [page]
"""

import sys
import time
from pathlib import Path

import page
from instrument import CARD, Instrument
from table import entries, run

from cyclescope.firmware.boards import FOLDER

EXPERIMENTS = 7_500
BATCHES = 20
WORKERS = 2
SEED = 1
PAGE = FOLDER.parent / "docs" / "reference" / "table-1.md"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else EXPERIMENTS
    path = Path(sys.argv[2]) if len(sys.argv) > 2 else PAGE
    from experiments import CORE_HZ

    instrument = Instrument(CORE_HZ)
    begun = time.monotonic()
    batches = run(instrument, count, BATCHES, WORKERS, SEED)
    minutes = (time.monotonic() - begun) / 60
    found = entries(batches)
    path.write_text(page.text(instrument, batches, found, count, minutes, SEED))
    pictures = path.parent.parent / "pictures"
    page.draw(instrument, found, pictures if path == PAGE else path.parent)
    print(f"{path}: {count:,} experiments of each row in {minutes:.1f} minutes, {CARD}")


if __name__ == "__main__":
    main()
