"""The other tools: how they are built, and how each is asked for one chain's time in ns."""

import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
CFLAGS = ("-O2", "-falign-functions=16")
REFERENCE_MS = 2


@dataclass(frozen=True)
class Rivals:
    """The programs, where criterion may write, and what starts them (CPU and priority)."""

    google_benchmark: Path
    criterion: Path
    reference: Path
    folder: Path
    start: tuple[str, ...]


def build(folder: Path, start: tuple[str, ...]) -> Rivals:
    """Compiles them below `folder`."""
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    chains, google, reference = (
        folder / "chains.o",
        folder / "google_benchmark",
        folder / "reference",
    )
    run("cc", *CFLAGS, "-c", HERE / "chains.c", "-o", chains)
    run("c++", "-O2", HERE / "google_benchmark.cpp", chains, "-o", google, "-lbenchmark",
         "-lpthread")  # fmt: skip
    run("cc", "-O2", HERE / "reference.c", chains, "-o", reference)
    told = run(
        "cargo", "bench", "--locked", "--no-run", "--message-format=json",
        "--manifest-path", HERE / "criterion" / "Cargo.toml",
        environment={"CARGO_TARGET_DIR": str(folder / "cargo")},
    )  # fmt: skip
    messages = (json.loads(line) for line in told.splitlines() if line.startswith("{"))
    (criterion,) = (
        Path(message["executable"])
        for message in messages
        if message.get("executable") and message["target"]["kind"] == ["bench"]
    )
    return Rivals(google, criterion, reference, folder, start)


def like(machine: dict[str, str]) -> tuple[str, ...]:
    """Returns a prefix that starts a program on the host target's CPU, at its priority."""
    pinned = re.match(r"CPU (\d+)", machine["pinned_to"])
    fifo = ("chrt", "-f", "1") if machine["scheduler"].startswith("SCHED_FIFO") else ()
    return (*fifo, *(("taskset", "-c", pinned[1]) if pinned else ()))


def reference(rivals: Rivals) -> float:
    """One link in ns."""
    return float(run(*rivals.start, rivals.reference, REFERENCE_MS))


def google_benchmark(rivals: Rivals, length: int, budget_ms: float) -> dict[str, float]:
    told = run(
        *rivals.start,
        rivals.google_benchmark,
        f"--benchmark_filter=^chain_{length}$",
        f"--benchmark_min_time={budget_ms / 1e3}",
        "--benchmark_format=json",
    )
    (one,) = json.loads(told)["benchmarks"]
    assert one["time_unit"] == "ns"
    return {
        "Google Benchmark, real time": one["real_time"],
        "Google Benchmark, CPU time": one["cpu_time"],
    }


def criterion(rivals: Rivals, length: int, budget_ms: float) -> dict[str, float]:
    """Its headline, the slope, and the median that it also prints."""
    home = rivals.folder / "criterion"
    run(
        *rivals.start, rivals.criterion, "--bench", f"^chain_{length}$", "--quiet", "--noplot",
        environment={"BUDGET_MS": str(budget_ms), "CRITERION_HOME": str(home)},
    )  # fmt: skip
    told = json.loads((home / f"chain_{length}" / "new" / "estimates.json").read_text())
    slope = told["slope"] or told["mean"]
    return {
        "criterion, slope": slope["point_estimate"],
        "criterion, median": told["median"]["point_estimate"],
    }


def run(*command: object, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        env=os.environ | (environment or {}),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{command[0]} failed:\n{done.stderr.strip()[-2000:]}")
    return done.stdout
