"""Closing: what holds something gives it back at the end of a `with`."""

from types import TracebackType
from typing import Self


class Closing:
    """Base of what can be closed; most hold nothing."""

    def close(self) -> None:
        """Gives back what it holds."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
