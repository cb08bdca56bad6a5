"""Prints how much memory campaigns and reports take as the samples become more.

Every series is repeated 1, 10 and 100 times: as many samples more, of the same cases.

usage: python benches/campaign/memory.py [GLOB of cases]
"""

import json
import resource
import sys
import tempfile
from pathlib import Path

from measure import measured

from cyclescope.campaign import executors, technique
from cyclescope.campaign.campaign import Plan, collect
from cyclescope.target.case import SERIES_LENGTHS
from cyclescope.target.target import Selection
from cyclescope.targets import open_target

FOLDS = (1, 10, 100)
CASES = "yield.*"


def main() -> None:
    pattern = sys.argv[1] if len(sys.argv) > 1 else CASES
    print(f"Cases {pattern} of FreeRTOS on the LPC2148; peak resident memory in MB\n")
    print("| samples | parent | largest worker | show | report | report's size, MB |")
    print("|---|---|---|---|---|---|")
    for fold in FOLDS:
        with tempfile.TemporaryDirectory() as folder:
            campaign = measured([sys.executable, __file__, pattern, folder, str(fold)])
            found = json.loads(campaign.output)
            show, report = (
                measured([sys.executable, "-m", "cyclescope", verb, folder, "--json"])
                for verb in ("show", "report")
            )
            size_mb = (Path(folder) / "report.html").stat().st_size / 1e6
        print(
            f"| {found['samples']:,} | {found['parent_mb']:.0f} | {found['worker_mb']:.0f} "
            f"| {show.peak_mb:.0f} | {report.peak_mb:.0f} | {size_mb:.1f} |",
            flush=True,
        )


def measure(pattern: str, folder: Path, fold: int) -> None:
    """Makes the campaign in this process, and prints what it took."""
    lengths = SERIES_LENGTHS * fold
    with open_target(Selection("lpc2148", "freertos")) as target, executors.local(2) as executor:
        plan = Plan(pattern, lengths=lengths)
        using = technique.find("direct")
        results = collect([target], using, plan, folder, executor=executor, jobs=2)
    samples = sum(record.samples for record in results.manifest.runs)
    parent, worker = (
        resource.getrusage(who).ru_maxrss / 1024
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    print(json.dumps({"samples": samples, "parent_mb": parent, "worker_mb": worker}))


if __name__ == "__main__":
    if len(sys.argv) == 4:
        measure(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
    else:
        main()
