"""Counted runs: builds the counted copy for the host, runs it, and reads its counts."""

import os
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cyclescope.sources import dumps, meaning
from cyclescope.sources.counts import SourceCounts
from cyclescope.sources.host_compiler import RUNTIME, host_compiler
from cyclescope.sources.instrumented import Instrumented, SourceUnit
from cyclescope.sources.syntax import SourceError

OWN_OBJECT = "counting.o"
ENVIRONMENT = "CYCLESCOPE_COUNTS"


@dataclass(frozen=True)
class HostOutcome:
    """Status (from main or exit) and output of a program on the host."""

    status: int
    output: bytes
    errors: bytes


@dataclass(frozen=True)
class CountedRun:
    """A counted run: its counts, and what the program did."""

    counts: SourceCounts
    run: HostOutcome


def count(
    units: Sequence[SourceUnit],
    arguments: Sequence[str] = (),
    folder: Path | None = None,
    given: bytes = b"",
    libraries: tuple[str, ...] = (),
) -> CountedRun:
    """Counts one run of a program on this machine.

    `folder` is where it runs, a scratch folder if None; `given` is its standard input,
    `libraries` what the linker needs (-lm).
    """
    compiler = host_compiler()
    with (
        tempfile.TemporaryDirectory(prefix="cyclescope-") as scratch,
        ThreadPoolExecutor(1) as pool,
    ):
        home = Path(scratch)
        where = folder or home / "run"
        where.mkdir(exist_ok=True)
        pool.submit(compiler.compiled, RUNTIME / "counting.c", home / OWN_OBJECT)
        program = Instrumented(units, compiler)

        def built_and_run() -> tuple[HostOutcome, bytes]:
            executable = _built(program, home, libraries)
            return _run(executable, arguments, where, given, home / "counts")

        running = pool.submit(built_and_run)
        # Meanwhile the places of all that is counted are found.
        for places in program.places:
            places.find()
        run, contexts = running.result()
        return CountedRun(meaning.described(program, dumps.read(contexts)), run)


def _built(program: Instrumented, home: Path, libraries: tuple[str, ...]) -> Path:
    """Builds the counted program beside its runtime's object and returns the executable."""
    compiler = program.compiler
    sources = [home / f"unit{number}.i" for number in range(len(program.texts))]
    for source, text in zip(sources, program.texts, strict=True):
        source.write_bytes(text)
    jobs: list[tuple[Path, tuple[str, ...]]] = [
        (source, ("-fpreprocessed", *_dialect(unit.options)))
        for source, unit in zip(sources, program.units, strict=True)
    ]
    objects = [home / f"object{number}.o" for number in range(len(jobs))]
    with ThreadPoolExecutor() as pool:
        made = [
            pool.submit(compiler.compiled, source, to, options)
            for (source, options), to in zip(jobs, objects, strict=True)
        ]
        for one in made:
            one.result()
    compiler.linked([*objects, home / OWN_OBJECT], home / "counted", libraries)
    return home / "counted"


def _dialect(options: tuple[str, ...]) -> tuple[str, ...]:
    """The options that still have a meaning after the preprocessor."""
    return tuple(one for one in options if one.startswith(("-std=", "-ansi", "-f")))


def _run(
    executable: Path, arguments: Sequence[str], folder: Path, given: bytes, counts: Path
) -> tuple[HostOutcome, bytes]:
    done = subprocess.run(
        [str(executable), *arguments],
        cwd=folder,
        input=given,
        capture_output=True,
        env={**os.environ, ENVIRONMENT: str(counts)},
    )
    if done.returncode < 0 and not counts.exists():
        raise SourceError(
            f"the program died of signal {-done.returncode} on this machine: "
            "it must run on the host with the same arguments",
            code="counted-program-died",
        )
    if not counts.exists():
        raise SourceError(
            "the program ended without writing its counts: end it by main, exit or abort",
            code="counts-not-written",
        )
    return HostOutcome(done.returncode, done.stdout, done.stderr), counts.read_bytes()
