"""Laws whose truth is known, and the noise laid over them: what methods are compared on."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cyclescope.laws.clustering import NetTimes
from cyclescope.stats.summary import Values

X = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0])
"""Values of x as the catalogue has them."""

LENGTHS = (10, 25, 50, 75, 100)
"""Of the series at each x."""

Function = Callable[[Values], Values]


@dataclass(frozen=True)
class Truth:
    """One function of x for each cluster, the form they all have, and their knees."""

    form: str
    laws: tuple[Function, ...]
    knees: tuple[float, ...] = ()
    swept: bool = True


def constant(random: np.random.Generator) -> Truth:
    """The same time at every x."""
    return Truth("constant", (_bent(random.uniform(200, 1500)),))


def linear(random: np.random.Generator) -> Truth:
    """Over the range the time grows by a third or more."""
    return Truth("linear", (_bent(random.uniform(200, 600), (0, random.uniform(1.5, 8))),))


def small_slope(random: np.random.Generator) -> Truth:
    """Over the range the time grows by 4 to 8 %."""
    q = random.uniform(500, 1500)
    return Truth("linear", (_bent(q, (0, q * random.uniform(0.04, 0.08) / X[-1])),))


def one_knee(random: np.random.Generator) -> Truth:
    """Steep, then flat, or the other way round."""
    knee, steep = random.uniform(5, 50), random.uniform(6, 20)
    turns = [(0.0, steep), (knee, -0.9 * steep)]
    if random.random() < 0.5:
        turns = [(knee, steep)]
    return Truth("piecewise linear", (_bent(random.uniform(200, 500), *turns),), (knee,))


def two_knees(random: np.random.Generator) -> Truth:
    """Steep, flat, and steep again."""
    first, second = random.uniform(5, 12), random.uniform(34, 60)
    steep, late = random.uniform(20, 40), random.uniform(5, 12)
    law = _bent(random.uniform(200, 400), (0, steep), (first, -steep), (second, late))
    return Truth("piecewise linear", (law,), (first, second))


def clusters(number: int) -> Callable[[np.random.Generator], Truth]:
    """Constants that differ by 8 to 25 %, of a case without a parameter."""

    def draw(random: np.random.Generator) -> Truth:
        times = random.uniform(300, 800) * np.cumprod(random.uniform(1.08, 1.25, number))
        return Truth("constant", tuple(_bent(float(one)) for one in times), (), False)

    return draw


def two_lines(random: np.random.Generator) -> Truth:
    """Lines whose slopes differ by 15 to 40 %."""
    m, q = random.uniform(2, 6), random.uniform(300, 600)
    higher = random.uniform(1.15, 1.4)
    steeper = higher * random.uniform(1.0, 1.3)
    return Truth("linear", (_bent(q, (0, m)), _bent(q * higher, (0, m * steeper))))


TRUTHS: dict[str, Callable[[np.random.Generator], Truth]] = {
    "constant": constant,
    "linear": linear,
    "small slope": small_slope,
    "one knee": one_knee,
    "two knees": two_knees,
    "2 clusters": clusters(2),
    "3 clusters": clusters(3),
    "5 clusters": clusters(5),
    "2 lines": two_lines,
}


def _bent(q: float, *turns: tuple[float, float]) -> Function:
    """q at x = 0; at each knee's x its slope is added."""
    return lambda x: np.asarray(q + sum(m * np.maximum(x - at, 0.0) for at, m in turns) + 0 * x)


def _outliers(times: Values, random: np.random.Generator) -> Values:
    hit = random.random(times.size) < 0.02
    far = 1 + hit * random.uniform(0.2, 1.0, times.size)
    return np.round(times * far + random.normal(0, 2, times.size))


def _skewed(times: Values, random: np.random.Generator) -> Values:
    return np.round(times * (1 + random.exponential(0.02, times.size)))


NOISES: dict[str, Callable[[Values, np.random.Generator], Values]] = {
    "none": lambda times, random: np.round(times),
    "Gaussian 1 %": lambda times, random: np.round(times * random.normal(1, 0.01, times.size)),
    "Gaussian 3 %": lambda times, random: np.round(times * random.normal(1, 0.03, times.size)),
    "skewed 2 %": _skewed,
    "even ±3 %": lambda times, random: np.round(times * random.uniform(0.97, 1.03, times.size)),
    "timer of 4 cycles": lambda times, random: 4 * np.floor(times / 4 + random.random(times.size)),
    "2 % far away": _outliers,
    "two near peaks": lambda times, random: np.round(times + random.choice([-1, 1], times.size)),
}
"""Noise that makes net times of exact ones. The near peaks lie 2 cycles apart: less than counts."""

RESOLUTION = {"timer of 4 cycles": 4.0}


def simulate(truth: Truth, noise: str, random: np.random.Generator) -> NetTimes:
    """Five series at each x; which cluster a sample is of is drawn."""
    x = np.repeat(X if truth.swept else np.zeros(1), sum(LENGTHS))
    which = random.integers(len(truth.laws), size=x.size)
    exact = np.choose(which, [law(x) for law in truth.laws])
    return NetTimes(x, NOISES[noise](exact, random), RESOLUTION.get(noise, 1.0))
