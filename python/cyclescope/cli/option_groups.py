"""Groups of options: dataclasses whose fields are options of a verb."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any


class OptionGroup:
    """Base of the groups: frozen dataclasses, each field annotated as an option or an argument."""


def _group(parameter: inspect.Parameter) -> type[OptionGroup] | None:
    kind = parameter.annotation
    return kind if isinstance(kind, type) and issubclass(kind, OptionGroup) else None


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command with options in place of its groups.

    Each parameter that is annotated with an `OptionGroup` is replaced by the group's fields.
    """
    parameters: list[inspect.Parameter] = []
    groups: dict[str, tuple[type[OptionGroup], list[str]]] = {}
    for one in inspect.signature(command).parameters.values():
        if group := _group(one):
            fields = list(inspect.signature(group).parameters.values())
            groups[one.name] = group, [field.name for field in fields]
            parameters += fields
        else:
            parameters.append(one)

    @wraps(command)
    def ungrouped(*selected: Any, **options: Any) -> None:
        made = {
            name: group(**{field: options.pop(field) for field in fields})
            for name, (group, fields) in groups.items()
        }
        command(*selected, **made, **options)

    replace_parameters(ungrouped, parameters)
    return ungrouped


def replace_parameters(command: Callable[..., None], parameters: list[inspect.Parameter]) -> None:
    """Gives a function the parameters that typer sees: by name, those without default first."""
    ordered = sorted(parameters, key=lambda one: one.default is not one.empty)
    ordered = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in ordered]
    command.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in ordered}
