"""Our techniques, Google Benchmark and criterion on the same chains, in turn, at one time budget.

Every chain of n links lasts n times one link. So each tool's estimates must lie on a line through
nothing with the slope of one link. A reference times one link beside every estimate.

The figures of overlap.py in BUILD come before it on the page.

usage: python benches/host/compare.py BUILD [--budget-ms 5] [--repetitions 25]
       [--out docs/reference/host.md]
"""

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))

from cyclescope.studies.time.experiment_design import PROCESSES  # noqa: E402
from host import others, overlap_report, report  # noqa: E402
from host.ours import OURS, Ours  # noqa: E402

LENGTHS = (36, 50, 100, 150, 200, 250, 300)

Times = dict[str, dict[int, list[float]]]
"""Estimates in links of the chain, by tool and length."""


@dataclass
class Collected:
    """Results of the repetitions: estimates in links, and the links in ns."""

    links: Times = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    link_ns: list[float] = field(default_factory=list)

    def add(self, length: int, link_ns: float, estimates_ns: dict[str, float]) -> None:
        self.link_ns.append(link_ns)
        for tool, ns in estimates_ns.items():
            self.links[tool][length].append(ns / link_ns)


def main() -> None:
    arguments = parse()
    ours = {length: Ours(length, arguments.budget_ms) for length in LENGTHS}
    machine = ours[LENGTHS[0]].machine()
    rivals = others.build(arguments.build, others.like(machine))
    collected = Collected()
    before = others.reference(rivals)
    for repetition in range(arguments.repetitions):
        for length in LENGTHS:
            jobs: list[Callable[[], dict[str, float]]] = [
                partial(others.google_benchmark, rivals, length, arguments.budget_ms),
                partial(others.criterion, rivals, length, arguments.budget_ms),
                *(partial(ours[length].estimate, name) for name in OURS),
            ]
            turn = repetition % len(jobs)
            for job in jobs[turn:] + jobs[:turn]:
                estimates, after = job(), others.reference(rivals)
                collected.add(length, (before + after) / 2, estimates)
                before = after
        print(f"repetition {repetition + 1} of {arguments.repetitions}", file=sys.stderr)
    machine["load"] = "{:.1f} {:.1f} {:.1f} in 1, 5 and 15 minutes".format(*os.getloadavg())
    shares = {length: one.shares() for length, one in ours.items()}
    overlap = overlap_report.part(arguments.build, PROCESSES)
    arguments.out.write_text(report.page(arguments, machine, collected, shares, overlap))
    report.figures(ours[LENGTHS[0]], arguments.out.parent / "pictures")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--budget-ms", type=float, default=5)
    parser.add_argument("--repetitions", type=int, default=25)
    parser.add_argument(
        "--out", type=Path, default=HERE.parent.parent / "docs" / "reference" / "host.md"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
