"""cyclictest (rt-tests) beside a measurement: started, stopped, and what it reported.

It asks for a timer as our wake-up latency does: clock_nanosleep, absolute, every millisecond. So on
the same CPU and at the same priority both meet the same system at the same time.
"""

import json
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

from cyclescope.studies.realtime.target import Cyclictest

COMMAND = "cyclictest"
INTERVAL_US = 1000
HISTOGRAM_US = 10_000
"""Longer latencies are counted in the maximum alone."""
END_S = 10.0
MISSING = "cyclictest is not installed: make setup-realtime installs it (Debian's rt-tests)"

NOT_BESIDE = (
    "the thread that is timed has no CPU or no real-time priority of its own, so that cyclictest "
    "would not be under the same conditions"
)


@dataclass
class CyclictestProcess:
    """A run of cyclictest with one thread, pinned to `cpu`, at SCHED_FIFO `priority`: those of the
    thread that it runs beside. Where that has none, there is nothing to compare with."""

    cpu: int | None
    priority: int | None
    _process: subprocess.Popen[bytes] | None = None
    _folder: TemporaryDirectory[str] | None = None

    def start(self) -> Self:
        """Starts it, if it is installed; `stop` returns its report."""
        if shutil.which(COMMAND) and self._is_beside:
            self._folder = TemporaryDirectory()
            self._process = subprocess.Popen(
                self._command(self._file()),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is the lab's business
            )
        return self

    def stop(self) -> Cyclictest:
        """Ends it; what it reported, or why there is nothing."""
        if self._process is None or self._folder is None:
            return Cyclictest(refused=MISSING if self._is_beside else NOT_BESIDE)
        self._process.send_signal(signal.SIGINT)
        try:
            _, errors = self._process.communicate(timeout=END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            errors = b"it did not end"
        try:
            return parse(self._file().read_text())
        except (OSError, ValueError):
            said = errors.decode(errors="replace").strip().splitlines()
            return Cyclictest(refused=said[-1] if said else "it reported nothing")
        finally:
            self._folder.cleanup()
            self._process = self._folder = None

    @property
    def _is_beside(self) -> bool:
        return self.cpu is not None and self.priority is not None

    def _file(self) -> Path:
        assert self._folder is not None
        return Path(self._folder.name) / "report.json"

    def _command(self, file: Path) -> list[str]:
        return [
            COMMAND, "--quiet", "--mlockall", "--policy=fifo", f"--priority={self.priority}",
            "--threads=1", f"--affinity={self.cpu}", f"--interval={INTERVAL_US}",
            f"--histogram={HISTOGRAM_US}", f"--json={file}",
        ]  # fmt: skip


def parse(report: str) -> Cyclictest:
    """Reads the first thread of a report of `cyclictest --json`."""
    found = json.loads(report)
    # The names of version 2.40 end in a colon.
    named: dict[str, Any] = {key.rstrip(":"): value for key, value in found.items()}
    threads = named.get("thread", {})
    if "0" not in threads:
        raise ValueError("a report without a thread")
    thread = threads["0"]
    histogram = sorted((int(us), count) for us, count in thread.get("histogram", {}).items())
    command = str(named.get("cmdline", "")).partition(" --json=")[0]
    return Cyclictest(
        version=str(named.get("rt_test_version", "")),
        command=command,
        cycles=thread["cycles"],
        minimum_us=thread["min"],
        average_us=thread["avg"],
        maximum_us=thread["max"],
        histogram=tuple(histogram),
    )
