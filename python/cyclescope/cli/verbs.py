"""Verbs as typer's commands: each is loaded when it is asked for, so that the program starts fast
and saved results can be shown where no engine is."""

import ast
import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from cyclescope import plugins
from cyclescope.cli import values
from cyclescope.cli.board_options import BoardCommand
from cyclescope.errors import Interrupted, WrongUsage, shortened


class _Verb(BoardCommand):
    """A command whose help names no type for an option that takes no value."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _prepared(super().get_params(ctx))


class Verbs(TyperGroup):
    """One command for each question that has a `command.py`."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _prepared(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:
        return plugins.questions("command")

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.commands and cmd_name in self.list_commands(ctx):
            self.commands[cmd_name] = _load(cmd_name)
        return self.commands.get(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """As typer does; the list of verbs needs no more of them than their help."""
        for name in self.list_commands(ctx):
            self.commands.setdefault(name, _listed(name))
        super().format_help(ctx, formatter)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """As typer does; a misspelt verb is refused with those that are there."""
        known = self.list_commands(ctx)
        if args and args[0] not in known:
            from difflib import get_close_matches

            alike = get_close_matches(args[0], known, n=1)
            remedy = f"did you mean {alike[0]}?" if alike else f"choose one of {', '.join(known)}"
            raise WrongUsage(f"there is no verb {shortened(args[0])}: {remedy}")
        return super().resolve_command(ctx, args)


def _prepared(params: list[Any]) -> list[Any]:
    """The options of a verb, or of the program; none that takes no value names a type."""
    for one in params:
        if isinstance(one, TyperOption) and one.is_flag:
            one.metavar = ""
    values.take_as_given(params)
    return params


def _load(name: str) -> Any:
    only = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    command = plugins.load_entry(name, "command").command
    text = inspect.getdoc(command) or ""
    only.command(name=name, cls=_Verb, help=_paragraphs(text))(_interruptible(command))
    return typer.main.get_command(only)


def _listed(name: str) -> Any:
    """A verb with its help alone, which is read from its file: to load all verbs takes long."""
    tree = ast.parse(plugins.entry_text(name, "command"))
    functions = (one for one in tree.body if isinstance(one, ast.FunctionDef))
    (text,) = (ast.get_docstring(one) for one in functions if one.name == "command")
    return TyperCommand(name, help=_paragraphs(text or ""))


def _paragraphs(text: str) -> str:
    """A docstring with one line for each paragraph: help breaks lines at the terminal's width."""
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
