"""The ratios of all cases as one picture: a dot and its interval for each, log axis, by class.

SVG in the page's own colours, so that it is light or dark with the page and prints as it is.
"""

import math
from collections.abc import Iterable, Sequence
from html import escape

from cyclescope.studies.compare.findings import CasePair, Change, Comparison
from cyclescope.studies.compare.report import text as words

WIDTH, LEFT, RIGHT = 960, 330, 20
ROW, HEAD, AXIS = 19, 26, 34
TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.25, 1.5, 2, 3,
         5, 10, 20, 50, 100)  # fmt: skip
LEAST_SPAN = 1.05
"""The axis shows at least so much on either side of 1: a ratio of 1.0001 must look like 1."""
GAP = 46
"""Between two labels of the axis, at least."""
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
    height = AXIS + len(classes) * HEAD + len(pairs) * ROW + 10
    parts = [
        f'<svg class="ratios" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="Ratio B / A of {len(pairs)} cases">',
        *axis.drawn(height),
    ]
    y = AXIS
    for name, mean, members in classes:
        parts.append(_class(name, mean, y))
        y += HEAD
        for pair in members:
            parts += _dot(pair, axis, y)
            y += ROW
    return "".join([*parts, "</svg>"])


def _by_class(
    found: Comparison, pairs: Sequence[CasePair]
) -> list[tuple[str, float, list[CasePair]]]:
    there = {pair.case.name: pair for pair in pairs}
    grouped = []
    for facts in found.classes:
        members = [there[name] for name in facts.cases if name in there]
        if members:
            grouped.append((facts.name, facts.geometric_mean, members))
    return grouped


class _Axis:
    """A logarithmic axis around 1."""

    def __init__(self, values: Sequence[float]) -> None:
        self._low = math.log(min([*values, 1 / LEAST_SPAN]) * 0.97)
        self._high = math.log(max([*values, LEAST_SPAN]) * 1.03)

    def x(self, ratio: float) -> float:
        share = (math.log(ratio) - self._low) / (self._high - self._low)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def drawn(self, height: int) -> Iterable[str]:
        """Grid, labels, and the line of no difference."""
        shown: list[float] = [self.x(1.0)]
        for tick in sorted(TICKS, key=lambda tick: abs(math.log(tick))):
            x = self.x(tick)
            if not LEFT <= x <= WIDTH - RIGHT:
                continue
            if tick != 1 and min(abs(x - other) for other in shown) < GAP:
                continue
            shown.append(x)
            style = "one" if tick == 1 else "grid"
            yield f'<line class="{style}" x1="{x:.1f}" x2="{x:.1f}" y1="{AXIS - 8}" y2="{height}"/>'
            yield f'<text class="tick" x="{x:.1f}" y="{AXIS - 14}">{tick:g}</text>'


def _class(name: str, mean: float, y: int) -> str:
    return (
        f'<text class="class" x="4" y="{y + HEAD - 8}">{escape(name)}'
        f'<tspan class="mean" dx="8">geometric mean {mean:.3f}</tspan></text>'
    )


def _dot(pair: CasePair, axis: _Axis, y: int) -> Iterable[str]:
    middle, ratio = y + ROW / 2, pair.ratio
    cell = words.ratio(ratio, pair.points[0].basis)
    style = STYLES[pair.change]
    yield (
        f'<g class="{style}"><title>{escape(pair.case.name)}: {escape(cell)}, {pair.change}</title>'
        f'<text class="name" x="{LEFT - 12}" y="{middle + 4:.1f}">{escape(pair.case.name)}</text>'
    )
    if not math.isnan(ratio.low):
        low, high = axis.x(ratio.low), axis.x(ratio.high)
        yield f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{middle:.1f}" y2="{middle:.1f}"/>'
    yield f'<circle cx="{axis.x(ratio.value):.1f}" cy="{middle:.1f}" r="4.5"/></g>'


def _ends(pair: CasePair) -> list[float]:
    ends = (pair.ratio.low, pair.ratio.value, pair.ratio.high)
    return [end for end in ends if not math.isnan(end) and end > 0]
