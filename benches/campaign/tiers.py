"""Prints which tier executed the instructions of both catalogues, on one configuration in one process.

usage: python benches/campaign/tiers.py [tier]
"""

import os
import sys
import tempfile

from cyclescope.cli import main as cyclescope
from cyclescope.targets.virtual import target, tiers
from cyclescope.targets.virtual.board import Board, make_board

CATALOGUES = {"FreeRTOS": "freertos", "C library and files": "bare"}


def main() -> None:
    os.environ[tiers.VARIABLE] = sys.argv[1] if len(sys.argv) > 1 else "translated"
    print(f"tier {os.environ[tiers.VARIABLE]}, lpc2148, one process; loops that only wait are left out\n")
    print("| catalogue | million instructions | % stepped | % in blocks | % translated |")
    print("|---|--:|--:|--:|--:|")
    for name, kernel in CATALOGUES.items():
        counts = executed(["--board", "lpc2148", "--kernel", kernel])
        whole = sum(counts)
        parts = " | ".join(f"{100 * count / whole:.2f}" for count in counts)
        print(f"| {name} | {whole / 1e6:.1f} | {parts} |", flush=True)


def executed(options: list[str]) -> list[int]:
    """Instructions that were stepped, in blocks and translated, by all boards of a campaign."""
    made: list[Board] = []

    def kept(board: str) -> Board:
        made.append(make_board(board))
        return made[-1]

    target.make_board = kept  # type: ignore[attr-defined]
    try:
        with tempfile.TemporaryDirectory() as folder:
            sys.argv = ["cyclescope", "characterize", *options, "--jobs", "1", "--json", "--out", folder]
            output, sys.stdout = sys.stdout, open(os.devnull, "w")
            try:
                cyclescope()
            except SystemExit as ended:
                if ended.code:
                    raise
            finally:
                sys.stdout.close()
                sys.stdout = output
    finally:
        target.make_board = make_board  # type: ignore[attr-defined]
    return [sum(column) for column in zip(*(one.instructions_by_tier for one in made), strict=True)]


if __name__ == "__main__":
    main()
