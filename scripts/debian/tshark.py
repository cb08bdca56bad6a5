"""Fetches Debian's tshark into build/tshark, for tests; `make tshark` runs it.

The system stays as it is. Packages that the system lacks lie beside tshark. versions.json has the
version and hash of each package.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from private_apt import PrivateApt, versions

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.linux.keys import SUITES
from cyclescope.wire.infrared.tshark import TSHARK, installed, run_tshark

DISSECTORS = ("irlap", "irlmp", "iap", "ttp")


def fetch(out: Path) -> None:
    """Downloads and unpacks tshark into the folder `out`, whole or not at all."""
    new = out.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    sources = "".join(f"deb http://deb.debian.org/{suite} main\n" for suite in SUITES)
    apt = PrivateApt(new, sources, out.with_suffix(".log"))
    apt.closure("tshark")
    apt.close()
    (new / "versions.json").write_text(json.dumps(versions(new), indent=2) + "\n")
    for package in sorted(new.glob("*.deb")):
        subprocess.run(["dpkg-deb", "-x", package, new], check=True)
        package.unlink()
    shutil.rmtree(out, ignore_errors=True)
    new.rename(out)


def check() -> str:
    """The first line of tshark's version; refuses if it cannot dissect IrDA."""
    known = {line.split("\t")[2] for line in run_tshark("-G", "protocols").splitlines()}
    if not known.issuperset(DISSECTORS):
        raise CyclescopeError(
            "tshark does not load its plugin irda: remove build/tshark and run make tshark again",
            code="tshark-without-irda",
        )
    return run_tshark("--version").splitlines()[0]


def main() -> int:
    try:
        if not installed():
            print("tshark: Debian's packages …", flush=True)
            fetch(TSHARK)
        print(f"tshark: {check()}")
    except CyclescopeError as error:
        print(f"tshark: {error.sentence}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
