"""Values of analyses for `json.dumps`."""

import math
from dataclasses import fields, is_dataclass
from types import NoneType
from typing import Any

from pydantic import BaseModel

READY = {bool, int, str, NoneType}
"""Types of most values, which are as JSON has them."""


def plain(value: Any) -> Any:
    """Converts a value for `json.dumps`. JSON has no infinities: an unknown number is null."""
    if type(value) in READY:
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    return value
