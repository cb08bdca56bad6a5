"""Counted runs: builds the counted copy for the host, runs it, and reads its counts."""

import os
import struct
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cyclescope.sources import meaning
from cyclescope.sources.counts import CallContext, SourceCounts
from cyclescope.sources.host_compiler import RUNTIME, host_compiler
from cyclescope.sources.instrumented import Instrumented, SourceUnit
from cyclescope.sources.syntax import SourceError

HEAD = struct.Struct("<6Q")
"""The words before the counts of a context (runtime/counting.c)."""
NONE = 2**64 - 1
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
    with tempfile.TemporaryDirectory(prefix="cyclescope-") as scratch:
        home = Path(scratch)
        program = Instrumented(units, host_compiler())
        executable = built(program, home, libraries)
        where = folder or home / "run"
        where.mkdir(exist_ok=True)
        run, contexts = _run(executable, arguments, where, given, home / "counts")
        return CountedRun(_counts(program, contexts), run)


def built(program: Instrumented, home: Path, libraries: tuple[str, ...] = ()) -> Path:
    """Builds the counted program in a folder and returns the executable."""
    compiler = program.compiler
    sources = [home / f"unit{number}.i" for number in range(len(program.texts))]
    for source, text in zip(sources, program.texts, strict=True):
        source.write_bytes(text)
    jobs: list[tuple[Path, tuple[str, ...]]] = [
        (source, ("-fpreprocessed", *_dialect(unit.options)))
        for source, unit in zip(sources, program.units, strict=True)
    ]
    jobs.append((RUNTIME / "counting.c", ()))
    objects = [home / f"object{number}.o" for number in range(len(jobs))]
    with ThreadPoolExecutor() as pool:
        made = [
            pool.submit(compiler.compiled, source, to, options)
            for (source, options), to in zip(jobs, objects, strict=True)
        ]
        for one in made:
            one.result()
    compiler.linked(objects, home / "counted", libraries)
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


def _counts(program: Instrumented, dump: bytes) -> SourceCounts:
    contexts: list[CallContext] = []
    counted: list[tuple[int, int, int]] = []
    merged = False
    for head, counts in _contexts(dump):
        number, parent, call, function, _, many = head
        merged |= bool(many)
        numbered = program.functions[function]
        owner = None if parent == NONE else contexts[parent].function
        contexts.append(
            CallContext(
                id=number,
                parent=None if parent == NONE else parent,
                call=None if owner is None else program.functions[owner].first_call + call,
                function=function,
            )
        )
        first = numbered.first_region
        counted += [(number, first + region, n) for region, n in enumerate(counts) if n]
    return meaning.described(program, tuple(contexts), merged, tuple(counted))


def _contexts(dump: bytes) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    offset = 0
    while offset < len(dump):
        head = HEAD.unpack_from(dump, offset)
        regions = head[4]
        yield head, struct.unpack_from(f"<{regions}Q", dump, offset + HEAD.size)
        offset += HEAD.size + 8 * regions
