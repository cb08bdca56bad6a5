"""Runs command lines on mutants of one file, each in a process of its own with bounded means.

usage: python mutant_runner.py FILE SEED COUNT -- ARGUMENTS…   FILE is put back at the end.
Prints one JSON line for each mutant: mutation, exit code or signal, seconds, stdout, stderr.
"""

import importlib
import io
import json
import os
import random
import re
import resource
import signal
import sys
import tempfile
import time
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path

MOST_BYTES = 1 << 30
MOST_SECONDS = 10
NUMBER = re.compile(rb"-?\d+(\.\d+)?")
WILD = (b"0", b"-1", b"1e308", b"9" * 40, b"NaN", b"null", b'"x"', b"[]", b"2147483648")


def mutate(content: bytes, chance: random.Random) -> tuple[str, bytes]:
    """One edit, and what it was."""
    at = chance.randrange(len(content) + 1)
    end = min(len(content), at + chance.randrange(1, 40))
    kind = chance.choice(("cut", "flip", "delete", "double", "insert", "number", "text"))
    if kind == "cut":
        return f"cut at {at}", content[:at]
    if kind == "flip":
        at = min(at, len(content) - 1)
        changed = bytes([content[at] ^ 1 << chance.randrange(8)])
        return f"a bit at {at}", content[:at] + changed + content[at + 1 :]
    if kind == "delete":
        return f"{at} to {end} deleted", content[:at] + content[end:]
    if kind == "double":
        return f"{at} to {end} doubled", content[:end] + content[at:]
    if kind == "insert":
        noise = chance.randbytes(chance.randrange(1, 20))
        return f"{noise!r} at {at}", content[:at] + noise + content[at:]
    found = NUMBER.search(content, at)
    if found is None or kind == "text":
        sign = chance.choice(b'{}[]",:=\n\0-')
        return f"{sign:#x} at {at}", content[:at] + bytes([sign]) + content[at:]
    wild = chance.choice(WILD)
    return f"{found[0]!r} to {wild!r}", content[: found.start()] + wild + content[found.end() :]


def load(arguments: list[str]) -> None:
    """Imports what the whole file makes the command import, once for all processes that follow."""
    with tempfile.TemporaryFile("w+") as names:
        child = os.fork()
        if child == 0:
            before = set(sys.modules)
            with redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")):
                importlib.import_module("cyclescope.cli").execute(arguments)
            names.write("\n".join(name for name in sys.modules if name not in before))
            names.flush()
            os._exit(0)
        os.waitpid(child, 0)
        names.seek(0)
        for name in names.read().split():
            with suppress(ImportError):  # names that a package gave itself
                importlib.import_module(name)


def outcome(arguments: list[str]) -> dict[str, object]:
    """Runs one command line in a process of its own."""
    with tempfile.TemporaryFile() as said:
        begun = time.monotonic()
        child = os.fork()
        if child == 0:
            work(arguments, said.fileno())
        _, status, used = os.wait4(child, 0)
        said.seek(0)
        told = json.loads(said.read() or b'{"stdout": "", "stderr": "it ended without a word"}')
    code = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - begun
    return {"code": code, "seconds": seconds, "most_kib": used.ru_maxrss, **told}


def work(arguments: list[str], to: int) -> None:
    """The child: runs, and leaves what it said."""
    from cyclescope.cli import execute

    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MOST_BYTES, used + MOST_BYTES))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(MOST_SECONDS)
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    code = 70
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = execute(arguments)
    except BaseException as error:  # what nobody caught is what the test looks for
        err.write(f"Traceback: {type(error).__name__}: {error}")
    out.flush()
    stdout = out.buffer.getvalue().decode(errors="replace")  # type: ignore[attr-defined]
    os.write(to, json.dumps({"stdout": stdout, "stderr": err.getvalue()}).encode())
    os._exit(code)


def main() -> None:
    path, seed, count, _, *arguments = sys.argv[1:]
    file, chance = Path(path), random.Random(seed)
    whole = file.read_bytes()
    load(arguments)
    print(json.dumps({"mutation": "none", **outcome(arguments)}), flush=True)
    try:
        for _ in range(int(count)):
            mutation, content = mutate(whole, chance)
            file.write_bytes(content)
            print(json.dumps({"mutation": mutation, **outcome(arguments)}), flush=True)
    finally:
        file.write_bytes(whole)


if __name__ == "__main__":
    main()
