"""Our techniques beside long plain loops, on functions whose calls overlap or wait for each other.

Each measurement is what `cyclescope time --board host` does, with new processes. Between them runs
the long loop of the same function (loops.c), which knows nothing of our techniques. So both see the
same clock of the core. The measurements of a function go to a file of lines of JSON.

usage: python benches/host/overlap.py BUILD [--functions chain_8,same] [--repetitions 20]
"""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))

from cyclescope.firmware.fragment.plan import Observations  # noqa: E402
from cyclescope.studies.time.experiment_design import TimeOptions  # noqa: E402
from cyclescope.studies.time.measure import Timed, one_process  # noqa: E402
from cyclescope.studies.time.processes import estimate  # noqa: E402
from cyclescope.studies.time.targets import prepare  # noqa: E402
from cyclescope.studies.time.technique import find_fragment_technique  # noqa: E402
from cyclescope.target.target import Selection  # noqa: E402
from host import others  # noqa: E402

ALONE = ("nothing", "products", "sums", "filled")
FED = {
    "same": "3", "chain_8": "3", "chain_30": "3", "inverse": "3.0", "mixed": "3",
    "stirred": "3", "followed": "ring_start()", "added": "0",
}  # fmt: skip
"""Arguments of each function; the link keeps them."""
SORTS = {
    "nothing": "empty", "same": "empty", "products": "independent", "sums": "independent",
    "filled": "memory", "followed": "memory", "added": "memory", "mixed": "mixed",
    "stirred": "mixed", "chain_8": "dependent", "chain_30": "dependent", "inverse": "dependent",
}  # fmt: skip
LOOP_MS = 20
CFLAGS = ("-O2", "-falign-functions=64")
"""As a fragment is compiled: where a function lies in its line may be worth a cycle."""


def main() -> None:
    arguments = parse()
    loops = build(arguments.build)
    arguments.build.mkdir(parents=True, exist_ok=True)
    for name in arguments.functions.split(","):
        file = arguments.build / f"overlap-{name}.jsonl"
        file.write_text("")
        for found in measure(name, loops, arguments.repetitions):
            with file.open("a") as out:
                out.write(json.dumps(found) + "\n")
        print(name, file=sys.stderr)


def build(folder: Path) -> Path:
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    functions, loops = folder / "functions.o", folder / "loops"
    others.run("cc", *CFLAGS, "-c", HERE / "functions.c", "-o", functions)
    others.run("cc", "-O2", HERE / "loops.c", functions, "-o", loops)
    return loops


def measure(name: str, loops: Path, repetitions: int):  # type: ignore[no-untyped-def]
    """By kind the estimate, its half-width, and what the long loops took meanwhile, all in ns."""
    call = f"{name}({FED.get(name, '')})"
    selection = Selection("host", "bare", settings={"timer": "clock_gettime"})
    opened = prepare(selection, HERE / "functions.c", call, "-O2", TimeOptions())
    with opened as (target, design):
        fragment = design.fragment
        start = others.like(dict(target.conditions().machine))
        for _ in range(repetitions):
            taken: dict[str, list[Timed]] = {}
            looped = []
            for process in range(fragment.processes):
                looped.append(loop(start, loops, name))
                rounds = design.rounds // fragment.processes
                for case, series in one_process(target, fragment, rounds, process).items():
                    taken.setdefault(case, []).extend(series)
            looped.append(loop(start, loops, name))
            medians = {kind: [one[kind] for one in looped] for kind in looped[0]}
            found = {}
            for plan in fragment.plans:
                technique = find_fragment_technique(str(plan.technique))
                times = np.concatenate(
                    [times_of(one, len(plan.points)) for one in taken[plan.case]]
                )
                scaled = times * (1e9 / target.conditions().timer_hz / plan.turns)
                observed = Observations(plan.points, scaled, 1.0 / plan.turns, fragment.processes)
                one = estimate(technique, observed)
                kind = technique.kind.value
                found[kind] = {
                    "value": one.execution.value,
                    "half_width": one.execution.half_width,
                    "loops": medians[kind],
                    "turns": plan.turns,
                }
            yield {"function": name, "sort": SORTS[name], "chosen": fragment.chosen, **found}


def times_of(timed: Timed, points: int):  # type: ignore[no-untyped-def]
    """In counts, without the round that warms up."""
    samples = timed[0].samples
    return (samples.stop - samples.start).astype(np.float64).reshape(-1, points)[1:]


def loop(start: tuple[str, ...], loops: Path, name: str) -> Mapping[str, float]:
    throughput, latency = others.run(*start, loops, name, LOOP_MS).split()
    found = {"throughput": float(throughput)}
    return found if latency == "-" else found | {"latency": float(latency)}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--functions", default=",".join([*ALONE, *FED]))
    parser.add_argument("--repetitions", type=int, default=20)
    return parser.parse_args()


if __name__ == "__main__":
    main()
