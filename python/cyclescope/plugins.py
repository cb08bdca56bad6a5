"""Plugins: files and folders found by name, so that a new one needs no registration."""

import pkgutil
from importlib import import_module
from importlib.resources import files
from types import ModuleType

from cyclescope.errors import CyclescopeError

QUESTIONS = "cyclescope.studies"
"""Every folder of this package is a question; `command.py` and others are found in it."""


def names(package: ModuleType) -> list[str]:
    """The plugins of a folder, sorted; a name with a leading underscore is none."""
    return sorted(
        module.name
        for module in pkgutil.iter_modules(package.__path__)
        if not module.name.startswith("_")
    )


def load(package: ModuleType, name: str) -> ModuleType:
    """Imports one plugin. Raises CyclescopeError that lists the plugins if there is no `name`."""
    known = names(package)
    if name not in known:
        folder = package.__name__.rpartition(".")[2]
        raise CyclescopeError(
            f"there is no {name} among the {folder}: {', '.join(known)}", code="no-such-plugin"
        )
    return import_module(f"{package.__name__}.{name}")


def questions(room: str) -> list[str]:
    """The questions that have a file `room`.py, sorted."""
    folders = files(QUESTIONS).iterdir()
    return sorted(one.name for one in folders if one.joinpath(f"{room}.py").is_file())


def load_room(question: str, room: str) -> ModuleType:
    """Imports the file `room`.py of a question."""
    return import_module(f"{QUESTIONS}.{question}.{room}")
