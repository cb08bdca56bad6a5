"""A user's choice for a board: values of the settings that its file declares, by name."""

from collections.abc import Iterator, Mapping

from cyclescope.firmware.boards import Value


class BoardSettings(Mapping[str, Value]):
    """Values by name, which cannot change; equal ones have equal hashes, whatever their order."""

    def __init__(self, values: Mapping[str, Value] | None = None) -> None:
        self._values = dict(sorted((values or {}).items()))

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(tuple(self._values.items()))

    def __repr__(self) -> str:
        return f"BoardSettings({self._values})"


NOTHING_SET = BoardSettings()
