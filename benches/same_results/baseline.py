"""The baseline: a checkout of its commit with an engine of its own, made once."""

import subprocess
import sys
import sysconfig
import tomllib
import venv
from importlib import metadata
from pathlib import Path

COMMIT = "307d02739686313ee7fe17e865dae7bd09c6060c"
"""The last commit before the house was rebuilt."""


class BaselineError(Exception):
    """The baseline cannot be made, in one sentence."""


def make(repository: Path, folder: Path) -> None:
    """Clones the repository into a folder at the baseline's commit and builds its engine.

    Does nothing where that is done. The checkout has a virtual environment of its own, which
    shares the packages of the one that runs this.
    """
    engine = folder / "python" / "cyclescope" / "_engine.abi3.so"
    if not (folder / ".git").exists():
        print(f"{folder}: clones {COMMIT[:7]} and builds its engine", file=sys.stderr, flush=True)
        _run("git", "clone", "--quiet", "--no-checkout", str(repository), str(folder))
    _run("git", "-C", str(folder), "checkout", "--quiet", "--detach", COMMIT)
    if changed := _run("git", "-C", str(folder), "status", "--porcelain"):
        raise BaselineError(f"{folder} has changes: {changed.split()[-1]}; delete that folder")
    _environment(folder)
    if not engine.exists():
        _run(str(folder / "scripts" / "build-engine.sh"), "--skip-install")


def check(root: Path) -> None:
    """Refuses a checkout whose interpreter would run another checkout's package."""
    python = root / ".venv" / "bin" / "python"
    found = _run(str(python), "-c", "import cyclescope; print(cyclescope.__file__)", cwd="/")
    if not Path(found.strip()).is_relative_to(root):
        raise BaselineError(f"{python} runs {found.strip()}, which is not in {root}")


def _environment(folder: Path) -> None:
    """Makes .venv of the baseline: its own package first, then the packages that run this.

    Packages that this environment lacks are installed in its own.
    """
    home = folder / ".venv"
    maturin = home / "bin" / "maturin"
    if maturin.exists():
        return
    venv.create(home, symlinks=True)
    packages = Path(sysconfig.get_path("purelib"))
    own = home / packages.relative_to(sys.prefix)
    (own / "baseline.pth").write_text(f"{folder / 'python'}\n{packages}\n")
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    if lacking := [one for one in project["dependencies"] if not _installed(*one.split("=="))]:
        print(f"{folder}: installs {' '.join(lacking)}", file=sys.stderr, flush=True)
        constraints = ("--constraint", str(folder / "constraints.txt"))
        pip = (sys.executable, "-m", "pip", "install", "--quiet", *constraints)
        _run(*pip, "--target", str(own), *lacking)
    maturin.symlink_to(Path(sys.executable).parent / "maturin")


def _installed(package: str, version: str) -> bool:
    try:
        return metadata.version(package) == version
    except metadata.PackageNotFoundError:
        return False


def _run(*command: str, cwd: str | None = None) -> str:
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd)
    if done.returncode:
        why = done.stderr.strip().rpartition("\n")[2]
        raise BaselineError(f"{' '.join(command)}: {why or f'exit code {done.returncode}'}")
    return done.stdout
