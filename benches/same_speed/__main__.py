"""Times the baseline and head in turn and prints the ratios: `make same-speed`.

The baseline is that of `benches/same_results`. A first run of each is not counted. Each figure is
the median of the pairs; a ratio above 1 means that head is slower.
"""

import argparse
import os
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benches"))

from same_results import baseline  # noqa: E402
from same_results.parts import Checkout  # noqa: E402
from same_speed.measures import MEASURES, Figures  # noqa: E402

BASELINE = ROOT / "build" / "same_results" / "baseline"
RESULTS = ROOT / "build" / "same_speed"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="benches/same_speed", description="Times the baseline and head in turn."
    )
    parser.add_argument("--only", choices=MEASURES, action="append", help="may be given again")
    parser.add_argument("--pairs", type=int, default=5, help="runs of each (default: 5)")
    asked = parser.parse_args()
    checkouts = [
        Checkout("baseline", BASELINE, RESULTS / "baseline"),
        Checkout("head", ROOT, RESULTS / "head"),
    ]
    try:
        baseline.make(ROOT, BASELINE)
        for checkout in checkouts:
            baseline.check(checkout.root)
    except baseline.BaselineError as error:
        sys.exit(str(error))
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start, n = {asked.pairs}\n"
    )
    print("| time | baseline | head | head / baseline |")
    print("|---|--:|--:|--:|")
    for name in asked.only or MEASURES:
        timed: list[list[Figures]] = []
        for _ in range(1 + asked.pairs):
            timed.append([MEASURES[name](checkout) for checkout in checkouts])
        for line in table(timed[1:]):
            print(line, flush=True)
    print("\nCells: median (least to most); ratios are of pairs that ran one after the other.")


def table(pairs: Sequence[Sequence[Figures]]) -> list[str]:
    """A line for each figure, from pairs of baseline and head."""
    lines = []
    names = dict.fromkeys(name for pair in pairs for figures in pair for name in figures)
    for name in names:
        before, after = ([pair[at].get(name) for pair in pairs] for at in (0, 1))
        old = [one for one in before if one is not None]
        new = [one for one in after if one is not None]
        ratios = [b / a for a, b in zip(old, new, strict=False)]
        cells = [cell(values) if len(values) == len(pairs) else "–" for values in (old, new)]
        lines.append(f"| {name} | {' | '.join(cells)} | {cell(ratios) if ratios else '–'} |")
    return lines or ["| nothing was printed that can be read | – | – | – |"]


def cell(values: Sequence[float]) -> str:
    """Median and range."""
    return f"{statistics.median(values):.3f} ({min(values):.3f} to {max(values):.3f})"


if __name__ == "__main__":
    main()
