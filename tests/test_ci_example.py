"""The samples for continuous integration do what they say: run as written, in a clone."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Tree

import pytest
import yaml

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "examples" / "ci"
FEW = "--class semaphores --case semaphore_take.b*"
SWITCHES = "firmware/kernels/freertos/options.mk"
"""Where the usual values of the kernel's options stand."""


def sample(name: str) -> Any:
    return yaml.safe_load((SAMPLES / name).read_text())


def steps() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = sample("github.yml")["jobs"]["call-costs"]["steps"]
    return found


class Runner:
    """GitHub's runner: a clone, the job's variables, and bash that stops at errors."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree / "clone"
        self.summary = tree / "summary.md"
        for folder in ("firmware", "boards", "python"):
            shutil.copytree(ROOT / folder, self.tree / folder)
        (self.tree / "build").mkdir()
        (self.tree / "build" / "packages").symlink_to(ROOT / "build" / "packages")
        (self.tree / ".gitignore").write_text("/build\n/results\n/.venv\n*.so\n__pycache__/\n")
        tools = tree / "tools"
        tools.mkdir()
        self._program(
            self.tree / ".venv" / "bin" / "cyclescope",
            f'PYTHONPATH={self.tree}/python exec {sys.executable} -m cyclescope "$@"',
        )
        # Engine and environment are there already: `make build` has nothing to do.
        make = shutil.which("make")
        self._program(tools / "make", f'[ "$*" = build ] || exec {make} "$@"')
        self.environment = {
            **os.environ, "HOME": str(tree), "PATH": f"{tools}:{os.environ['PATH']}",
            "GITHUB_STEP_SUMMARY": str(self.summary), "GIT_CONFIG_NOSYSTEM": "1",
        }  # fmt: skip
        for name in ("GIT_AUTHOR", "GIT_COMMITTER"):
            self.environment |= {f"{name}_NAME": "me", f"{name}_EMAIL": "me@example.com"}
        self.shell("git init --quiet")
        self.base = self.commit()

    @staticmethod
    def _program(path: Path, line: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)

    def shell(self, script: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=self.tree,
                              env=self.environment, capture_output=True, text=True)  # fmt: skip

    def commit(self) -> str:
        done = self.shell("git add . && git commit --quiet -m change && git rev-parse HEAD")
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def run(self, new: str, without: str = "") -> int:
        """Runs the job's steps for a change; the exit code of the first that fails."""
        values = {"github.event.pull_request.base.sha": self.base, "github.sha": new}
        variables: dict[str, str] = sample("github.yml")["jobs"]["call-costs"]["env"]
        for name, text in variables.items():
            self.environment[name] = re.sub(
                r"\$\{\{ (.*?) \}\}", lambda found: values[found[1]], text
            )
        self.environment["MEASURE"] = FEW
        failed = 0
        for step in steps():
            if (
                "run" in step
                and step["name"] != without
                and (failed == 0 or step.get("if") == "always()")
            ):
                done = self.shell(step["run"])
                assert done.returncode in (0, 3), f"{step['name']}: {done.stderr}"
                failed = failed or done.returncode
        return failed


def test_equal_passes_and_slower_fails(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    (runner.tree / "README.md").write_text("Another text, the same code.\n")
    assert runner.run(runner.commit()) == 0
    assert "✅ **passed" in runner.summary.read_text()
    path = runner.tree / SWITCHES
    before = path.read_text()
    path.write_text(before.replace("configASSERT,0 1", "configASSERT,1 0"))
    assert path.read_text() != before
    # The base has not changed.
    assert runner.run(runner.commit(), without="Measure the base") == 3
    told = runner.summary.read_text().rpartition("### Cyclescope")[2]
    assert "❌ **FAILED" in told and "configASSERT" in told
    suite = Tree.parse(runner.tree / "results" / "junit.xml").getroot()[0]
    failed = [one.get("name") for one in suite.findall("testcase[failure]")]
    assert "semaphore_take.binary_full" in failed
    assert "semaphore_take.binary_full" in (runner.tree / "results" / "compared.html").read_text()


def test_gitlab_does_the_same() -> None:
    job = sample("gitlab.yml")["call-costs"]
    theirs = [" ".join(shlex.split(line)) for line in job["script"]]
    ours = [
        " ".join(shlex.split(line))
        for step in steps()
        if step.get("name") in ("Measure the base", "Measure the change", "Compare")
        for line in step["run"].replace("\\\n", " ").splitlines()
    ]
    assert theirs == ours
    variables = sample("github.yml")["jobs"]["call-costs"]["env"]
    for name in ("MEASURE", "RULES"):
        assert job["variables"][name] == variables[name]
    assert job["artifacts"]["reports"]["junit"] in theirs[-1]


@pytest.mark.parametrize("name", ["github.yml", "gitlab.yml"])
def test_samples_gate_all_cases_over_layouts(name: str) -> None:
    text = (SAMPLES / name).read_text()
    assert "--layouts 8" in text and "slower:5%" in text and "--case" not in text
