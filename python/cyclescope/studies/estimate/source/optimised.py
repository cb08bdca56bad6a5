"""The program as this machine's compiler optimises it, with how often each block executed.

gcc builds it twice. The first build counts the ways between blocks as its front end has them, and
runs here on the user's inputs. The second one reads these counts, and carries them through all that
it does to the tree.
"""

import os
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from cyclescope.firmware.application.host import (
    CONFIGURATION,
    KERNEL,
    KERNEL_SOURCES,
    POSIX_PORT,
)
from cyclescope.firmware.application.source import Application
from cyclescope.sources.host_compiler import HostCompiler, host_compiler
from cyclescope.studies.estimate.source.gimple import GimpleFunction, read
from cyclescope.studies.estimate.source.guesses import guess_ways
from cyclescope.studies.estimate.source.types import Types, static_functions, types_of

OPTIONS = (
    "-std=gnu99",
    "-w",
    "-ffunction-sections",
    "-fdata-sections",
    "-fno-common",
    "-fno-pie",
    "-fno-tree-vectorize",
    "-fno-tree-slp-vectorize",
    "-fno-store-merging",
    "-fdisable-tree-bswap",
)
"""As programs are compiled for boards, and without what their cores do not have.

An ARM7TDMI reads no word from an address of bytes, so its compiler joins no loads of bytes.
"""
COUNTING = ("-fprofile-arcs",)
COUNTED = ("-fbranch-probabilities", "--param", "hot-bb-count-ws-permille=1000")
"""All that executes is optimised for speed alike: the target's compiler has no counts."""
TIMEOUT_S = 600


@dataclass(frozen=True)
class OptimisedProgram:
    """All functions of a program after optimisation."""

    level: str
    functions: tuple[GimpleFunction, ...]
    types: Types


def optimised(
    application: Application,
    arguments: Sequence[str],
    inputs: Mapping[str, bytes],
    kernel: str = "bare",
) -> OptimisedProgram:
    """Builds and runs a program here; `arguments` begin with its name."""
    compiler = host_compiler()
    with TemporaryDirectory(prefix="cyclescope-") as scratch, ThreadPoolExecutor() as pool:
        home = Path(scratch)
        options = (*compiler.types, *OPTIONS, *_kernel_options(kernel))
        units = [
            _Unit(compiler, home, number, (*options, *application.arguments(source)))
            for number, source in enumerate(application.sources)
        ]
        further = [
            (compiler, (*compiler.types, "-w", "-O1", *_kernel_options(kernel)), source, home)
            for source in (KERNEL_SOURCES if kernel != "bare" else ())
        ]
        objects = [*pool.map(_Unit.counting, units)]
        objects += pool.map(lambda one: _compiled(*one), further)
        compiler.run(
            (
                *(*compiler.types, "-no-pie", "-pthread", *map(str, objects)),
                *("-lgcov", "-lm", "-o", str(home / "program")),
            )
        )
        _run(home, arguments, inputs)
        counted = pool.map(lambda one: one.dump(COUNTED), units)
        plain = pool.map(lambda one: one.dump(()), units)
        texts = list(pool.map(_Unit.preprocessed, units))
        return optimised_of(application.level, list(zip(counted, plain, texts, strict=True)))


def optimised_of(level: str, units: Sequence[tuple[str, str, str]]) -> OptimisedProgram:
    """The program of some files: each has its tree with counts, that without, and its text."""
    functions: list[GimpleFunction] = []
    for counted, plain, text in units:
        found = tuple(read(counted))
        guess_ways(found, tuple(read(plain)))
        near = set(static_functions(text))
        for function in found:
            function.near = frozenset(near)
            near.add(function.name)
        functions += found
    return OptimisedProgram(level, tuple(functions), types_of(text for _, _, text in units))


@dataclass(frozen=True)
class _Unit:
    """A file of the program, and how it is compiled."""

    compiler: HostCompiler
    home: Path
    number: int
    options: tuple[str, ...]

    def counting(self) -> Path:
        to = self.home / f"{self.number}.o"
        self.compiler.run((*self.options, *COUNTING, "-c", "-o", str(to)))
        return to

    def dump(self, options: tuple[str, ...]) -> str:
        """The tree after optimisation; a file that has no functions has none."""
        to = self.home / f"{self.number}{len(options)}.tree"
        dumped = f"-fdump-tree-optimized-lineno-blocks-details={to}"
        # The compiler finds the counts by the name of the object.
        self.compiler.run(
            (*self.options, *options, dumped, "-S", "-o", str(self.home / f"{self.number}.s"))
        )
        return to.read_text(errors="replace") if to.exists() else ""

    def preprocessed(self) -> str:
        return self.compiler.run((*self.options, "-E", "-P")).decode(errors="replace")


def _kernel_options(kernel: str) -> tuple[str, ...]:
    if kernel == "bare":
        return ()
    folders = (CONFIGURATION, KERNEL / "include", POSIX_PORT, POSIX_PORT / "utils")
    return ("-pthread", *(f"-I{one}" for one in folders))


def _compiled(compiler: HostCompiler, options: tuple[str, ...], source: Path, home: Path) -> Path:
    to = home / f"kernel-{source.stem}.o"
    compiler.run((*options, "-c", str(source), "-o", str(to)))
    return to


def _run(home: Path, arguments: Sequence[str], inputs: Mapping[str, bytes]) -> None:
    folder = home / "files"
    folder.mkdir()
    for name, content in inputs.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    subprocess.run(
        [str(home / "program"), *arguments[1:]],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIMEOUT_S,
        env={**os.environ, "GCOV_PREFIX": ""},
    )
