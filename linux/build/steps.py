"""Steps of the build: each is made whole or not at all, and again when its inputs change."""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.linux.keys import KEY


class Steps:
    """Makes folders below `out`. `keys` has a hash of what each is made from, by its name."""

    def __init__(self, out: Path, keys: Mapping[str, str]) -> None:
        self.out = out
        self.keys = keys
        self.work = out / ".work"
        self.seconds: dict[str, float] = {}

    def make(self, name: str, build: Callable[[Path], None], again: bool = False) -> None:
        """Has `build` fill the folder `name`, unless its key is that of the last time, or `again`.

        A build that is interrupted leaves the folder as it was.
        """
        key = self.keys[name]
        folder = self.out / name
        if _text(folder / KEY) == key and not again:
            return
        print(f"linux: {name} …", end=" ", flush=True)
        began = time.monotonic()
        new = self.work / f"new-{name.replace('/', '-')}"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        try:
            build(new)
        except BaseException:
            print("failed")
            raise
        (new / KEY).write_text(key)
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        new.rename(folder)
        self.seconds[name] = round(time.monotonic() - began, 1)
        print(f"{self.seconds[name]:.0f} s", flush=True)

    def close(self) -> None:
        """Removes what lay in progress."""
        shutil.rmtree(self.work, ignore_errors=True)


def run(
    command: Sequence[str | Path], log: Path, env: Mapping[str, str], cwd: Path | None = None
) -> None:
    """Runs a command, whose output goes to the end of `log`; a failure is one sentence."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a") as output:
        ended = subprocess.run(
            [str(one) for one in command], stdout=output, stderr=output, env=dict(env), cwd=cwd
        )
    if ended.returncode:
        last = log.read_text(errors="replace").strip().splitlines()[-12:]
        print("\n" + "\n".join(last), file=sys.stderr)
        raise CyclescopeError(
            f"{Path(command[0]).name} failed while Linux was built: read {log}, remove the cause "
            "and run make linux again",
            code="linux-build-failed",
        )


def _text(path: Path) -> str | None:
    return path.read_text() if path.is_file() else None
