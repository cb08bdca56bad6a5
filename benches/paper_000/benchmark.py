"""The programs of the benchmark, as examples/programs/programs.toml lists them."""

import subprocess
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import inputs

from cyclescope.firmware.application import Application, HostRun, Memory, run_on_host
from cyclescope.firmware.build import ROOT

FOLDER = ROOT / "examples" / "programs"
PACKAGES = ROOT / "build" / "program-packages"


@dataclass(frozen=True)
class BenchmarkProgram:
    """A program, what it is called with, and what its inputs are made of."""

    name: str
    family: str
    sources: tuple[str, ...]
    arguments: tuple[str, ...]
    inputs: dict[str, str] = field(default_factory=dict)
    job: str = ""
    kernel: str = "bare"
    options: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()

    def application(self, level: str = "O2", memory: Memory | None = None) -> Application:
        """The program, to be built; its packages are fetched if they are not there."""
        return Application(
            tuple(self._path(one) for one in self.sources),
            level,
            includes=tuple(self._path(one) for one in self.includes),
            defines=self.defines,
            options=self.options,
            memory=memory or Memory(),
        )

    @property
    def command(self) -> tuple[str, ...]:
        """The arguments of main()."""
        return (self.name, *self.arguments)

    @property
    def lines(self) -> int:
        """Lines of its sources that are not empty."""
        texts = (self._path(one).read_text(errors="replace") for one in self.sources)
        return sum(bool(line.strip()) for text in texts for line in text.splitlines())

    def files(self) -> dict[str, bytes]:
        """Its inputs, by the path that it opens."""
        return {name: self._input(name, kind) for name, kind in self.inputs.items()}

    def _input(self, name: str, kind: str) -> bytes:
        kind, _, rest = kind.partition(":")
        if kind == "run":
            return host_run(rest).files[name]
        if kind == "file":
            return (FOLDER / rest).read_bytes()
        return inputs.made(kind, int(rest), name)

    def _path(self, name: str) -> Path:
        package, found, path = name.partition("package:")
        if not found:
            return FOLDER / self.family / package
        fetch()
        return PACKAGES / path


@cache
def programs() -> dict[str, BenchmarkProgram]:
    """All of them, by name."""
    listed = tomllib.loads((FOLDER / "programs.toml").read_text())["program"]
    made = (BenchmarkProgram(**{key: _value(one) for key, one in row.items()}) for row in listed)
    return {one.name: one for one in made}


def _value(read: Any) -> Any:
    return tuple(read) if isinstance(read, list) else read


@cache
def host_run(name: str) -> HostRun:
    """Returns the output of a program on this machine."""
    one = programs()[name]
    return run_on_host(one.application(), one.command, one.files(), kernel=one.kernel)


@cache
def fetch() -> None:
    """Fetches the libraries in C that programs are made of, by cargo, which checks their hashes."""
    packages = FOLDER / "packages"
    wanted = (packages / "Cargo.lock").read_text()
    ready = PACKAGES / "ready"
    if not ready.exists() or ready.read_text() != wanted:
        command = ["cargo", "vendor", "--locked", "--quiet", "--manifest-path"]
        subprocess.run(
            [*command, str(packages / "Cargo.toml"), str(PACKAGES)], check=True, capture_output=True
        )
        ready.write_text(wanted)
