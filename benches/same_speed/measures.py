"""Measures a checkout's speed: the engine in both tiers, a campaign, the start of the program."""

import json
import os
import re
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

from campaign.measure import Taken, measured
from same_results.parts import Checkout

Figures = dict[str, float]
"""Times by name; the name ends in the unit. Less is better."""

BOARD = re.compile(
    r"^(?:ARM, )?(?P<place>.+?) +plain +(?P<plain>[\d.]+), blocks +(?P<blocks>[\d.]+) ", re.M
)
CORE = re.compile(r"(?P<speed>[\d.]+) million instructions per second")
"""Returns the figures of the engine's benches: million instructions in a second."""


def board(checkout: Checkout) -> Figures:
    """Time of an instruction on a whole board, by place of the code and by tier."""
    found = list(BOARD.finditer(_bench(checkout, "board_speed").output))
    return {
        f"{one['place']}, {tier}, ns/instruction": 1e3 / float(one[tier])
        for tier in ("plain", "blocks")
        for one in found
    }


def core(checkout: Checkout) -> Figures:
    """Time of an instruction in the plain core, on a memory that costs nothing."""
    taken = _bench(checkout, "core_speed")
    found = CORE.search(taken.output)
    figures = {"core alone, ns/instruction": 1e3 / float(found["speed"])} if found else {}
    return {**figures, "core_speed, CPU s": taken.cpu_s}


def campaign(checkout: Checkout) -> Figures:
    """The catalogue of FreeRTOS; its images are built before by the run that is not counted."""
    taken = _cyclescope(checkout, "characterize", "--json", "--replace", "--out", "speed")
    return {"characterize, CPU s": taken.cpu_s, "characterize, wall s": taken.wall_s}


def start(checkout: Checkout) -> Figures:
    """Three commands that measure nothing: a run ends before its first instruction."""
    figures = {}
    checkout.results.mkdir(parents=True, exist_ok=True)
    (checkout.results / "zeros.bin").write_bytes(bytes(64))
    commands = {
        "--help": ["--help"],
        "list boards": ["list", "boards"],
        "run": ["run", *RUN.split()],
    }
    for name, command in commands.items():
        taken = _cyclescope(checkout, *command)
        figures[f"cyclescope {name}, CPU s"] = taken.cpu_s
        figures[f"cyclescope {name}, wall s"] = taken.wall_s
    return figures


RUN = "--load zeros.bin@0x40000000 --entry 0x40000000 --until cycles=1"
"""Options of a run that ends before its first instruction."""

MEASURES: dict[str, Callable[[Checkout], Figures]] = {
    "board": board,
    "core": core,
    "campaign": campaign,
    "start": start,
}


def _cyclescope(checkout: Checkout, *arguments: str) -> Taken:
    """Runs the program of a checkout in its folder of results."""
    checkout.results.mkdir(parents=True, exist_ok=True)
    os.chdir(checkout.results)
    return measured([str(checkout.root / ".venv/bin/python"), "-m", "cyclescope", *arguments])


def _bench(checkout: Checkout, name: str) -> Taken:
    """Runs a bench of the engine."""
    return measured([str(_built(checkout, name))])


@cache
def _built(checkout: Checkout, name: str) -> Path:
    """Builds a bench of the engine and returns its program."""
    command = "cargo bench --quiet --locked -p cyclescope-engine --no-run --message-format json"
    done = subprocess.run(
        [*command.split(), "--bench", name],
        cwd=checkout.root,
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"{checkout.root}: the bench {name} cannot be built")
    messages = (json.loads(line) for line in done.stdout.splitlines())
    made = [one for one in messages if one.get("executable") and one["target"]["name"] == name]
    return Path(made[-1]["executable"])
