"""Energies of cycles in calls: from metered training programs, for estimates of energy.

usage: .venv/bin/python benches/paper_000/energies.py

Reads examples/programs/true_times.json as `benches/paper_000 --energy` left it. A configuration's
figure is the mean of its programs without a kernel, each with at least 1 % of its cycles in calls.
The C library is the same at all levels, so they are one.
"""

import json
from collections import defaultdict
from statistics import fmean

from benchmark import FOLDER, programs
from configurations import CONFIGURATIONS
from split import trains

from cyclescope.studies.estimate.energies import FILE, MICRO_IN_NANO

LEAST_SHARE = 0.01
"""Of cycles in calls."""
DIGITS = 4


def main() -> None:
    truths = json.loads((FOLDER / "true_times.json").read_text())
    ratios: dict[str, list[float]] = defaultdict(list)
    for where in CONFIGURATIONS:
        for name, row in truths.get(where.name, {}).items():
            program = programs()[name]
            if "calls" not in row or program.kernel != "bare" or not trains(program.family):
                continue
            cycles, energy_uj = row["calls"]["cycles"], row["calls"]["energy_uj"]
            if cycles >= LEAST_SHARE * row["cycles"]:
                ratios[f"{where.memory} {where.isa}"].append(energy_uj / MICRO_IN_NANO / cycles)
    found = {}
    for memory, each in ratios.items():
        mean = fmean(each)
        spread = max(abs(one / mean - 1) for one in each)
        found[memory] = {
            "nanojoules": round(mean, DIGITS),
            "spread": round(spread, DIGITS),
            "programs": len(each),
        }
    FILE.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
