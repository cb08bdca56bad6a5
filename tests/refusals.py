"""Errors by their code, in Python and from the command line."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from cyclescope.cli import execute
from cyclescope.errors import CyclescopeError


@contextmanager
def refused(
    code: str, kind: type[CyclescopeError] = CyclescopeError
) -> Iterator[pytest.ExceptionInfo[CyclescopeError]]:
    """Expects an error of this code, and of this class; its sentence is for people."""
    with pytest.raises(kind) as caught:
        yield caught
    assert caught.value.code == code, f"{caught.value.code}: {caught.value.sentence}"


def told_code(
    command: Sequence[str], capsys: pytest.CaptureFixture[str], exit_code: int = 1
) -> str:
    """The code on stdout of a command that fails with `--json`."""
    capsys.readouterr()
    assert execute([*command, "--json"]) == exit_code
    return str(json.loads(capsys.readouterr().out)["code"])
