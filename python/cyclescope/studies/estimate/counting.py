"""Counted runs of whole programs: built for this machine, run there with the user's own inputs."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from cyclescope import input_files
from cyclescope.errors import CyclescopeError
from cyclescope.firmware.application import Application
from cyclescope.sources.counts import InlinedCopy, SourceCounts
from cyclescope.sources.host_compiler import host_compiler
from cyclescope.sources.host_kernel import HostKernel, KernelPrices
from cyclescope.sources.host_run import HostOutcome, count
from cyclescope.sources.instrumented import SourceUnit
from cyclescope.studies.estimate.source.optimised import OptimisedProgram

OPENED = Path(__file__).parent / "runtime" / "opened.c"
FOLDER, LIST = "CYCLESCOPE_INPUTS", "CYCLESCOPE_OPENED"
ON_HOST = "CYCLESCOPE_HOST"
"""A macro that only counted runs have, so that sources can leave out what runs on targets alone."""
DIALECT = "-std=gnu99"
COPIED, MISSING, STANDARD_INPUT = "cmi"


@dataclass(frozen=True)
class Inputs:
    """The arguments of a program after its name, and the files that it finds, by path.

    Files that it opens beyond these are copied from `folder`, if there is one.
    """

    arguments: tuple[str, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    folder: Path | None = None


@dataclass(frozen=True)
class CountedProgram:
    """A counted run: what was counted, what the program did, and the files that it found."""

    counts: SourceCounts
    run: HostOutcome
    files: Mapping[str, bytes]
    missing: tuple[str, ...]
    """Paths that it opened for reading in vain."""
    recount: Callable[[tuple[InlinedCopy, ...]], SourceCounts] | None = None
    """Counts the same run once more, each copy of a function by itself; None with a kernel."""
    trees: dict[str, OptimisedProgram] = field(default_factory=dict, compare=False, repr=False)
    """The program as this machine's compiler optimises it, by level, once it was asked for."""


def count_program(
    application: Application,
    inputs: Inputs,
    replaced: Mapping[Path, Path] | None = None,
    seconds: float | None = None,
    kernel: HostKernel | None = None,
    prices: KernelPrices | None = None,
    copies: tuple[InlinedCopy, ...] = (),
) -> CountedProgram:
    """Builds the counted copy of a program, and runs it in a scratch folder with its inputs.

    `replaced` are files that this machine compiles in place of others, `seconds` how long it may
    run. With a kernel, `prices` are those of its clock. `copies` are those of functions in an
    image, each to be counted by itself. Refuses a program that reads standard
    input: boards have none.
    """
    with TemporaryDirectory(prefix="cyclescope-") as scratch:
        home = Path(scratch)
        where, seen, opened = home / "files", home / "opened", home / "opened.o"
        where.mkdir()
        for name, content in inputs.files.items():
            _inside(where, name).parent.mkdir(parents=True, exist_ok=True)
            _inside(where, name).write_bytes(content)
        host_compiler().compiled(OPENED, opened)
        with _environment({LIST: str(seen)} | _folder(inputs.folder)):
            found = count(
                _units(application, replaced or {}, kernel),
                inputs.arguments,
                where,
                libraries=("-lm", str(opened), "-ldl"),
                kernel=kernel,
                prices=prices,
                seconds=seconds,
                copies=copies,
            )
        lines = seen.read_text(errors="replace").splitlines() if seen.exists() else []
    if any(line[0] == STANDARD_INPUT for line in lines):
        raise CyclescopeError(
            "the program reads standard input, which is empty on boards: let it read a file, "
            "and name that behind --",
            code="program-reads-standard-input",
        )
    copied = {
        line[1:]: input_files.read_there((inputs.folder or Path()) / line[1:])
        for line in lines
        if line[0] == COPIED
    }
    missing = dict.fromkeys(line[1:] for line in lines if line[0] == MISSING)
    files = {**inputs.files, **copied}

    def recount(copies: tuple[InlinedCopy, ...]) -> SourceCounts:
        again = replace(inputs, files=files)
        return count_program(application, again, replaced, seconds, copies=copies).counts

    return CountedProgram(
        found.counts, found.run, files, tuple(missing), recount if kernel is None else None
    )


def _folder(folder: Path | None) -> dict[str, str]:
    return {} if folder is None else {FOLDER: str(folder.resolve())}


def _inside(folder: Path, name: str) -> Path:
    """The place of an input; refuses one outside the program's folder."""
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()) or path == folder.resolve():
        raise CyclescopeError(
            f"the input {name} lies outside the program's folder: name a path below it, as in "
            "--input FILE=PATH",
            code="input-outside-folder",
        )
    return path


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Variables that processes started here have."""
    before = {name: os.environ.get(name) for name in (FOLDER, LIST)}
    for name in before:
        os.environ.pop(name, None)
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def _units(
    application: Application, replaced: Mapping[Path, Path], kernel: HostKernel | None
) -> Sequence[SourceUnit]:
    unknown = [one for one in replaced if one not in application.sources]
    if unknown:
        raise CyclescopeError(
            f"{unknown[0]} is none of the program's files: name one of them before the =",
            code="replaced-file-unknown",
        )
    options = (
        DIALECT,
        *(f"-I{folder}" for folder in application.includes),
        *(f"-D{one}" for one in (*application.defines, ON_HOST)),
        *application.options,
        *(kernel.options if kernel else ()),
    )
    return [
        SourceUnit(path, (*options, *([f"-I{one.parent}"] if path != one else [])))
        for one in application.sources
        for path in (replaced.get(one, one),)
    ]
