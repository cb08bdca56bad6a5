"""Builds Linux for the AT91x40 into build/linux; `make linux` runs it."""

import fcntl
import json
import sys
import time
from functools import partial
from pathlib import Path
from subprocess import run

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).resolve().parents[2] / "scripts" / "debian"))

import packages
import symbols
from kernel import Kernel
from private_apt import versions
from steps import Steps
from userland import Userland

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.linux.built import KERNELS, STRUCTURES
from cyclescope.firmware.linux.keys import OWN_PROGRAMS, part_keys

OURS = Path(__file__).resolve().parents[1]
OUT = OURS.parent / "build" / "linux"


def build(out: Path) -> None:
    """Builds everything that is not there, and says what is."""
    packages.require_tools()
    began = time.monotonic()
    compiler = _compiler()
    steps = Steps(out, part_keys(OURS, compiler, KERNELS, STRUCTURES))
    steps.close()  # what a killed build has left may be of other sources
    apt = out / "apt"
    steps.make("apt", lambda folder: packages.fetch(folder, out / "log" / "apt.log"))
    kernel, userland = Kernel(steps, apt, OURS), Userland(steps, apt, OURS)
    steps.make("headers", kernel.headers)
    steps.make("libc", userland.libc)
    steps.make("boot", userland.boot)
    for name in OWN_PROGRAMS:
        steps.make(f"programs/{name}", partial(userland.ours, name))
    steps.make("programs/gkermit", userland.gkermit)
    steps.make("programs/busybox", userland.busybox)
    for name in KERNELS:
        steps.make(f"kernels/{name}", partial(kernel.image, name))
        vmlinux = out / "kernels" / name / "vmlinux"
        steps.make(f"symbols/{name}", partial(symbols.write, vmlinux))
    steps.close()
    _record(out, apt, compiler, steps.seconds)
    if steps.seconds:
        print(f"linux: built in {time.monotonic() - began:.0f} s: {out}")
    else:
        print(f"linux: up to date: {out}")


def _compiler() -> str:
    asked = run(["arm-none-eabi-gcc", "--version"], capture_output=True, text=True, check=True)
    return asked.stdout.splitlines()[0]


def _record(out: Path, apt: Path, compiler: str, seconds: dict[str, float]) -> None:
    path = out / "versions.json"
    before = json.loads(path.read_text())["seconds"] if path.is_file() else {}
    found = versions(apt)
    document = {"compiler": compiler, "packages": found, "seconds": before | seconds}
    new = path.with_suffix(".new")
    new.write_text(json.dumps(document, indent=2) + "\n")
    new.rename(path)
    for name, one in found.items():
        print(f"linux: {name} {one['version']}")


def main() -> int:
    OUT.mkdir(parents=True, exist_ok=True)
    with (OUT / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            build(OUT)
        except BlockingIOError:
            print("linux: another make linux is at work here: wait for it", file=sys.stderr)
            return 1
        except CyclescopeError as error:
            print(f"linux: {error.sentence}", file=sys.stderr)
            return error.exit_code
        except KeyboardInterrupt:
            print("\nlinux: interrupted; what was finished is kept", file=sys.stderr)
            return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
