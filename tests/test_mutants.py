"""Files that were damaged or edited: one sentence and a non-zero exit, or the same figures."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cyclescope.cli import execute

ROOT = Path(__file__).parent.parent
RUNNER = Path(__file__).parent / "mutant_runner.py"
EVERY_DAY, WHOLE = 8, 2_000
MOST_KIB = 1 << 20


def characterized(folder: Path) -> Path:
    arguments = ["--case", "yield.equals", "--out", str(folder), "--json", "--jobs", "1"]
    assert execute(["characterize", *arguments]) == 0
    return folder


def manifest(folder: Path) -> tuple[Path, list[str]]:
    return characterized(folder) / "manifest.json", ["show", str(folder), "--json"]


def samples(folder: Path) -> tuple[Path, list[str]]:
    (path,) = sorted(characterized(folder).rglob("*.parquet"))[:1]
    return path, ["show", str(folder), "--json"]


def explanation(folder: Path) -> tuple[Path, list[str]]:
    path = next((characterized(folder) / "explain").glob("*.json"))
    return path, ["compare", str(folder), str(folder), "--why", "--json"]


def switched(folder: Path) -> tuple[Path, list[str]]:
    assert execute(["switch", "--point", "O5", "--out", str(folder), "--json"]) == 0
    return folder / "manifest.json", ["show", str(folder), "--json"]


def timed(folder: Path) -> tuple[Path, list[str]]:
    source = ROOT / "examples" / "fragments" / "insertion_sort.c"
    assert execute(["time", str(source), "--out", str(folder), "--json"]) == 0
    return folder / "manifest.json", ["show", str(folder), "--json"]


def realtimed(folder: Path) -> tuple[Path, list[str]]:
    few = ["--samples", "20", "--load", "0", "--out", str(folder), "--json"]
    assert execute(["realtime", *few]) == 0
    return folder / "manifest.json", ["show", str(folder), "--json"]


def copied(name: str, arguments: list[str]) -> Callable[[Path], tuple[Path, list[str]]]:
    """A file of the tree, which `arguments` name as FILE."""

    def make(folder: Path) -> tuple[Path, list[str]]:
        folder.mkdir()
        path = folder / Path(name).name
        shutil.copy(ROOT / name, path)
        return path, [str(path) if one == "FILE" else one for one in arguments]

    return make


def task_set(folder: Path) -> tuple[Path, list[str]]:
    """With written costs: what builds and simulates firmware takes longer than a mutant may."""
    path, arguments = copied("examples/tasks/two_tasks.toml", ["schedule", "FILE", "--json"])(
        folder
    )
    written = path.read_text().replace(
        'kernel = "freertos"', "into_cycles = 493\nback_cycles = 603"
    )
    assert "kernel" not in written
    path.write_text(written)
    return path, arguments


def image(folder: Path) -> tuple[Path, list[str]]:
    folder.mkdir()
    source, path = folder / "loop.s", folder / "loop.elf"
    source.write_text(".global _start\n_start: mov r0, #1\nloop: adds r0, r0, r0\nb loop\n")
    options = ["-mcpu=arm7tdmi", "-nostdlib", "-Wl,-Ttext=0", "-o"]
    subprocess.run(["arm-none-eabi-gcc", *options, path, source], check=True)
    until = ["--until", "cycles=500", "--dump", "registers"]
    return path, ["run", "--image", str(path), *until, "--json"]


KINDS: dict[str, Callable[[Path], tuple[Path, list[str]]]] = {
    "image": image,
    "board": copied(
        "boards/lpc2148/board.toml",
        ["run", "--board", "FILE", "--load", "/dev/null@0", "--until", "cycles=99", "--json"],
    ),
    "task set": task_set,
    "joulescope": copied("examples/power/joulescope.csv", ["power", "FILE", "--json"]),
    "ppk2": copied("examples/power/ppk2.csv", ["power", "FILE", "--supply-mv", "3300", "--json"]),
    "manifest": manifest,
    "samples": samples,
    "explanation": explanation,
    "switch": switched,
    "times": timed,
    "real-time": realtimed,
}
INPUTS = {"image", "board", "task set", "joulescope", "ppk2"}
"""Files that people write: another number there is another question, with other figures."""


@pytest.mark.parametrize("kind", KINDS)
def test_some_mutants_of_each_kind_of_file(kind: str, tmp_path: Path) -> None:
    judge(kind, tmp_path, EVERY_DAY)


@pytest.mark.mutants
@pytest.mark.parametrize("kind", KINDS)
def test_two_thousand_mutants_of_each_kind_of_file(kind: str, tmp_path: Path) -> None:
    judge(kind, tmp_path, WHOLE)


def judge(kind: str, folder: Path, count: int) -> None:
    path, arguments = KINDS[kind](folder / "made")
    command = [sys.executable, RUNNER, path, kind, str(count), "--", *arguments]
    said = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    whole, *mutants = map(json.loads, said.splitlines())
    assert whole["code"] == 0 and len(mutants) == count
    refused = [wrong for mutant in mutants if (wrong := fault(kind, mutant, whole))]
    assert not refused, "\n".join(refused[:8])


def fault(kind: str, mutant: dict[str, object], whole: dict[str, object]) -> str | None:
    """Returns the faults of the answer to a mutant."""
    stderr, code = str(mutant["stderr"]), mutant["code"]
    sentences = [line for line in stderr.splitlines() if line.strip()]
    at = f"{kind}, {mutant['mutation']}: code {code}, {stderr[-300:]!r}"
    if not isinstance(code, int) or code < 0 or code == 70:
        return at
    if int(str(mutant["most_kib"])) > MOST_KIB:
        return f"{at}: {mutant['most_kib']} KiB"
    if code == 0 or (kind in INPUTS and not sentences):
        same = kind in INPUTS or mutant["stdout"] == whole["stdout"]
        return None if same else f"{at}: other figures"
    return None if len(sentences) == 1 and sentences[0].startswith("cyclescope: ") else at
