"""Values of options that are taken as they are.

typer has pydantic check every value. To load that takes about as long as all else before a verb
begins, so only what must be converted goes there: numbers, choices, wrong values.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer._coercion import RuntimeParam, TypeDescriptor, build_runtime_param
from typer._param_types import coerce_cli_path
from typer.core import TyperArgument, TyperOption


@dataclass(frozen=True)
class _Value(RuntimeParam):
    """The value of one option or argument, as typer asks for it."""

    descriptor: TypeDescriptor

    def _coerce_value(self, value: Any, param: Any, ctx: Any) -> Any:
        if self.parameter_info.parser is None:
            if self.annotation == list[str]:
                return list(value)
            if self.annotation is Path:
                # As text it is checked like a path, without pydantic.
                given = coerce_cli_path(
                    value, self.parameter_info, path_type=str, param=param, ctx=ctx
                )
                return Path(str(given))
            if type(value) is self.annotation:
                return value
        return build_runtime_param(self.descriptor).coerce(value, param, ctx)


def take_as_given(parameters: Iterable[Any]) -> None:
    """Lets the values of parameters that need no check go without pydantic."""
    for one in parameters:
        if isinstance(one, TyperOption | TyperArgument):
            known = one.type_descriptor
            one._runtime_param = _Value(known.parameter_info, known.annotation, known)
