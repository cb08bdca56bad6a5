"""Mistakes in a command line as one sentence: the cause and the remedy."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import typer
from typer._click import exceptions as mistakes  # typer offers only two of them itself

from cyclescope.errors import shortened

EXTRA = re.compile(r"Got unexpected extra argument\(s\) \((.*)\)", re.S)
CHOICES = re.compile(r"is not one of (.*?)\.?$")


def sentence(error: typer.TyperException) -> str:
    """Words a mistake that typer found."""
    context: typer.Context | None = getattr(error, "ctx", None)
    called = context.info_name or "" if context else "cyclescope"
    parameters = context.command.params if context else []
    if isinstance(error, mistakes.NoSuchOption):
        remedy = _other_option(error.option_name, parameters) or f"see {help_of(called)}"
        return f"{called} has no option {error.option_name}: {remedy}"
    if isinstance(error, mistakes.MissingParameter) and error.param:
        return f"{called} needs {_name(error.param)}: {_described(error.param)}"
    if isinstance(error, mistakes.BadOptionUsage):
        if "not take a value" in error.message:
            return f"{error.option_name} takes no value: leave out what is behind its ="
        return f"{error.option_name} needs a value: write it behind the option"
    if isinstance(error, mistakes.BadParameter) and error.param:
        return _wrong_value(error, error.param)
    if extra := EXTRA.fullmatch(error.message):
        return _unexpected(extra[1], called, parameters)
    return error.format_message()


def _name(parameter: Any) -> str:
    """An argument as help shows it, an option with what it takes."""
    shown = re.sub(r"\W", "", parameter.metavar or parameter.name.upper())
    return shown if parameter.param_type_name == "argument" else f"{parameter.opts[0]} {shown}"


def _described(parameter: Any) -> str:
    text = (parameter.help or "").removesuffix(".")
    if offered := choices(parameter):
        return f"choose one of {', '.join(offered)}"
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def choices(parameter: Any) -> list[str]:
    """The values that help offers; none if they cannot be counted."""
    if shown := re.fullmatch(r"<(.*\|.*)>", parameter.metavar or ""):
        return shown[1].split("|")
    return [str(getattr(one, "value", one)) for one in parameter.type_descriptor.choices or ()]


def help_of(called: str) -> str:
    """The command that prints the help of a verb or of the program."""
    return "cyclescope -h" if called == "cyclescope" else f"cyclescope {called} -h"


def _other_option(name: str, parameters: Sequence[Any]) -> str:
    """The option that was meant: one whose value begins with the name, or one called alike."""
    for own in parameters:
        if value := re.search(rf"\b{re.escape(name.lstrip('-'))}=\w+", getattr(own, "help", "")):
            return f"write {own.opts[0]} {value[0]}"
    known = [one for own in parameters for one in own.opts if one.startswith("--")]
    if alike := get_close_matches(name, known, n=1):
        return f"did you mean {alike[0]}?"
    return ""


def _unexpected(extra: str, called: str, parameters: Sequence[Any]) -> str:
    """An argument too many: the option of a file that it may be for, or where to look."""
    options = {one for own in parameters for one in own.opts}
    shown = shortened(extra)
    if "/" in extra or "." in extra:
        wanted = [one for one in ("--image", "--out") if one in options]
    else:
        wanted = [one for one in ("--case",) if one in options]
    if wanted and not any(one.param_type_name == "argument" for one in parameters):
        return f"{called} takes no argument {shown}: write {wanted[0]} {shown}"
    return f"{called} takes no argument {shown}: leave it out, or see {help_of(called)}"


def _wrong_value(error: Any, parameter: Any) -> str:
    """A value that an option does not take, from the reasons that pydantic gives."""
    name = _name(parameter) if parameter.param_type_name == "argument" else parameter.opts[0]
    cause = error.__cause__
    reasons = cause.errors() if hasattr(cause, "errors") else []
    if not reasons:
        return f"{name}: {error.message}"
    reason = reasons[0]
    given = f"{name} {shortened(str(reason['input']))}"
    bounds = reason.get("ctx", {})
    if reason["type"] == "int_parsing":
        return f"{given} is no whole number: write one, such as 10"
    if reason["type"] == "float_parsing":
        return f"{given} is no number: write one, such as 0.5"
    if "ge" in bounds:
        return f"{given} is too small: choose {bounds['ge']} or more"
    if "le" in bounds:
        return f"{given} is too large: choose {bounds['le']} or less"
    if offered := CHOICES.search(reason["msg"]):
        known = choices(parameter) or re.findall(r"'([^']*)'", offered[1])
        return f"{given} is not known: choose one of {', '.join(known)}"
    return f"{given}: {reason['msg'].removeprefix('Value error, ')}"
