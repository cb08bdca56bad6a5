"""The options that choose what is measured, shared by the verbs that open a target.

A verb has them all, or those that it asks for, if its function begins with the parameter
`selection` and is wrapped in `selecting`. The settings of the board are among them
(board_options.py).
"""

import dataclasses
import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from typing import Any

import typer

from cyclescope.cli import board_options
from cyclescope.cli.option_groups import grouped, replace_parameters
from cyclescope.cli.options import (
    BoardOption,
    ClassOption,
    KernelOption,
    KernelOptions,
    LibraryOption,
    Optimise,
    OptimiseOption,
)
from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards, kernel_options
from cyclescope.firmware.boards import Value
from cyclescope.target.target import Selection


def _select(
    board: BoardOption = boards.USUAL,
    kernel: KernelOption = Selection.kernel,
    cases: ClassOption = Selection.cases,
    library: LibraryOption = Selection.library,
    optimise: OptimiseOption = Optimise.O2,
    options: KernelOptions = None,
    **settings: Value | None,
) -> Selection:
    return Selection(
        board=board,
        kernel=kernel,
        settings=board_options.unusual(board, settings),
        cases=cases,
        library=library,
        optimise=optimise.value,
        options=kernel_options.parse(kernel, options or ()),
    )


OF_IMAGE = ("board", "kernel", "cases", "library", "optimise", "options")
"""The parameters of `_select` that are of every board."""


class _Options:
    """The parameters of one verb's options: of `_select`, and for the settings of a board."""

    def __init__(
        self,
        board: str,
        usual: Mapping[str, Any],
        of_image: Collection[str] = OF_IMAGE,
        of_board: Collection[str] | None = None,
        of_every_board: bool = True,
    ) -> None:
        declared = inspect.signature(_select).parameters
        usual = {"board": boards.USUAL, **usual}
        self._image = {
            name: declared[name].replace(default=usual.get(name, declared[name].default))
            for name in OF_IMAGE
            if name in of_image
        }
        there = board_options.parameters(board, usual, of_every_board)
        self._settings = {
            name: one for name, one in there.items() if of_board is None or name in of_board
        }

    @property
    def parameters(self) -> list[inspect.Parameter]:
        """The board and the kernel, the board's settings, the others."""
        image = list(self._image.values())
        first = sum(name in self._image for name in ("board", "kernel"))
        return [*image[:first], *self._settings.values(), *image[first:]]

    def select(self, arguments: dict[str, Any], usual: Mapping[str, Any]) -> Selection:
        """The selection; takes its arguments out of those of the verb."""
        image = {name: usual[name] for name in OF_IMAGE if name in usual}
        image |= {name: arguments.pop(name) for name in self._image}
        settings = {name: arguments.pop(one.name, None) for name, one in self._settings.items()}
        return _select(**image, **settings)


def selecting(
    command: Callable[..., None],
    usual: Mapping[str, Any] | None = None,
    of_image: Collection[str] = OF_IMAGE,
    of_board: Collection[str] | None = None,
) -> Callable[..., None]:
    """The command with options in place of its first parameter, `selection`.

    `usual` are the verb's own defaults for some of them, and what it takes for others that are no
    option of it. `of_image` are those of `_select` that are; `of_board` names the settings of the
    board that are, by default all.
    """
    usual = usual or {}
    command = grouped(command)
    own = list(inspect.signature(command).parameters.values())[1:]
    usual_board = str(usual.get("board", boards.USUAL))

    def made_for(command_line: Sequence[str], of_every_board: bool) -> Callable[..., None]:
        board = board_options.board_in(command_line, usual_board)
        options = _Options(board, usual, of_image, of_board, of_every_board)

        @wraps(command)
        def selected(**arguments: Any) -> None:
            command(options.select(arguments, usual), **arguments)

        replace_parameters(selected, [*options.parameters, *own])
        selected.made_for = made_for  # type: ignore[attr-defined]
        return selected

    return made_for((), of_every_board=False)


def reselect(selection: Selection, settings: Mapping[str, str]) -> Selection:
    """The selection with other values of some options, by the options' own names and rules."""
    board = settings.get("board", selection.board)
    options = _Options(board, {})
    found: list[Selection] = []

    def take(**arguments: Any) -> None:
        found.append(options.select(arguments, {}))

    replace_parameters(take, options.parameters)
    program = typer.Typer(add_completion=False)
    program.command()(take)
    parser = typer.main.get_command(program)
    fields = {flag.removeprefix("--"): one.name for one in parser.params for flag in one.opts}
    arguments = [f"--board={board}"]
    arguments += [] if "kernel" in settings else [f"--kernel={selection.kernel}"]
    changed = set()
    for key, value in settings.items():
        flag, _, option = key.partition(":")
        if (flag == "option") != bool(option) or flag not in fields or flag == "help":
            known = ", ".join(sorted(fields.keys() - {"help", "option"}))
            raise CyclescopeError(
                f"there is no key {key} of configurations: choose one of {known}, or option:NAME",
                code="no-such-key",
            )
        arguments.append(f"--{flag}={option}={value}" if option else f"--{flag}={value}")
        changed.add(fields[flag])
    parser(arguments, standalone_mode=False)
    (parsed,) = found
    return _merged(selection, parsed, changed)


def _merged(selection: Selection, parsed: Selection, changed: Collection[str | None]) -> Selection:
    """The selection with the changed fields of the other one."""
    names = {one.removeprefix(board_options.PREFIX) for one in changed if one}
    values = {name: getattr(parsed, name) for name in names & set(OF_IMAGE)}
    if "options" in values:
        values["options"] = tuple(
            sorted({**dict(selection.options), **dict(parsed.options)}.items())
        )
    kept = {name: value for name, value in selection.settings.items() if name not in names}
    new = {name: value for name, value in parsed.settings.items() if name in names}
    return dataclasses.replace(selection, settings={**kept, **new}, **values)
