"""Errors by their code, in Python and from the command line."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from cyclescope.cli import execute
from cyclescope.errors import CyclescopeError


@contextmanager
def refused(
    code: str, kind: type[CyclescopeError] = CyclescopeError, naming: Sequence[object] = ()
) -> Iterator[pytest.ExceptionInfo[CyclescopeError]]:
    """Expects an error of this code, and of this class.

    Its sentence, whose wording is for people, names these numbers, options and names.
    """
    with pytest.raises(kind) as caught:
        yield caught
    sentence = caught.value.sentence
    assert caught.value.code == code, f"{caught.value.code}: {sentence}"
    assert [one for one in naming if str(one) not in sentence] == [], sentence


def told_code(
    command: Sequence[str],
    capsys: pytest.CaptureFixture[str],
    exit_code: int = 1,
    naming: Sequence[object] = (),
) -> str:
    """The code on stdout of a command that fails with `--json`.

    Its sentence is one line and names these numbers, options and names.
    """
    capsys.readouterr()
    assert execute([*command, "--json"]) == exit_code
    told = json.loads(capsys.readouterr().out)
    assert "\n" not in told["error"]
    assert [one for one in naming if str(one) not in told["error"]] == [], told["error"]
    return str(told["code"])
