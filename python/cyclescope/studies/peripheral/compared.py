"""Two results beside each other: the same transfers, and exact differences of what they cost.

Recordings and replays are deterministic, so a difference has no interval: it is of these builds.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cyclescope.studies.peripheral.report.measured import MeasuredTransfer
from cyclescope.studies.peripheral.setting import TransferSetting

FJ_PER_NJ = 1_000_000
SAME_FILE = ("direction", "size", "content", "seed", "errors", "error_seed")
"""Settings that decide what goes over the line."""
EXACT = ("bytes over the line", "overruns", "characters lost", "packets repeated", "energy")
"""Quantities beside the load of which every difference is judged."""


@dataclass(frozen=True)
class Quantity:
    """A number of a transfer in both results; None where one lacks it."""

    name: str
    unit: str
    first: float | None
    second: float | None

    @property
    def difference(self) -> float | None:
        """The second beyond the first."""
        if self.first is None or self.second is None:
            return None
        return self.second - self.first

    def text(self, value: float) -> str:
        """A value of it for people."""
        return f"{value:,.{0 if float(value).is_integer() else 1}f}"

    @property
    def ratio(self) -> float | None:
        """The second by the first; None if that is 0."""
        if self.second is None or not self.first:
            return None
        return self.second / self.first


@dataclass(frozen=True)
class TransferPair:
    """The same transfer in both results; `differing` names settings that are not equal."""

    first: MeasuredTransfer
    second: MeasuredTransfer
    quantities: tuple[Quantity, ...]
    differing: Mapping[str, tuple[Any, Any]]

    @property
    def name(self) -> str:
        """The text of the transfer."""
        ways = dict.fromkeys((self.first.title, self.second.title))
        return " / ".join(ways)

    @property
    def exact(self) -> tuple[Quantity, ...]:
        """Bytes of the line, its losses, and the energy of a byte, where a result has them."""
        judged = (one for one in self.quantities if one.name in EXACT)
        return tuple(one for one in judged if (one.first, one.second) != (None, None))

    @property
    def differences(self) -> tuple[Quantity, ...]:
        """Those of `exact` that are not equal."""
        return tuple(one for one in self.exact if one.difference)

    def of(self, name: str) -> Quantity:
        """The quantity of a name."""
        return next(one for one in self.quantities if one.name == name)


@dataclass(frozen=True)
class PeripheralComparison:
    """Pairs of transfers, and those that only one result has."""

    pairs: tuple[TransferPair, ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]


def compare(
    first: Sequence[MeasuredTransfer], second: Sequence[MeasuredTransfer]
) -> PeripheralComparison:
    """Pairs transfers of equal settings; then those of one file that each result has once."""
    pairs: list[tuple[MeasuredTransfer, MeasuredTransfer]] = []
    left, right = list(first), list(second)
    for key in (_setting, _file):
        others = _unique(right, key)
        alone = _unique(left, key)
        for one in [one for one in left if alone.get(key(one)) is one]:
            if (other := others.get(key(one))) is not None:
                pairs.append((one, other))
                left.remove(one)
                right.remove(other)
    order = {id(one): place for place, one in enumerate(first)}
    pairs.sort(key=lambda pair: order[id(pair[0])])
    return PeripheralComparison(
        tuple(_pair(*pair) for pair in pairs),
        tuple(one.title for one in left),
        tuple(one.title for one in right),
    )


def _setting(one: MeasuredTransfer) -> Any:
    return one.setting


def _file(one: MeasuredTransfer) -> Any:
    return tuple(getattr(one.setting, name) for name in SAME_FILE)


def _unique(
    some: Sequence[MeasuredTransfer], key: Callable[[MeasuredTransfer], Any]
) -> dict[Any, MeasuredTransfer]:
    keys = [key(one) for one in some]
    return {key(one): one for one in some if keys.count(key(one)) == 1}


def _pair(first: MeasuredTransfer, second: MeasuredTransfer) -> TransferPair:
    sides = [{(name, unit): value for name, unit, value in _of(one)} for one in (first, second)]
    names = list(dict.fromkeys([*sides[0], *sides[1]]))
    quantities = tuple(Quantity(*name, sides[0].get(name), sides[1].get(name)) for name in names)
    return TransferPair(first, second, quantities, _differing(first.setting, second.setting))


def _differing(one: TransferSetting, other: TransferSetting) -> dict[str, tuple[Any, Any]]:
    fields = ((name, getattr(one, name), getattr(other, name)) for name in type(one).model_fields)
    return {name: (mine, its) for name, mine, its in fields if mine != its}


def _of(one: MeasuredTransfer) -> Iterator[tuple[str, str, float | None]]:
    """Every number that is compared, in the order of the tables."""
    came, documents = one.outcome, one.documents
    yield "file whole", "", int(came.identical)
    yield "bytes over the line", "byte", came.bytes_to_board + came.bytes_from_board
    yield "overruns", "", came.overruns
    yield "characters lost", "", came.lost_to_board
    yield "packets repeated", "", came.retransmissions
    yield "transfer", "cycle", came.cycles
    if "load" in documents:
        yield from _load(documents["load"]["steady"])
    if "energy" in documents:
        yield from _energy(documents["energy"])
    if "accesses" in documents:
        yield "data accesses", "per byte", documents["accesses"]["per_wire_byte"]
    if "buffers" in documents:
        for key, name in (
            ("copies_per_payload_byte", "copies"),
            ("buffers_to_program", "buffers to the program"),
        ):
            yield name, "per byte of the file, mean", documents["buffers"][key].get("mean")
    if "latency" in documents:
        stage = documents["latency"]["bytes"]["stages"].get("line_to_call_returned", {})
        yield "line to reader", "cycle, median", stage.get("q50")


def _load(steady: Mapping[str, Any]) -> Iterator[tuple[str, str, float | None]]:
    for kind in ("instructions", "cycles"):
        yield f"active {kind}", "per byte", steady["active"][f"{kind}_per_byte"]
        for row in steady["classes"]:
            yield f"{kind}, {row['class']}", "per byte", row[f"{kind}_per_byte"]


def _energy(document: Mapping[str, Any]) -> Iterator[tuple[str, str, float | None]]:
    yield "energy", "nJ per byte", document["total"]["nj_per_byte"]
    wire = document["bytes"]["wire"]
    sums: dict[str, int] = {}
    for row in document["classes"]:
        sums[row["class"]] = sums.get(row["class"], 0) + row["energy_fj"]
    for name, energy_fj in sums.items():
        yield f"energy, {name}", "nJ per byte", energy_fj / FJ_PER_NJ / wire if wire else None
