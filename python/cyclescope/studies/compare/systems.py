"""Two operating systems by class of functions: means, wins, forms of law, load, order of calls.

Each pair of a table counts once, whatever it does and however often it was measured. The error of a
mean over pairs is the mean of their errors. So much it is at most, whether they are independent or
share code.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean

from cyclescope.stats.fieller import Mean, interval, p_different
from cyclescope.stats.holm import adjust
from cyclescope.studies.characterize.findings import CaseAnalysis
from cyclescope.studies.compare.findings import (
    NO_LAW,
    CasePair,
    Change,
    Dependence,
    RankMove,
    SystemClass,
    Systems,
)

ALL = "all"
OBJECTS = "objects made before"
"""Meaning of the length of a series where a case makes an object in each call."""


@dataclass(frozen=True)
class _Timed:
    """A pair with the mean over x of its times, in A and in B."""

    pair: CasePair
    means: tuple[Mean, Mean]

    @property
    def times(self) -> tuple[float, float]:
        return self.means[0].value, self.means[1].value


def compare_systems(pairs: Sequence[CasePair], scales: Sequence[float]) -> Systems:
    """The findings over all pairs; `scales` convert cycles of A and of B to the unit of times."""
    grouped: dict[str, list[CasePair]] = {}
    for pair in pairs:
        grouped.setdefault(pair.function_class, []).append(pair)
    timed = _timed(pairs)
    whole = _class(ALL, pairs)
    order = sum(_same_order(*both) for both in combinations(timed, 2))
    return Systems(
        classes=_adjusted([_class(name, members) for name, members in grouped.items()]),
        whole=replace(whole, adjusted=whole.p_value),
        dependences=tuple(one for pair in pairs for one in _dependences(pair, scales)),
        moves=_moves(timed),
        kendall_tau=order / whole.orders if whole.orders else math.nan,
    )


def _timed(pairs: Sequence[CasePair]) -> list[_Timed]:
    def mean(pair: CasePair, side: int) -> Mean:
        return _over([point.means[side] for point in pair.points])

    return [_Timed(pair, (mean(pair, 0), mean(pair, 1))) for pair in pairs if pair.points]


def _over(means: Sequence[Mean]) -> Mean:
    """The mean of means, however their errors hang together."""
    return Mean(
        fmean(one.value for one in means),
        fmean(one.standard_error for one in means),
        min(one.freedom for one in means),
    )


def _class(name: str, pairs: Sequence[CasePair]) -> SystemClass:
    timed = _timed(pairs)
    nan = math.nan
    unknown = Mean(nan, math.inf, 1)
    means = unknown, unknown
    if timed:
        means = _over([one.means[0] for one in timed]), _over([one.means[1] for one in timed])
    ratios = [pair.ratio.value for pair in pairs if not math.isnan(pair.ratio.value)]
    orders = [_same_order(*both) for both in combinations(timed, 2)]
    by_chance = all(math.isfinite(mean.standard_error) for mean in means)
    p_value = p_different(*means) if by_chance else nan
    comparable = [pair for pair in pairs if not pair.problem and _comparable(pair)]
    return SystemClass(
        name=name,
        pairs=tuple(pair.name for pair in pairs),
        timed=tuple(one.pair.name for one in timed),
        means=means,
        ratio=interval(*means),
        geometric_mean=math.exp(fmean(map(math.log, ratios))) if ratios else nan,
        p_value=p_value,
        adjusted=p_value,
        wins=(_names(pairs, Change.SLOWER), _names(pairs, Change.FASTER)),
        forms=(_forms(comparable, 0), _forms(comparable, 1)),
        form_changes=tuple(pair.name for pair in comparable if pair.changes_form),
        exchanged=sum(order < 0 for order in orders),
        orders=len(orders),
    )


def _same_order(one: _Timed, other: _Timed) -> int:
    """1 if the slower of two calls is the same in A and in B, -1 if not, 0 if two take as long."""
    first, second = (a - b for a, b in zip(one.times, other.times, strict=True))
    return (first * second > 0) - (first * second < 0)


def _names(pairs: Sequence[CasePair], change: Change) -> tuple[str, ...]:
    return tuple(pair.name for pair in pairs if pair.change is change)


def _comparable(pair: CasePair) -> bool:
    """Whether both have a law, and over the same x: then their forms can be compared."""
    of_same_x = pair.pairing is None or pair.pairing.at == (None, None)
    return of_same_x and NO_LAW not in pair.forms


def _forms(pairs: Sequence[CasePair], side: int) -> dict[str, int]:
    return dict(Counter(pair.forms[side].partition(" of ")[0] for pair in pairs))


def _adjusted(classes: Sequence[SystemClass]) -> tuple[SystemClass, ...]:
    """The classes with every p-value counted among all (Holm)."""
    adjusted = adjust([one.p_value for one in classes])
    return tuple(replace(one, adjusted=p) for one, p in zip(classes, adjusted, strict=True))


def _moves(timed: Sequence[_Timed]) -> tuple[RankMove, ...]:
    """The pairs by how far their places differ."""
    orders = [sorted(timed, key=lambda one: -one.times[side]) for side in (0, 1)]
    places = [{one.pair.name: at for at, one in enumerate(order, 1)} for order in orders]
    moves = [
        RankMove(one.pair.name, (places[0][one.pair.name], places[1][one.pair.name]))
        for one in timed
    ]
    return tuple(sorted(moves, key=lambda move: -abs(move.places[1] - move.places[0])))


def _dependences(pair: CasePair, scales: Sequence[float]) -> Iterable[Dependence]:
    over = pair.pairing.over if pair.pairing else None
    if over and pair.pairing and len(pair.points) > 1:
        first, last = pair.points[0], pair.points[-1]
        assert first.parameter is not None and last.parameter is not None
        ends = first.parameter, last.parameter
        growth = [
            (last.means[side].value - first.means[side].value) / (ends[1] - ends[0])
            for side in (0, 1)
        ]
        yield Dependence(
            pair.name,
            pair.function_class,
            over,
            pair.pairing.is_load,
            ends,
            (growth[0], growth[1]),
            pair.forms,
        )
    sides = pair.first, pair.second
    if not pair.problem and any(side.case.load for side in sides):
        by_object = [
            scale * _growth_by_object(side) for side, scale in zip(sides, scales, strict=True)
        ]
        yield Dependence(
            pair.name,
            pair.function_class,
            OBJECTS,
            True,
            None,
            (by_object[0], by_object[1]),
            pair.forms,
        )


def _growth_by_object(one: CaseAnalysis) -> float:
    """Cycles for each object made before; not a number where a case makes but one."""
    if not one.case.load:
        return math.nan
    if one.load_law is None:
        return 0.0
    begin, end = one.load_law.domain
    return (one.load_law.at(end) - one.load_law.at(begin)) / (end - begin)
