"""The seal on results: no edit goes unseen, and files without one open as they are."""

import json

import pytest

from cyclescope.results import seal

PLAIN = '{\n  "a": 1,\n  "runs": [\n    {"x": 2}\n  ]\n}\n'


def test_a_sealed_text_opens_as_it_was_and_is_json_itself() -> None:
    sealed = seal.sealed(PLAIN)
    assert seal.opened(sealed.encode()).decode() == PLAIN
    assert json.loads(sealed).keys() == {"a", "runs", "seal"}


def test_a_text_without_a_seal_is_of_an_older_version() -> None:
    assert seal.opened(PLAIN.encode()) == PLAIN.encode()


def test_every_edit_of_what_is_sealed_is_noticed() -> None:
    sealed = seal.sealed(PLAIN).encode()
    for at in range(sealed.index(b',\n  "seal"')):
        for other in (b"", b"7", b" ", b'"', b"\n"):
            edited = sealed[:at] + other + sealed[at + 1 :]
            if edited != sealed:
                with pytest.raises(seal.Broken):
                    seal.opened(edited)


def test_a_seal_that_was_moved_is_noticed() -> None:
    rewritten = json.dumps(json.loads(seal.sealed(PLAIN)))
    with pytest.raises(seal.Broken):
        seal.opened(rewritten.encode())
