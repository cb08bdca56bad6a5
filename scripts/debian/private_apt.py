"""Debian's packages by an apt of our own lists: nothing of the system changes."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from cyclescope.errors import CyclescopeError


class PrivateApt:
    """apt with its lists and cache below `folder`, which also gets the packages.

    `sources` is the list of sources. Everything apt says goes to the end of `log`. apt checks the
    packages' signatures.
    """

    def __init__(self, folder: Path, sources: str, log: Path) -> None:
        self._folder, self._log = folder, log
        for one in ("lists", "cache"):
            (folder / one).mkdir()
        (folder / "sources.list").write_text(sources)
        places = {
            "Etc::sourcelist": folder / "sources.list",
            "Etc::sourceparts": "-",
            "State::lists": folder / "lists",
            "Cache": folder / "cache",
        }
        self._apt = ["apt-get", "-q", "-y", "-o", "APT::Update::Error-Mode=any"]
        self._apt += ["-o", "APT::Sandbox::User=", "-o", "Debug::NoLocking=1"]
        for key, place in places.items():
            self._apt += ["-o", f"Dir::{key}={place}"]
        self._run("update")

    def binaries(self, *names: str) -> None:
        """Downloads these packages alone."""
        self._run("download", *names)

    def sources(self, *names: str) -> None:
        """Downloads these source packages."""
        self._run("source", "--download-only", *names)

    def closure(self, *names: str) -> None:
        """Downloads these packages and those they need that the system has not."""
        options = ["--no-install-recommends", "--reinstall", "--download-only"]
        self._run("install", *options, *names)
        for one in (self._folder / "cache" / "archives").glob("*.deb"):
            one.rename(self._folder / one.name)

    def close(self) -> None:
        """Removes what only apt needs."""
        shutil.rmtree(self._folder / "lists")
        shutil.rmtree(self._folder / "cache")

    def _run(self, *arguments: str) -> None:
        self._log.parent.mkdir(parents=True, exist_ok=True)
        with self._log.open("a") as log:
            ended = subprocess.run(
                [*self._apt, *arguments], stdout=log, stderr=log, cwd=self._folder, env=os.environ
            )
        if ended.returncode:
            last = self._log.read_text(errors="replace").strip().splitlines()[-12:]
            print("\n" + "\n".join(last), file=sys.stderr)
            raise CyclescopeError(
                f"Debian's packages could not be fetched: the network is needed (read {self._log})",
                code="packages-not-fetched",
            )


def versions(folder: Path) -> dict[str, dict[str, str]]:
    """Version and SHA-256 of each package: of its .dsc or .deb."""
    found = {}
    for path in sorted([*folder.glob("*.deb"), *folder.glob("*.dsc")]):
        name, version = path.stem.split("_")[:2]
        key = name if path.suffix == ".deb" else f"{name} (source)"
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        found[key] = {"version": version.replace("%3a", ":"), "sha256": digest}
    return found
