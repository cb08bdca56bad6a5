"""Entries of each list, as programs read them."""

import tomllib
from typing import Any

from cyclescope.firmware import boards as board_files
from cyclescope.firmware import kernel_options
from cyclescope.target.target import Selection

Entry = dict[str, Any]


def boards() -> list[Entry]:
    """The virtual boards that have a folder."""
    return [{"board": name, "description": _description(name)} for name in board_files.names()]


def _description(name: str) -> str:
    content = tomllib.loads(board_files.path_of(name).read_text())
    return str(content.get("description", ""))


def kernels() -> list[Entry]:
    """The kernels that have firmware."""
    folder = board_files.FOLDER.parent / "firmware" / "kernels"
    return [{"kernel": path.name} for path in sorted(folder.glob("*/"))]


def options(kernel: str) -> list[Entry]:
    """The options of a kernel, their values, and what each does."""
    return [
        {"option": one.name, "values": list(one.values), "what it does": one.sentence}
        for one in kernel_options.of(kernel)
    ]


def cases(selection: Selection) -> list[Entry]:
    """The cases that a target's firmware has."""
    from cyclescope.targets import open_target

    with open_target(selection) as target:
        return [case.model_dump(mode="json") for case in target.cases()]
