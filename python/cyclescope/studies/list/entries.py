"""Entries of each list, as programs read them."""

from typing import Any

from cyclescope.errors import WrongUsage, shortened
from cyclescope.firmware import boards, kernel_options, kernels
from cyclescope.target.target import Selection

Entry = dict[str, Any]


def list_boards() -> list[Entry]:
    """The virtual boards that have a folder."""
    return [{"board": name, "description": boards.description(name)} for name in boards.names()]


def list_kernels() -> list[Entry]:
    """The kernels that have firmware."""
    on_boards = kernels.of_boards()
    return [
        {
            "kernel": name,
            "description": kernels.description(name),
            "boards": "any" if name in on_boards else "host",
        }
        for name in kernels.names()
    ]


def list_options(kernel: str, board: str) -> list[Entry]:
    """The options of a kernel on a board, their values, and what each does.

    Refuses what is no kernel.
    """
    if kernel not in kernels.names():
        raise WrongUsage(
            f"there is no kernel {shortened(kernel)}: choose one of {', '.join(kernels.names())}"
        )
    return [
        {"option": one.name, "values": list(one.values), "what it does": one.sentence}
        for one in kernel_options.of(kernel)
        if one.name not in boards.firmware_of(board).lacks_options
    ]


def list_cases(selection: Selection) -> list[Entry]:
    """The cases that a target's firmware has."""
    from cyclescope.targets import open_target

    with open_target(selection) as target:
        return [case.model_dump(mode="json") for case in target.cases()]
