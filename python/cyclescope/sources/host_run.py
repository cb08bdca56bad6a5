"""Counted runs: builds the counted copy for the host, runs it, and reads its counts."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cyclescope.sources import board_model, cache, dumps, library_calls, meaning
from cyclescope.sources.counts import SourceCounts
from cyclescope.sources.host_compiler import RUNTIME, HostCompiler, host_compiler
from cyclescope.sources.host_kernel import HostKernel, KernelPrices
from cyclescope.sources.instrumented import Instrumented, SourceUnit, preprocessed
from cyclescope.sources.line_markers import LineMarkers
from cyclescope.sources.syntax import SourceError

OWN_OBJECT = "counting.o"
ENVIRONMENT = "CYCLESCOPE_COUNTS"
CLOCK = "CYCLESCOPE_PRICES"
PRICES = "prices"


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
    kernel: HostKernel | None = None,
    prices: KernelPrices | None = None,
) -> CountedRun:
    """Counts one run of a program on this machine.

    `folder` is where it runs, a scratch folder if None; `given` is its standard input,
    `libraries` what the linker needs (-lm). With a kernel, `prices` are those of its clock.
    """
    with tempfile.TemporaryDirectory(prefix="cyclescope-") as scratch:
        home = Path(scratch)
        where = folder or home / "run"
        where.mkdir(exist_ok=True)
        executable, described = _built(units, home, libraries, kernel)
        if kernel:
            clock = (prices or KernelPrices()).written(len(described.regions))
            (home / PRICES).write_text(clock)
        run, contexts = _run(executable, arguments, where, given, home / "counts")
        return CountedRun(meaning.counted(described, dumps.read(contexts)), run)


def _built(
    units: Sequence[SourceUnit],
    home: Path,
    libraries: tuple[str, ...],
    kernel: HostKernel | None,
) -> tuple[Path, SourceCounts]:
    """The counted program and what it counts, from the cache if they were built before."""
    compiler = host_compiler()
    texts = preprocessed(compiler, units)
    # Columns are those of the files, of which the preprocessed text says nothing.
    files = sorted({file for text in texts for file in LineMarkers(text).files})
    contents = (Path(file).read_bytes() if Path(file).is_file() else b"" for file in files)
    key = cache.key(
        [compiler.version, compiler.types, libraries, kernel, *units, *texts, *files, *contents]
    )
    executable, described = cache.find(f"{key}.elf"), cache.find(f"{key}.json")
    if executable and described:
        kept = home / "counted"
        shutil.copy(executable, kept)
        return kept, SourceCounts.model_validate_json(described.read_bytes())
    cache.clear()
    with ThreadPoolExecutor(max(os.cpu_count() or 1, 2)) as pool:
        jobs = [pool.submit(compiler.compiled, RUNTIME / "counting.c", home / OWN_OBJECT)]

        def compile_next(text: bytes) -> None:
            jobs.append(pool.submit(_object, compiler, units[len(jobs) - 1], text, home, len(jobs)))

        named = kernel.calls if kernel else frozenset[str]()
        program = Instrumented(units, compiler, texts, compile_next, named)
        # Meanwhile the places of all that is counted are found.
        found = meaning.described(program)
        for job in jobs:
            job.result()
    objects = [home / f"{number}.o" for number in range(1, len(jobs))]
    model = board_model.objects(compiler) if _is_modelled(program) else []
    compiled = [*(kernel.built(compiler) if kernel else []), home / OWN_OBJECT]
    compiler.linked([*objects, *model, *compiled], home / "counted", libraries)
    cache.keep(f"{key}.elf", home / "counted")
    cache.keep(f"{key}.json", found.model_dump_json())
    return home / "counted", found


def _object(compiler: HostCompiler, unit: SourceUnit, text: bytes, home: Path, number: int) -> None:
    """Compiles a counted unit to NUMBER.o, or finds it in the cache."""
    options = ("-fpreprocessed", *_dialect(unit.options))
    key = cache.key([compiler.version, compiler.types, options, text])
    kept, to = cache.find(f"{key}.o"), home / f"{number}.o"
    if kept:
        shutil.copy(kept, to)
        return
    source = home / f"unit{number}.i"
    source.write_bytes(text)
    compiler.compiled(source, to, options)
    cache.keep(f"{key}.o", to)


def _is_modelled(program: Instrumented) -> bool:
    """Whether it calls streams or files."""
    return any(
        call.values == library_calls.EVENTS
        for function in program.functions
        for call in function.found.calls
    )


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
        env={**os.environ, ENVIRONMENT: str(counts), CLOCK: str(counts.with_name(PRICES))},
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
