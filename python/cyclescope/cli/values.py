"""Values of options that are taken as they are.

typer has pydantic check every value. To load that takes about as long as all else before a verb
begins, so only what is converted in another way goes there, and what is wrong.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

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
            if self._is_one(value) or (type(value), value) == (type(param.default), param.default):
                return value
            if self.annotation is int and value.isascii() and value.isdecimal():
                number = int(value)
                if self._least <= number <= self._most:
                    return number
        return build_runtime_param(self.descriptor).coerce(value, param, ctx)

    def _is_one(self, value: Any) -> bool:
        """Whether the value is of the parameter's type, or one of its words."""
        kind: Any = self.annotation
        words = get_args(kind) if get_origin(kind) is Literal else ()
        return type(value) is kind or value in words

    @property
    def _least(self) -> float:
        least = self.parameter_info.min
        return -inf if least is None else least

    @property
    def _most(self) -> float:
        most = self.parameter_info.max
        return inf if most is None else most


def take_as_given(parameters: Iterable[Any]) -> None:
    """Lets the values of parameters that need no check go without pydantic."""
    for one in parameters:
        if isinstance(one, TyperOption | TyperArgument):
            known = one.type_descriptor
            one._runtime_param = _Value(known.parameter_info, known.annotation, known)
