"""Keys of the parts of a build of Linux: a hash of what each part is made from.

The build makes a part again when its key differs. The lab refuses a part whose key differs.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

KEY = ".key"
"""The file with the key, in the folder of each part."""
SUITES = ("debian bookworm", "debian-security bookworm-security")
BINARIES = ("linux-source-6.1", "gkermit")
SOURCES = ("musl", "gkermit", "busybox")
"""Debian's packages: where they come from, and which are taken as they are and as sources."""
OWN_PROGRAMS = ("init", "memcat")
"""Programs of the board that are ours."""


def sources_list() -> str:
    """The private list of sources for apt."""
    return "".join(
        f"{kind} http://deb.debian.org/{suite} main\n"
        for suite in SUITES
        for kind in ("deb", "deb-src")
    )


def part_keys(
    sources: Path,
    compiler: str,
    kernels: Mapping[str, Sequence[str]],
    structures: Mapping[str, Sequence[str]],
) -> Mapping[str, str]:
    """Returns the key of each part that `make linux` makes from the folder `sources`.

    `compiler` is the first line of what the compiler says of its version. `kernels` names the files
    of configuration of each kernel, `structures` the fields whose places its symbols have.
    """
    config, build, programs = (sources / name for name in ("config", "build", "programs"))

    def configuration(kernel: str) -> list[Path]:
        return [config / f"{one}.config" for one in ("kernel", *kernels[kernel])]

    fetched = _key(sources_list(), BINARIES, SOURCES)
    patches = sorted((sources / "kernel").glob("*.patch"))
    tree = (fetched, compiler, *patches, build / "kernel.py")
    userland = build / "userland.py"
    headers = _key(*tree, *configuration("none"))
    patch, cc = sources / "musl" / "nommu.patch", programs / "cc"
    libc = _key(fetched, compiler, headers, userland, patch, cc)
    keys = {
        "apt": fetched,
        "headers": headers,
        "libc": libc,
        "boot": _key(compiler, *sorted((sources / "boot").iterdir())),
        "programs/gkermit": _key(libc, userland, fetched, programs / "timeouts.h"),
        "programs/busybox": _key(libc, userland, fetched, config / "busybox.config"),
    }
    own = sorted((programs / "cyclictest").iterdir())
    keys["apt-rt-tests"] = _key(SUITES[0])
    keys["programs/cyclictest"] = _key(libc, build / "cyclictest.py", *own)
    for name in OWN_PROGRAMS:
        keys[f"programs/{name}"] = _key(libc, userland, programs / f"{name}.c")
    for name in kernels:
        kernel = _key(*tree, *configuration(name))
        keys[f"kernels/{name}"] = kernel
        keys[f"symbols/{name}"] = _key(kernel, build / "symbols.py", structures)
    return keys


def _key(*inputs: object) -> str:
    """The hash of inputs: a file's path, whose content counts, or text."""
    whole = hashlib.sha256()
    for one in inputs:
        content = one.read_bytes() if isinstance(one, Path) else str(one).encode()
        whole.update(hashlib.sha256(content).digest())
    return whole.hexdigest()
