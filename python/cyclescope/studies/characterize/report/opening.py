"""The opening of the page: the answer in a few sentences, and the costs as a picture.

The picture is HTML with places in per cent, so it follows any width and needs no script.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from statistics import median

import numpy as np

from cyclescope.laws.formula_fit import FormulaFit
from cyclescope.laws.model import Fitted
from cyclescope.quantity import format_estimate, format_number, microseconds
from cyclescope.report.law_text import formula
from cyclescope.report.provenance import brief
from cyclescope.stats.net import Basis, NetVerdict
from cyclescope.studies.characterize.findings import CaseAnalysis, Characterization
from cyclescope.studies.characterize.report.law_text import form
from cyclescope.studies.characterize.report.rows import INTERVALS
from cyclescope.studies.characterize.run_figures import Measured

MOST_LISTED = 8
"""Cases in each of the lists."""
STEPS = 40
BRACKETS = " [x ≥ 8] is 1 where x ≥ 8 and else 0; ⌊x / 8⌋ is rounded down; mod is the remainder."
LAST_TICK = 94
"""Per cent of an axis behind which a label would stick out of it."""
MARGIN = 0.08
"""Of an axis beyond its outermost values, as a power of ten."""
SPARK_WIDTH, SPARK_HEIGHT = 96, 28
OTHERS = "other cases"
"""Class of the cases whose results name none."""


@dataclass(frozen=True)
class Cost:
    """A case with figures that may be used: its least and greatest net time over x, in cycles."""

    case: CaseAnalysis
    least: Measured
    greatest: Measured

    @property
    def cycles(self) -> float:
        return self.greatest.net.estimate.value

    @cached_property
    def link(self) -> str:
        name = escape(self.case.case.name)
        return f'<a href="#case-{name}">{name}</a>'


def costs(found: Characterization) -> list[Cost]:
    """Every case with a usable time that differs from zero, the most expensive first."""
    there = []
    for one in found.cases:
        usable = [m for m in one.measured if m.net.verdict is NetVerdict.MEASURED]
        if usable and not one.problem:
            ordered = sorted(usable, key=lambda m: m.net.estimate.value)
            there.append(Cost(one, ordered[0], ordered[-1]))
    return sorted(there, key=lambda cost: cost.cycles, reverse=True)


def opening(found: Characterization) -> str:
    """The whole of it as HTML."""
    there = costs(found)
    first, *others = _answer(found, there)
    told = "".join(f"<li>{one}</li>" for one in others)
    more = f'<ul class="plain">{told}</ul>' if told else ""
    under = f'<p class="under">{escape(brief(found.conditions))}</p>'
    return f'{under}<p class="answer">{first}</p>{more}{_picture(found, there)}'


def _answer(found: Characterization, there: Sequence[Cost]) -> Iterable[str]:
    """Sentences on the cases, their times, their laws, and interrupts off."""
    if not found.cases:
        yield "No case was measured."
        return
    core_hz = found.conditions.core_hz
    if not there:
        yield f"{_count(len(found.cases), 'case')} measured; none has a time that can be used."
        return
    low, high = there[-1], there[0]
    functions = len({one.case.function for one in found.cases})
    if len(found.cases) == 1:
        yield f"{_called(high)} takes {_range(high, core_hz)}."
    else:
        yield (
            f"{_count(len(found.cases), 'case')} of {_count(functions, 'function')}: a call takes "
            f"from {_time(low.least, core_hz)} ({low.link}) to "
            f"{_time(high.greatest, core_hz)} ({high.link})."
        )
        middle = median(cost.cycles for cost in there)
        yield (
            f"Half of the cases take at most {format_number(middle)} cycles "
            f"({microseconds(middle, core_hz):,.3f} µs)."
        )
        yield f"Laws of their times: {_forms(found)}."
    off = [(m.interrupts_off, cost) for cost in there for m in cost.case.measured
           if m.interrupts_off is not None]  # fmt: skip
    if off:
        longest, cost = max(off, key=lambda one: one[0])
        yield (
            f"Interrupts stay off for at most {longest:,} cycles "
            f"({microseconds(longest, core_hz):,.3f} µs) inside a call ({cost.link})."
        )
    if left := len(found.cases) - len(there):
        yield f"Not in the picture: {_count(left, 'case')} without a usable time above zero."


def _count(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"


def _called(cost: Cost) -> str:
    case = cost.case.case
    return f"<code>{escape(case.function)}</code> ({escape(case.condition)})"


def _time(one: Measured, core_hz: int) -> str:
    time = microseconds(one.net.estimate.value, core_hz)
    return f"{format_estimate(one.net.estimate)} cycles, {time:,.3f} µs"


def _range(cost: Cost, core_hz: int) -> str:
    n, spread = format_number(cost.case.n, 0), format_number(cost.greatest.spread)
    of = f"n {n}, spread {spread}"
    if cost.least.net.estimate.value == cost.cycles:
        return f"{_time(cost.greatest, core_hz)} ({of})"
    parameter = cost.case.case.parameter
    what = f", x = {escape(parameter.name)} in {escape(parameter.unit)}" if parameter else ""
    ends = (f"{_time(m, core_hz)} at x = {m.parameter}" for m in (cost.least, cost.greatest))
    return f"{' to '.join(ends)}{what} ({of})"


def _forms(found: Characterization) -> str:
    """How many cases have a law of each kind, the commonest first."""
    counts = Counter(form(one).partition(",")[0] for one in found.cases)
    return ", ".join(f"{format_number(n, 0)} {escape(name)}" for name, n in counts.most_common())


def _picture(found: Characterization, there: Sequence[Cost]) -> str:
    swept = [cost for cost in there if cost.case.law and cost.case.case.parameter]
    parts = [_by_class(there), _largest(there, found), _laws(swept)] if len(there) > 1 else []
    return f'<div class="opening">{"".join(parts)}</div>' if parts else _laws(swept)


class _Scale:
    """A logarithmic axis around the values, in per cent of its width."""

    def __init__(self, values: Iterable[float]) -> None:
        known = [value for value in values if value > 0]
        self._low = math.log10(min(known)) - MARGIN
        self._high = math.log10(max(known)) + MARGIN

    def at(self, value: float) -> float:
        share = (math.log10(value) - self._low) / (self._high - self._low)
        return round(100 * min(max(share, 0), 1), 1)

    def ticks(self) -> str:
        """Powers of ten; within less than two decades their double and fivefold too."""
        factors = (1,) if self._high - self._low > 2 else (1, 2, 5)
        powers = range(math.floor(self._low), math.ceil(self._high))
        marks = [factor * 10.0**power for power in powers for factor in factors]
        return "".join(
            f'<span style="left:{self.at(mark)}%">{format_number(mark, 3)}</span>'
            for mark in marks
            if self._low <= math.log10(mark) and self.at(mark) <= LAST_TICK
        )


def _by_class(there: Sequence[Cost]) -> str:
    """A line for each class of calls with a dot for each case, the class that costs most first."""
    classes: dict[str, list[Cost]] = {}
    for cost in there:
        classes.setdefault(cost.case.case.function_class or OTHERS, []).append(cost)
    scale = _Scale(cost.cycles for cost in there)
    middles = {name: median(cost.cycles for cost in members) for name, members in classes.items()}
    lines = "".join(
        f'<div class="class"><span>{escape(name.replace("_", " "))} '
        f"<small>{len(classes[name])}</small></span>"
        f'<div class="track">{"".join(_dot(cost, scale) for cost in classes[name])}'
        f'<i style="left:{scale.at(middle)}%"></i></div><b>{format_number(middle, 0)}</b></div>'
        for name, middle in sorted(middles.items(), key=lambda one: -one[1])
    )
    return (
        '<section class="classes"><h3>Cost by class of calls</h3>'
        '<p class="meaning">Net cycles on a logarithmic axis. A dot is a case, at its greatest x; '
        "the bar and the figure are the median of the class. Click a dot for its case.</p>"
        f'<div class="class axis"><span>class <small>cases</small></span><div class="track">'
        f"{scale.ticks()}</div><b>median</b></div>{lines}</section>"
    )


def _dot(cost: Cost, scale: _Scale) -> str:
    name = escape(cost.case.case.name)
    return (
        f'<a href="#case-{name}" style="left:{scale.at(cost.cycles)}%" '
        f'title="{name}: {format_number(cost.cycles)} cycles"></a>'
    )


def _largest(there: Sequence[Cost], found: Characterization) -> str:
    """The most expensive cases as bars from zero, at their greatest x."""
    core_hz, spread = found.conditions.core_hz, "distance between the quartiles"
    if not found.conditions.noisy:
        spread = "standard deviation (σ)"
    interval = (
        f"figures are {found.basis}" if found.basis is Basis.IMAGE else INTERVALS[found.basis]
    )
    shown = there[:MOST_LISTED]
    most = shown[0].cycles
    lines = "".join(
        f"<li>{cost.link}{_at_x(cost)}"
        f'<div class="bar"><i style="width:{100 * cost.cycles / most:.1f}%"></i></div>'
        f"<small>{_time(cost.greatest, core_hz)}; n {format_number(cost.greatest.n, 0)}, "
        f"spread {format_number(cost.greatest.spread)}</small></li>"
        for cost in shown
    )
    return (
        '<section><h3>Largest cases</h3><p class="meaning">Net times at the greatest x; n samples, '
        f"spread is their {spread}; {interval}.</p>"
        f'<ol class="largest">{lines}</ol></section>'
    )


def _at_x(cost: Cost) -> str:
    parameter = cost.case.case.parameter
    if parameter is None:
        return ""
    return f" <small>at x = {cost.greatest.parameter} {escape(parameter.unit)}</small>"


def _laws(swept: Sequence[Cost]) -> str:
    """The laws whose time rises most over their x, each with its curve."""
    laws = [(law, cost, float(np.ptp(_curve(law)[1]))) for cost in swept if (law := cost.case.law)]
    rising = sorted((one for one in laws if one[2] > 0), key=lambda one: -one[2])
    lines = "".join(_law(law, cost) for law, cost, _ in rising[:MOST_LISTED])
    if not lines:
        return ""
    title = "Laws that rise most" if len(rising) > 1 else "Law"
    marks = BRACKETS if any(isinstance(law, FormulaFit) for law, _, _ in rising) else ""
    more = len(rising) - MOST_LISTED
    rest = f'<p class="meaning">{more} more in the table.</p>' if more > 0 else ""
    return (
        f'<section><h3>{title}</h3><p class="meaning">t is the net time of a call in '
        f"cycles, x what is varied, ± a 95 % interval. The line below a curve is t = 0.{marks}</p>"
        f'<ol class="rising">{lines}</ol>{rest}</section>'
    )


def _curve(law: Fitted) -> tuple[np.ndarray, np.ndarray]:
    low, high = law.domain
    x = np.unique(np.round(np.linspace(low, high, STEPS)))
    return x, law.values(x)


def _law(law: Fitted, cost: Cost) -> str:
    parameter = cost.case.case.parameter
    assert parameter is not None
    low, high = (format_number(end) for end in law.domain)
    what = escape(f"x = {parameter.name}, {low} … {high} {parameter.unit}")
    span = f"{format_number(cost.least.net.estimate.value)} … {format_number(cost.cycles)} cycles"
    told = f"{cost.link} <small>{span}; {escape(formula(law))}; {what}</small>"
    return f"<li>{_spark(law)}<div>{told}</div></li>"


def _spark(law: Fitted) -> str:
    """The law over its domain; zero is the lower edge."""
    x, values = _curve(law)
    across = SPARK_WIDTH * (x - x[0]) / max(float(np.ptp(x)), 1)
    up = SPARK_HEIGHT - 2 - (SPARK_HEIGHT - 4) * values / max(float(values.max()), 1)
    points = " ".join(f"{a:.0f},{b:.1f}" for a, b in zip(across, up, strict=True))
    return (
        f'<svg viewBox="0 0 {SPARK_WIDTH} {SPARK_HEIGHT}" aria-hidden="true">'
        f'<polyline points="{points}"/></svg>'
    )
