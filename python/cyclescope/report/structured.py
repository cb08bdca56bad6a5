"""Values of analyses for `json.dumps`."""

import math
from dataclasses import asdict, is_dataclass
from typing import Any

from pydantic import BaseModel


def plain(value: Any) -> Any:
    """Converts a value for `json.dumps`. JSON has no infinities: an unknown number is null."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
