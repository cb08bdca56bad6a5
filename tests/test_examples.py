"""Examples in docstrings are true."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import cyclescope

MODULES = [
    module.name
    for module in pkgutil.walk_packages(cyclescope.__path__, "cyclescope.")
    if not module.name.startswith(
        ("cyclescope.__main__", "cyclescope._engine", "cyclescope.cli", "cyclescope.targets.")
    )
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    failures, _ = doctest.testmod(import_module(name))
    assert failures == 0
