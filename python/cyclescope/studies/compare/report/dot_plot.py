"""The ratios of all cases as one picture: a dot and its interval for each, log axis, by class.

HTML with places in per cent: it follows the width of the page, which colours it and prints it.
"""

import math
from collections.abc import Sequence
from html import escape

from cyclescope.report.case_table import anchor_of
from cyclescope.studies.compare.findings import CasePair, Change, Comparison
from cyclescope.studies.compare.report import wording

TICKS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0,
         1.05, 1.1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)  # fmt: skip
LEAST_SPAN = 1.05
"""The axis shows at least so much on either side of 1: a ratio of 1.0001 must look like 1."""
MARGIN = 0.03
"""Of the axis on either side of its outermost values: the width of a dot."""
GAP = 9
"""Per cent of the axis between two labels, at least: 2 em on a phone."""
STYLES = {
    Change.SLOWER: "slower",
    Change.FASTER: "faster",
    Change.MIXED: "mixed",
    Change.NONE: "same",
    Change.UNKNOWN: "same",
}


def draw(found: Comparison) -> str:
    """The picture; nothing if no case has a ratio."""
    pairs = [pair for pair in found.pairs if not math.isnan(pair.ratio.value)]
    if not pairs:
        return ""
    classes = _by_class(found, pairs)
    axis = _Axis([end for pair in pairs for end in _ends(pair)])
    parts = [
        f'<div class="ratios" role="img" aria-label="Ratio B / A of {len(pairs)} cases" '
        f'style="--one:{axis.at(1)}%">',
        f'<div class="scale"><span></span><div class="track">{axis.drawn()}</div></div>',
    ]
    for name, mean, members in classes:
        parts.append(_class(name, mean))
        parts += [_dot(pair, axis) for pair in members]
    return "".join([*parts, "</div>"])


def _by_class(
    found: Comparison, pairs: Sequence[CasePair]
) -> list[tuple[str, float, list[CasePair]]]:
    there = {pair.name: pair for pair in pairs}
    grouped = []
    for facts in found.classes:
        members = [there[name] for name in facts.cases if name in there]
        if members:
            grouped.append((facts.name, facts.geometric_mean, members))
    return grouped


class _Axis:
    """A logarithmic axis around 1."""

    def __init__(self, values: Sequence[float]) -> None:
        low, high = (math.log(end([*values, LEAST_SPAN, 1 / LEAST_SPAN])) for end in (min, max))
        margin = MARGIN * (high - low)
        self._low, self._high = low - margin, high + margin

    def at(self, ratio: float) -> float:
        """Its place in per cent of the axis."""
        return round(100 * (math.log(ratio) - self._low) / (self._high - self._low), 2)

    def drawn(self) -> str:
        """The labels, those nearest to 1 first."""
        shown: list[float] = []
        labels = []
        for tick in sorted(TICKS, key=lambda tick: abs(math.log(tick))):
            at = self.at(tick)
            if 2 <= at <= 98 and all(abs(at - other) >= GAP for other in shown):
                shown.append(at)
                labels.append(f'<span style="left:{at}%">{tick:g}</span>')
        return "".join(labels)


def _class(name: str, mean: float) -> str:
    return f"<h4>{escape(name)} <small>geometric mean {mean:.3f}</small></h4>"


def _dot(pair: CasePair, axis: _Axis) -> str:
    ratio, name = pair.ratio, escape(pair.name)
    cell = wording.ratio(ratio, pair.points[0].basis)
    line = ""
    if not math.isnan(ratio.low):
        low, high = axis.at(ratio.low), axis.at(ratio.high)
        line = f'<i style="left:{low}%;width:{high - low:.2f}%"></i>'
    return (
        f'<div class="{STYLES[pair.change]}" title="{name}: {escape(cell)}, {pair.change}">'
        f'<a href="#case-{anchor_of(pair.name)}">{name}</a><div class="track">{line}'
        f'<b style="left:{axis.at(ratio.value)}%"></b></div></div>'
    )


def _ends(pair: CasePair) -> list[float]:
    ends = (pair.ratio.low, pair.ratio.value, pair.ratio.high)
    return [end for end in ends if not math.isnan(end) and end > 0]
