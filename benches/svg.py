"""Points and lines over two axes, as a small SVG file for the documentation."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 16, 48
ROW = 18
"""Height of a row of the legend."""
COLOURS = ("#1f5fa8", "#c4501b", "#3a7d34", "#7a4f9e", "#666666")


@dataclass(frozen=True)
class Trace:
    """One set of points; `line` joins them, `dots` marks them."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    dots: bool = True
    line: bool = False


@dataclass(frozen=True)
class Axis:
    """An axis: its label, and whether its scale is logarithmic."""

    label: str
    logarithmic: bool = False

    def span(self, values: Sequence[float]) -> tuple[float, float]:
        """Ends of the axis, in what it is linear in, with a little air."""
        numbers = [self.place(value) for value in values]
        low, high = min(numbers), max(numbers)
        air = 0.05 * (high - low or 1)
        return low - air, high + air

    def place(self, value: float) -> float:
        return math.log10(value) if self.logarithmic else value

    def ticks(self, low: float, high: float) -> list[float]:
        """Values that get a label."""
        if self.logarithmic:
            return [10.0**power for power in range(math.ceil(low), math.floor(high) + 1)]
        rough = (high - low) / 6
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(step * power for step in (1, 2, 5, 10) if step * power >= rough)
        first = math.ceil(low / step)
        return [number * step for number in range(first, math.floor(high / step) + 1)]


@dataclass(frozen=True)
class Frame:
    """Where values come to lie on the picture; `top` is below the legend."""

    x: Axis
    y: Axis
    x_span: tuple[float, float]
    y_span: tuple[float, float]
    top: float

    def across(self, value: float) -> float:
        share = (self.x.place(value) - self.x_span[0]) / (self.x_span[1] - self.x_span[0])
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def down(self, value: float) -> float:
        share = (self.y.place(value) - self.y_span[0]) / (self.y_span[1] - self.y_span[0])
        return HEIGHT - BOTTOM - share * (HEIGHT - self.top - BOTTOM)


def write(path: Path, x: Axis, y: Axis, traces: Sequence[Trace]) -> None:
    """Draws the traces over one another, the first below; a legend if there are several."""
    named = traces if len(traces) > 1 else ()
    frame = Frame(
        x,
        y,
        x.span([value for trace in traces for value in trace.x]),
        y.span([value for trace in traces for value in trace.y]),
        TOP + ROW * len(named),
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        *_grid(frame),
        *_legend(named),
    ]
    for trace, colour in zip(traces, COLOURS, strict=False):
        points = zip(map(frame.across, trace.x), map(frame.down, trace.y), strict=True)
        parts += _trace(trace, colour, list(points))
    path.write_text("\n".join([*parts, "</svg>", ""]))


def _grid(frame: Frame) -> list[str]:
    """Rules at the ticks of both axes, with what they stand for, and the labels."""
    bottom, parts = HEIGHT - BOTTOM, []
    for value in frame.x.ticks(*frame.x_span):
        across = frame.across(value)
        parts.append(_rule(across, frame.top, across, bottom))
        parts.append(_text(across, bottom + 16, _number(value), "middle"))
    for value in frame.y.ticks(*frame.y_span):
        down = frame.down(value)
        parts.append(_rule(LEFT, down, WIDTH - RIGHT, down))
        parts.append(_text(LEFT - 6, down + 4, _number(value), "end"))
    middle = (frame.top + bottom) / 2
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, frame.x.label, "middle"))
    parts.append(
        f'<text x="14" y="{middle:.0f}" text-anchor="middle" '
        f'transform="rotate(-90 14 {middle:.0f})">{escape(frame.y.label)}</text>'
    )
    return parts


def _trace(trace: Trace, colour: str, points: Sequence[tuple[float, float]]) -> list[str]:
    parts = []
    if trace.line:
        joined = " ".join(f"{across:.1f},{down:.1f}" for across, down in points)
        parts.append(
            f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
        )
    if trace.dots:
        parts += [
            f'<circle cx="{across:.1f}" cy="{down:.1f}" r="3" fill="{colour}"/>'
            for across, down in points
        ]
    return parts


def _legend(traces: Sequence[Trace]) -> list[str]:
    return [
        part
        for row, (trace, colour) in enumerate(zip(traces, COLOURS, strict=False))
        for part in (
            f'<circle cx="{LEFT + 6}" cy="{TOP + ROW * row}" r="5" fill="{colour}"/>',
            _text(LEFT + 18, TOP + 4 + ROW * row, trace.name, "start"),
        )
    ]


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#dddddd"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _number(value: float) -> str:
    return f"{value:,.10g}" if abs(value) < 1e6 else f"{value:g}"
