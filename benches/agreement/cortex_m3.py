"""Runs of instructions on a real Cortex-M3, replayed by the engine's test of conformance."""

import os
import re
import subprocess
from pathlib import Path

from agreement.data import About, Agreement, Case

NAME = "cortex-m3"
FILE = "README.md"
"""Beside it lie the recordings, a file for each group."""
ABOUT = About(
    "Cortex-M3", "stm32f100rb", "the cmemu project (University of Warsaw), on an STM32F100RB",
    "a counter of the debug unit (CYCCNT, CPICNT, LSUCNT, FOLDCNT) over a run of instructions",
)  # fmt: skip
LEAST_SHARE = 0.995

ROOT = Path(__file__).resolve().parents[2]
COMMAND = (
    "cargo", "test", "--locked", "--release", "--quiet", "-p", "cyclescope-engine",
    "--test", "cortex_m3_conformance", "--", "--ignored", "--nocapture",
)  # fmt: skip
LINE = re.compile(r"^case (\S+) (\w+) (\d+) (\d+)$", re.MULTILINE)


def compare(folder: Path) -> Agreement:
    """Each case with the first counter that differs, or else the first it recorded."""
    environment = os.environ | {"CYCLESCOPE_VECTORS": str(folder.parent), "CYCLESCOPE_CASES": "1"}
    done = subprocess.run(
        COMMAND, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    cases = [
        Case(f"{name}, {counter}", float(recorded), float(counted))
        for name, counter, recorded, counted in LINE.findall(done.stdout)
    ]
    if not cases:
        done.check_returncode()
    return Agreement(NAME, cases, tolerance=0, least_share=LEAST_SHARE)
