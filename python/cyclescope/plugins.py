"""Plugins: files and folders found by name, so that a new one needs no registration."""

import pkgutil
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Literal, get_args

from cyclescope.errors import CyclescopeError

QUESTIONS = "cyclescope.studies"
"""Every folder of this package is a question; its entries are found in it."""
Entry = Literal["command", "result_type", "comparing"]
ENTRIES: tuple[Entry, ...] = get_args(Entry)
"""Files of a question that the program finds by name: its verb, how a folder of its results is
shown, how two are compared."""


def names(folder: str) -> list[str]:
    """The plugins of a folder, sorted; `folder` is the name of a package."""
    found = pkgutil.iter_modules(import_module(folder).__path__)
    return sorted(module.name for module in found if not module.name.startswith("_"))


def load(folder: str, name: str) -> ModuleType:
    """Imports one plugin. Raises CyclescopeError that lists the plugins if there is no `name`."""
    known = names(folder)
    if name not in known:
        kind = folder.rpartition(".")[2]
        raise CyclescopeError(
            f"there is no {name} among the {kind}: {', '.join(known)}", code="no-such-plugin"
        )
    return import_module(f"{folder}.{name}")


def questions(entry: Entry) -> list[str]:
    """The questions that have this entry, sorted."""
    return sorted(path.parent.name for path in _questions().glob(f"*/{entry}.py"))


def _questions() -> Path:
    (folder,) = import_module(QUESTIONS).__path__
    return Path(folder)


def entry_text(question: str, entry: Entry) -> str:
    """The source text of an entry of a question."""
    return (_questions() / question / f"{entry}.py").read_text()


def load_entry(question: str, entry: Entry) -> ModuleType:
    """Imports an entry of a question."""
    return import_module(f"{QUESTIONS}.{question}.{entry}")
