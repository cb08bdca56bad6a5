"""Records: typed, immutable, and refusing keys they do not know."""

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """Base of everything that is written to a manifest or read from one."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)
