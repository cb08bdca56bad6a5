"""Measurements of the baseline and of head: commands of cyclescope, on virtual boards."""

import json
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

LIMIT_S = 900
"""A measurement that takes longer has failed."""


@dataclass(frozen=True)
class Part:
    """One command, which must succeed and print JSON.

    `{out}` is its results folder; `{inputs}` and `{results}` are the baseline's examples and
    results.
    """

    command: str
    needs: tuple[str, ...] = ()
    """Parts whose folders of the same checkout it reads."""


PARTS = {
    "freertos": Part("characterize --seed 1 --out {out} --json"),
    "newlib": Part("characterize --kernel bare --seed 1 --out {out} --json"),
    "picolibc": Part("characterize --kernel bare --library picolibc --seed 1 --out {out} --json"),
    "lab": Part("characterize --board lpc2148-lab --code lab --seed 1 --out {out} --json"),
    "thumb": Part(
        "characterize --isa thumb --mam 0 --layouts 1 --energy --seed 1 --out {out} --json"
    ),
    "sram": Part(
        "characterize --class queues --code sram --overhead pair --seed 1 --out {out} --json"
    ),
    "options": Part("options --case queue_send.* configUSE_QUEUE_SETS --seed 1 --out {out} --json"),
    "switch": Part("switch --seed 1 --out {out} --json"),
    "realtime": Part("realtime --samples 200 --seed 1 --out {out} --json"),
    "realtime_interrupts": Part(
        "realtime --indicator switching --indicator interrupt --load 0 --load 30"
        " --load-kind interrupts --samples 100 --seed 1 --out {out} --json"
    ),
    "time_techniques": Part(
        "time {inputs}/fragments/hundred_cycles.c --function hundred_cycles --technique all"
        " --out {out} --json"
    ),
    "time_call": Part(
        "time {inputs}/fragments/sum_of_squares.c --call 'sum_of_squares(values, 8)'"
        " --timer timer1 --out {out} --json"
    ),
    "time_initialised": Part(
        "time {inputs}/fragments/insertion_sort.c --isa thumb --mam 1 --out {out} --json"
    ),
    "time_edges": Part("time {inputs}/fragments/delta_coder.c --blocks --out {out} --json"),
    "time_blocks": Part(
        "time {inputs}/blocks/adpcm.c --isa thumb --code sram --blocks --out {out} --json"
    ),
    "compare": Part("compare newlib picolibc --why --json", needs=("newlib", "picolibc")),
    "export": Part("export freertos --to json", needs=("freertos",)),
    "older": Part("show {results}/freertos --json", needs=("freertos",)),
    "schedule": Part("schedule {inputs}/tasks/two_tasks.toml --json"),
    "power": Part("power {inputs}/power/joulescope.csv --json"),
}


@dataclass(frozen=True)
class Checkout:
    """A checkout to measure in: its name, its folder, and where its results go."""

    name: str
    root: Path
    results: Path

    def run(self, name: str, baseline: "Checkout", keep: bool) -> int:
        """Runs a part and returns its exit code; with `keep` an equal earlier run stands.

        Leaves the results folder NAME, standard output in NAME.json, errors in NAME.log.
        """
        words = shlex.split(PARTS[name].command)
        places = {"out": name, "inputs": baseline.root / "examples", "results": baseline.results}
        command = [word.format_map(places) for word in words]
        stamp = self.results / f"{name}.stamp"
        if keep and stamp.exists():
            earlier = json.loads(stamp.read_text())
            if earlier["command"] == command:
                return int(earlier["exit_code"])
        self.results.mkdir(parents=True, exist_ok=True)
        stamp.unlink(missing_ok=True)
        shutil.rmtree(self.results / name, ignore_errors=True)
        with (
            (self.results / f"{name}.json").open("w") as output,
            (self.results / f"{name}.log").open("w") as errors,
        ):
            python = str(self.root / ".venv" / "bin" / "python")
            done = subprocess.run(
                [python, "-m", "cyclescope", *command],
                cwd=self.results,
                stdout=output,
                stderr=errors,
                timeout=LIMIT_S,
            )
        stamp.write_text(json.dumps({"command": command, "exit_code": done.returncode}))
        return done.returncode


def chosen(patterns: Sequence[str]) -> list[str]:
    """The parts that match any of these patterns and what they need, in the table's order."""
    asked = [name for name in PARTS if any(fnmatchcase(name, one) for one in patterns or ["*"])]
    wanted = {*asked, *(need for name in asked for need in PARTS[name].needs)}
    return [name for name in PARTS if name in wanted]
