"""Open folders: every file in one is a member, found by its name."""

import pkgutil
from importlib import import_module
from types import ModuleType

from cyclescope.errors import CyclescopeError


def names(package: ModuleType) -> list[str]:
    """The members of a folder, sorted; names with a leading underscore are not members."""
    return sorted(
        module.name
        for module in pkgutil.iter_modules(package.__path__)
        if not module.name.startswith("_")
    )


def load(package: ModuleType, name: str) -> ModuleType:
    """Imports one member; an unknown name is answered with those there are."""
    known = names(package)
    if name not in known:
        folder = package.__name__.rpartition(".")[2]
        raise CyclescopeError(f"there is no {name} among the {folder}: {', '.join(known)}")
    return import_module(f"{package.__name__}.{name}")
