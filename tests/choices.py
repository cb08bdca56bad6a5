"""A test's choices in one table of names: fields of a selection, and settings of its board."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from cyclescope.firmware.configuration import Configuration
from cyclescope.target.target import Selection


def selected(choices: Mapping[str, Any]) -> Selection:
    """The selection; what is no field of one is a setting."""
    return Selection(**_by_kind(choices))


def configured(choices: Mapping[str, Any]) -> Configuration:
    """The same, of an image."""
    return Configuration(**_by_kind(choices))


def _by_kind(choices: Mapping[str, Any]) -> dict[str, Any]:
    names = {one.name for one in fields(Selection)}
    own = {name: value for name, value in choices.items() if name in names}
    return {**own, "settings": {n: v for n, v in choices.items() if n not in names}}
