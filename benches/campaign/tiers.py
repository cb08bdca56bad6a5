"""Prints which tier executed the instructions of both catalogues, on one configuration.

usage: python benches/campaign/tiers.py [tier]
"""

import contextlib
import os
import sys
import tempfile

from cyclescope.cli import main as cyclescope
from cyclescope.targets.virtual import target, tiers
from cyclescope.targets.virtual.board import Board, make_board

CATALOGUES = {"FreeRTOS": "freertos", "C library and files": "bare"}


def main() -> None:
    tier = sys.argv[1] if len(sys.argv) > 1 else "translated"
    os.environ[tiers.VARIABLE] = tier
    print(f"Tier {tier}, lpc2148, one process. Iterations that were skipped do not count.\n")
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

    def kept(board: str, otherwise: tiers.Tier) -> Board:
        made.append(make_board(board, otherwise))
        return made[-1]

    target.make_board = kept  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as nowhere:
        sys.argv = ["cyclescope", "characterize", *options, "--jobs", "1", "--json"]
        sys.argv += ["--out", folder]
        with contextlib.redirect_stdout(nowhere):
            try:
                cyclescope()
            except SystemExit as ended:
                if ended.code:
                    raise
    return [sum(column) for column in zip(*(one.instructions_by_tier for one in made), strict=True)]


if __name__ == "__main__":
    main()
