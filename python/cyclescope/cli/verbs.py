"""Verbs as typer's commands: each is loaded when it is asked for, so that the program starts fast
and saved results can be shown where no engine is."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

import typer
from typer.core import TyperGroup, TyperOption

from cyclescope import plugins
from cyclescope.cli.board_options import BoardCommand
from cyclescope.errors import Interrupted, WrongUsage, shortened


class _Verb(BoardCommand):
    """A command whose help names no type for an option that takes no value."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_flag_types(super().get_params(ctx))


class Verbs(TyperGroup):
    """One command for each question that has a `command.py`."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_flag_types(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:
        return plugins.questions("command")

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.commands and cmd_name in self.list_commands(ctx):
            self.commands[cmd_name] = _load(cmd_name)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """As typer does; a misspelt verb is refused with those that are there."""
        known = self.list_commands(ctx)
        if args and args[0] not in known:
            from difflib import get_close_matches

            alike = get_close_matches(args[0], known, n=1)
            remedy = f"did you mean {alike[0]}?" if alike else f"choose one of {', '.join(known)}"
            raise WrongUsage(f"there is no verb {shortened(args[0])}: {remedy}")
        return super().resolve_command(ctx, args)


def _without_flag_types(params: list[Any]) -> list[Any]:
    for one in params:
        if isinstance(one, TyperOption) and one.is_flag:
            one.metavar = ""
    return params


def _load(name: str) -> Any:
    only = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    command = plugins.load_entry(name, "command").command
    only.command(name=name, cls=_Verb, help=_paragraphs(command))(_interruptible(command))
    return typer.main.get_command(only)


def _paragraphs(command: Callable[..., None]) -> str:
    """Its docstring with one line for each paragraph: help breaks lines at the terminal's width."""
    text = inspect.getdoc(command) or ""
    return "\n\n".join(" ".join(one.split()) for one in text.split("\n\n"))


def _interruptible(command: Callable[..., None]) -> Callable[..., None]:
    """Ctrl-C as an error like others: typer would end the program without a word."""

    @wraps(command)
    def wrapped(*arguments: Any, **options: Any) -> None:
        try:
            command(*arguments, **options)
        except KeyboardInterrupt:
            raise Interrupted("interrupted") from None

    return wrapped
