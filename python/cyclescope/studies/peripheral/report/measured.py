"""Transfers as reports show them: each with its documents, its text, and which of them is shown
in detail."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cyclescope.studies.peripheral.choices import Direction, LineDriver, LineType
from cyclescope.studies.peripheral.outcome import TransferOutcome
from cyclescope.studies.peripheral.results import PeripheralResults
from cyclescope.studies.peripheral.setting import TransferSetting

PAPER_BYTES = 1000
"""The paper's tables are of a file of so many bytes."""
LEFT_OUT = ("line", "driver", "direction", "size", "content")


@dataclass(frozen=True)
class MeasuredTransfer:
    """A finished transfer; `documents` are those of its analyses, by their names."""

    setting: TransferSetting
    outcome: TransferOutcome
    core_hz: int
    documents: Mapping[str, Any]

    @property
    def way(self) -> str:
        """The text of the setting, without the size."""
        return way(self.setting)

    @property
    def title(self) -> str:
        """The text of the setting."""
        return titled(self.setting)


def way(setting: TransferSetting) -> str:
    """The text of a setting, without the size."""
    kept = [] if setting.line is LineType.SERIAL else [setting.line]
    return " ".join([*kept, setting.driver, setting.direction, *differing(setting)])


def titled(setting: TransferSetting) -> str:
    """The text of a setting."""
    return f"{way(setting)}, {setting.size:,} bytes"


def differing(setting: TransferSetting) -> list[str]:
    """The changes of a setting from the usual one, but for those of LEFT_OUT."""
    fields = type(setting).model_fields
    found: list[str] = [setting.content] if setting.content != fields["content"].default else []
    for name, field in fields.items():
        value = getattr(setting, name)
        if name not in LEFT_OUT and value != field.default:
            found.append(f"{name.replace('_', ' ')} {str(value).lower()}")
    return found


def measured(found: PeripheralResults) -> list[MeasuredTransfer]:
    """Every finished transfer of a folder, in the order of its plan."""
    return [
        MeasuredTransfer(
            one.setting, one.record.outcome, one.record.core_hz, found.documents(one.setting)
        )
        for one in found.transfers()
    ]


def detailed(transfers: Sequence[MeasuredTransfer]) -> list[MeasuredTransfer]:
    """The transfers that are shown in detail: those of the size nearest to the paper's.

    The first is the nearest to the paper: whole, downloaded, by PDC, on a clean line.
    """
    analysed = [one for one in transfers if one.documents]
    if not analysed:
        return []
    sizes = {one.setting.size for one in analysed if one.outcome.identical}
    every = sizes or {one.setting.size for one in analysed}
    size = min(every, key=lambda one: (abs(one - PAPER_BYTES), one))
    return sorted((one for one in analysed if one.setting.size == size), key=_distance)


def _distance(one: MeasuredTransfer) -> tuple[Any, ...]:
    setting = one.setting
    return (
        not one.outcome.identical,
        setting.line is not LineType.SERIAL,
        setting.direction is not Direction.DOWNLOAD,
        setting.driver is not LineDriver.PDC,
        setting.errors,
        len(differing(setting)),
    )


def of_line(transfers: Iterable[MeasuredTransfer], line: str) -> list[MeasuredTransfer]:
    """The transfers over a line of this type."""
    return [one for one in transfers if one.setting.line == line]


def by_line(transfers: Iterable[MeasuredTransfer]) -> dict[LineType, list[MeasuredTransfer]]:
    """Transfers by the type of their line; a type without any is not there."""
    every = list(transfers)
    return {line: some for line in LineType if (some := of_line(every, line))}


def having(transfers: Iterable[MeasuredTransfer], name: str) -> list[MeasuredTransfer]:
    """The transfers of which an analysis is there."""
    return [one for one in transfers if name in one.documents]


def by_way(transfers: Iterable[MeasuredTransfer]) -> dict[str, list[MeasuredTransfer]]:
    """Transfers by their settings but for the size, the smallest first."""
    found: dict[str, list[MeasuredTransfer]] = {}
    for one in sorted(transfers, key=lambda one: one.setting.size):
        found.setdefault(one.way, []).append(one)
    return found
