"""Counted runs: builds the counted copy for the host, runs it, and reads its counts."""

import os
import re
import shutil
import signal
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cyclescope.sources import board_model, cache, dumps, library_calls, meaning
from cyclescope.sources.counts import InlinedCopy, SourceCounts
from cyclescope.sources.host_compiler import RUNTIME, HostCompiler, host_compiler
from cyclescope.sources.host_kernel import HostKernel, KernelPrices
from cyclescope.sources.instrumented import Instrumented, SourceUnit, preprocessed
from cyclescope.sources.line_markers import LineMarkers
from cyclescope.sources.syntax import SourceError

OWN = ("counting", "sort")
"""Files of the runtime that each counted program has."""
ENVIRONMENT = "CYCLESCOPE_COUNTS"
CLOCK = "CYCLESCOPE_PRICES"
INLINED = "CYCLESCOPE_INLINED"
COPY = struct.Struct("<5I")
"""As runtime/counting.c reads a copy: within, function, call there, callee, copy."""
PRICES, COPIES = "prices", "copies"
DIED_AT = "CYCLESCOPE_DIED_AT"
GRACE_SECONDS = 2
UNIT = re.compile(r"/unit\d+\.i:")
ELF32 = b"\x01"
"""The class of an ELF file with addresses of 32 bits."""


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
    seconds: float | None = None,
    copies: tuple[InlinedCopy, ...] = (),
) -> CountedRun:
    """Counts one run of a program on this machine.

    `folder` is where it runs, a scratch folder if None; `given` is its standard input,
    `libraries` what the linker needs (-lm), `seconds` how long it may run. With a kernel,
    `prices` are those of its clock. `copies` are those of functions in the target's image: what
    runs in each is counted by itself.
    """
    with tempfile.TemporaryDirectory(prefix="cyclescope-") as scratch:
        home = Path(scratch)
        where = folder or home / "run"
        where.mkdir(exist_ok=True)
        executable, described = _built(units, home, libraries, kernel)
        if kernel:
            clock = (prices or KernelPrices()).written(len(described.regions))
            (home / PRICES).write_text(clock)
        if copies:
            (home / COPIES).write_bytes(_written(copies, described))
        # The name that it has on a board: other arguments stand behind it.
        command = (units[0].path.stem, *arguments)
        run, contexts = _run(executable, command, where, given, home / "counts", seconds)
        found = meaning.counted(described, dumps.read(contexts))
        return CountedRun(found.model_copy(update={"copies": copies}), run)


def _written(copies: Sequence[InlinedCopy], described: SourceCounts) -> bytes:
    first: dict[int, int] = {}
    of_region = {region: one.id for one in described.functions for region in one.regions}
    for call in described.calls:
        first.setdefault(of_region[call.region], call.id)
    return b"".join(
        COPY.pack(one.within, one.function, one.call - first[one.function], one.callee, one.entered)
        for one in copies
    )


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
        own = [
            pool.submit(compiler.compiled, RUNTIME / f"{one}.c", home / f"{one}.o") for one in OWN
        ]
        jobs: list[Future[None]] = []

        def compile_next(text: bytes) -> None:
            number = len(jobs)
            jobs.append(pool.submit(_object, compiler, units[number], text, home, number + 1))

        named = kernel.calls if kernel else frozenset[str]()
        program = Instrumented(units, compiler, texts, compile_next, named)
        # Meanwhile the places of all that is counted are found.
        found = meaning.described(program)
        for job in (*own, *jobs):
            job.result()
    objects = [home / f"{number}.o" for number in range(1, len(jobs) + 1)]
    model = board_model.objects(compiler) if _is_modelled(program) else []
    compiled = [*(kernel.built(compiler) if kernel else []), *(home / f"{one}.o" for one in OWN)]
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
    executable: Path,
    command: Sequence[str],
    folder: Path,
    given: bytes,
    counts: Path,
    seconds: float | None,
) -> tuple[HostOutcome, bytes]:
    died_at = counts.with_suffix(".died")
    running = subprocess.Popen(
        command,
        executable=executable,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={
            **os.environ,
            ENVIRONMENT: str(counts),
            DIED_AT: str(died_at),
            CLOCK: str(counts.with_name(PRICES)),
            INLINED: str(counts.with_name(COPIES)),
        },
    )
    ended = True
    with running:
        try:
            output, errors = running.communicate(given, seconds)
        except subprocess.TimeoutExpired:
            ended = False
            # Its handler writes where it is; a program that ignores this is killed.
            running.send_signal(signal.SIGXCPU)
            try:
                running.communicate(timeout=GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                running.kill()
        except BaseException:
            running.kill()
            raise
    if not ended:
        raise SourceError(
            f"{_place(executable, died_at)}the program did not end within {seconds:g} s on this "
            "machine: give it a smaller input or a longer limit",
            code="counted-run-too-long",
        )
    if running.returncode < 0 and not counts.exists():
        raise SourceError(
            f"{_place(executable, died_at)}the program died of {_named(-running.returncode)} on "
            "this machine: it must run on the host with the same arguments",
            code="counted-program-died",
        )
    if not counts.exists():
        raise SourceError(
            "the program ended without writing its counts: end it by main, exit or abort",
            code="counts-not-written",
        )
    return HostOutcome(running.returncode, output, errors), counts.read_bytes()


def _named(number: int) -> str:
    try:
        return f"{signal.Signals(number).name} (signal {number})"
    except ValueError:
        return f"signal {number}"


def _place(executable: Path, died_at: Path) -> str:
    """The line where a program died or was stopped, and a colon; nothing if it is unknown."""
    content = died_at.read_bytes() if died_at.exists() else b""
    size = 4 if executable.read_bytes()[4:5] == ELF32 else 8
    addresses = [
        int.from_bytes(content[at : at + size], "little") - 1 for at in range(0, len(content), size)
    ]
    command = ["addr2line", "-i", "-e", str(executable), *map(hex, addresses)]
    try:
        found = subprocess.run(command, capture_output=True, text=True).stdout if addresses else ""
    except FileNotFoundError:
        return ""
    lines = (one.split(" (")[0] for one in found.splitlines())
    known = (one for one in lines if not one.startswith("??") and not one.endswith((":0", ":?")))
    # Functions of counted.h stand in the unit's text, which is no file of the user.
    place = next((one for one in known if not UNIT.search(one)), "")
    return f"{place}: " if place else ""
