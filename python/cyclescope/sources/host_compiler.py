"""The host's compiler, with the target's types as far as it can have them."""

import re
import subprocess
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from clang import cindex

from cyclescope.sources.syntax import OLD_C, SourceError

ALIKE = ("-funsigned-char", "-fshort-enums")
"""As the embedded ABI of ARM has it, unlike hosts."""
ILP32 = ("-m32", "-msse2", "-mfpmath=sse")
"""32-bit int, long and pointers; doubles without the 80 bits of the x87."""
NO_MACHINE = tuple(
    f"-U{name}"
    for name in (
        *("i386", "__i386", "__i386__", "__x86_64", "__x86_64__", "__amd64", "__amd64__"),
        *("__MMX__", "__SSE__", "__SSE2__", "__SSE_MATH__", "__SSE2_MATH__"),
    )
)
"""A program's own code for this machine would not execute on the target."""
TRIPLES = {True: "i386-pc-linux-gnu", False: "x86_64-pc-linux-gnu"}
PREPROCESSING = ("-E", "-D__NO_CTYPE", *NO_MACHINE)
"""Without the host's macros for functions of <ctype.h>: they are calls."""
OF_LOOPS = re.compile(
    rb"^[ \t]*#[ \t]*pragma[ \t]+(?:GCC[ \t]+(?:unroll|ivdep|novector)|(?:no)?unroll|omp)\b[^\n]*",
    re.M,
)
"""Directives that only a loop may follow: no counter may stand between. They change no count."""
MACROS = "/cyclescope/gcc_macros.h"
"""A file that libclang finds in memory."""
RUNTIME = Path(__file__).parent / "runtime"
WRAPPED = ("exit", "_exit", "_Exit", "quick_exit", "abort")
FIXED = ("-g1", "-fno-pie")
"""Lines of a program that dies are found by its addresses."""
OPTIMISED = ("-O2", "-w", "-fno-strict-aliasing")


@dataclass(frozen=True)
class HostCompiler:
    """gcc of this machine; `is_ilp32` says whether it compiles for 32 bits."""

    command: str
    is_ilp32: bool

    @property
    def types(self) -> tuple[str, ...]:
        """Options that set the sizes of types."""
        return (*(ILP32 if self.is_ilp32 else ()), *ALIKE)

    @property
    def parsing(self) -> tuple[str, ...]:
        """The same for libclang."""
        return ("-target", TRIPLES[self.is_ilp32], *ALIKE)

    @cached_property
    def version(self) -> bytes:
        """Its name and version, in its own words."""
        return self.run(("--version",))

    @cached_property
    def declarations(self) -> bytes:
        """The text that stands in front of each counted unit."""
        return self.run(("-E", "-P", *self.types, str(RUNTIME / "counted.h")))

    def preprocessed(self, source: Path, options: tuple[str, ...]) -> bytes:
        """The text of a source after the preprocessor, with line markers; directives of loops are
        spaces."""
        text = self.run((*PREPROCESSING, *self.types, *options, str(source)))
        return OF_LOOPS.sub(lambda found: b" " * len(found[0]), text)

    def original(self, source: Path, options: tuple[str, ...]) -> Any:
        """The unit of a source as it is, parsed by libclang with gcc's macros and headers."""
        macros, folders = _surroundings(self, tuple(one for one in options if "std" in one))
        arguments = ["-w", "-ferror-limit=0", "-undef", "-nostdinc", "-include", MACROS]
        arguments += [f"-isystem{folder}" for folder in folders]
        arguments += [*self.parsing, *PREPROCESSING[1:], *OLD_C, *options]
        # As clang has it; syntax.py does the same to the preprocessed text.
        macros = macros.replace("__WCHAR_TYPE__ long int", "__WCHAR_TYPE__ int")
        macros_file = (MACROS, macros)
        return cindex.Index.create().parse(str(source), args=arguments, unsaved_files=[macros_file])

    def compiled(self, source: Path, to: Path, options: tuple[str, ...] = ()) -> None:
        """Compiles to an object file."""
        self.run((*self.types, *OPTIMISED, *FIXED, *options, "-c", str(source), "-o", str(to)))

    def linked(self, objects: list[Path], to: Path, libraries: tuple[str, ...]) -> None:
        """Links an executable that writes its counts at its end."""
        wraps = (f"-Wl,--wrap={name}" for name in WRAPPED)
        self.run((*self.types, "-no-pie", *map(str, objects), *wraps, *libraries, "-o", str(to)))

    def run(self, options: tuple[str, ...], errors: bool = False) -> bytes:
        """Returns what the compiler prints, or says of its work; refuses with its first error."""
        done = subprocess.run([self.command, *options], capture_output=True)
        if done.returncode:
            lines = done.stderr.decode(errors="replace").splitlines()
            first = next(
                (one for one in lines if "error" in one or "undefined" in one), "it failed"
            )
            raise SourceError(
                f"{self.command}: {first}: correct the source or its options",
                code="source-does-not-compile",
            )
        return done.stderr if errors else done.stdout


@cache
def _surroundings(compiler: HostCompiler, options: tuple[str, ...]) -> tuple[str, list[str]]:
    """The macros that the compiler brings, and the folders of its headers."""
    empty = ("-x", "c", "/dev/null")
    macros = compiler.run((*PREPROCESSING, "-dM", *compiler.types, *options, *empty)).decode()
    found = compiler.run(("-E", "-Wp,-v", *compiler.types, *empty), errors=True).decode()
    listed = found.partition("<...> search starts here:\n")[2].partition("End of search")[0]
    return macros, listed.split()


@cache
def host_compiler(command: str = "gcc") -> HostCompiler:
    """Finds out whether this machine's compiler can build and link for 32 bits."""
    wanted = (("-print-file-name=crt1.o",), ("-print-libgcc-file-name",))
    try:
        found = [HostCompiler(command, True).run((*ILP32, *one)) for one in wanted]
    except FileNotFoundError as error:
        raise SourceError(
            f"{command} is missing: install Debian's gcc and gcc-multilib",
            code="host-compiler-missing",
        ) from error
    return HostCompiler(command, all(Path(one.decode().strip()).is_file() for one in found))
