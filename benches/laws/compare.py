"""Which method finds the law? Simulated samples of known truth, every method on the same ones.

`python benches/laws/compare.py docs/explanation/laws.md` writes its tables.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from methods import METHODS
from simulated import NOISES, TRUTHS, Truth, simulate

from cyclescope.laws.clustering import Clustered
from cyclescope.laws.model import Fitted

DRAWS = 10
SEED = 7
BEGIN, END = "<!-- begin of what make laws writes -->", "<!-- end of it -->"

STEP = 1e-3
"""Half the width over which a true slope is taken."""


@dataclass(frozen=True)
class Score:
    """One method on one draw: what it got right, and how far its coefficients are off.

    `off` has relative errors by kind of coefficient, `covered` whether its interval held the truth.
    """

    truth: str
    noise: str
    method: str
    number: bool
    form: bool
    off: dict[str, list[float]]
    covered: dict[str, list[bool]]


def judge(truth: Truth, found: Clustered) -> tuple[bool, bool]:
    """Whether there are as many clusters as in truth, and all of them of the right form."""
    number = len(found.clusters) == len(truth.laws)
    segments = len(truth.knees) + 1
    same = all(
        one.law.model == truth.form and len(one.law.segments) == segments for one in found.clusters
    )
    return number, number and same


def coefficients(truth: Truth, which: int, law: Fitted) -> Iterable[tuple[str, float]]:
    """Kind and true value of each coefficient, in the law's order."""
    function = truth.laws[which]
    value = lambda x: float(function(np.array([x]))[0])  # noqa: E731
    knees = iter(truth.knees)
    slopes = iter(
        (value(middle + STEP) - value(middle - STEP)) / (2 * STEP)
        for begin, end in zip([0.0, *truth.knees], [*truth.knees, 128.0], strict=True)
        for middle in [(begin + end) / 2]
    )
    for one in law.coefficients:
        if one.name == "q":
            yield "q", value(0.0)
        elif one.name.startswith("knee"):
            yield "knee", next(knees)
        else:
            yield "m", next(slopes)


def score(name: str, noise: str, truth: Truth, method: str, found: Clustered) -> Score:
    """Compares what was found with the truth; coefficients only where the form is right."""
    number, form = judge(truth, found)
    off: dict[str, list[float]] = defaultdict(list)
    covered: dict[str, list[bool]] = defaultdict(list)
    for which, cluster in enumerate(found.clusters if form else ()):
        true = coefficients(truth, which, cluster.law)
        for (kind, value), one in zip(true, cluster.law.coefficients, strict=True):
            error = one.estimate.value - value
            off[kind].append(abs(error) / max(abs(value), 1.0))
            covered[kind].append(abs(error) <= one.estimate.half_width)
    return Score(name, noise, method, number, form, dict(off), dict(covered))


def scores(job: tuple[str, str, int]) -> list[Score]:
    """Every method on the draws of one truth under one noise."""
    name, noise, draws = job
    seed = [SEED, list(TRUTHS).index(name), list(NOISES).index(noise)]
    random = np.random.default_rng(seed)
    found = []
    for _ in range(draws):
        truth = TRUTHS[name](random)
        samples = simulate(truth, noise, random)
        for method, clustering in METHODS.items():
            clusters = clustering.cluster(samples, "byte")
            found.append(score(name, noise, truth, method, clusters))
    return found


def share(found: Iterable[bool]) -> str:
    """In per cent."""
    every = list(found)
    return f"{100 * np.mean(every):.0f}" if every else "–"


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    """As Markdown, figures to the right."""
    rule = ["---", *["--:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *rows]) + "\n"


def shares(everything: list[Score], by: Callable[[Score], str], of: Callable[[Score], bool]) -> str:
    """A row for each method, a column for each truth or noise, and one for all."""
    columns = list(dict.fromkeys(map(by, everything)))
    rows = []
    for method in METHODS:
        own = [one for one in everything if one.method == method]
        parts = [share(of(one) for one in own if by(one) == column) for column in columns]
        rows.append([method, *parts, share(map(of, own))])
    return table(["method", *columns, "all"], rows)


def errors(everything: list[Score]) -> str:
    """Median and nineteenth twentieth of the relative errors, and how often intervals hold."""
    rows = []
    for method in METHODS:
        row = [method]
        for kind in ("q", "m", "knee"):
            off = [e for one in everything if one.method == method for e in one.off.get(kind, [])]
            row.append(
                "–"
                if not off
                else f"{100 * np.median(off):.2f} / {100 * np.quantile(off, 0.95):.1f}"
            )
        gaussian = [
            one for one in everything if one.method == method and one.noise.startswith("Gaussian")
        ]
        row += [
            share(c for one in gaussian for c in one.covered.get(kind, []))
            for kind in ("q", "m", "knee")
        ]
        rows.append(row)
    return table(["method", "q", "m", "knee", "q holds", "m holds", "knee holds"], rows)


def tables(draws: int) -> Iterable[str]:
    """Returns the tables of docs/explanation/laws.md, every method on the same draws."""
    jobs = [(truth, noise, draws) for truth in TRUTHS for noise in NOISES]
    with ProcessPoolExecutor() as pool:
        everything = [one for found in pool.map(scores, jobs) for one in found]
    yield f"{draws} draws of each of {len(TRUTHS)} truths under each of {len(NOISES)} noises.\n"
    yield "Number of clusters and all their forms right, per cent, by truth:\n"
    yield shares(everything, lambda one: one.truth, lambda one: one.form)
    yield "The same by noise:\n"
    yield shares(everything, lambda one: one.noise, lambda one: one.form)
    yield "Number of clusters right, per cent, by truth:\n"
    yield shares(everything, lambda one: one.truth, lambda one: one.number)
    yield (
        "Error of the coefficients where the form is right, per cent of the true value, median / "
        "95th percentile. Then how often the 95 % interval holds under Gaussian noise, per cent:\n"
    )
    yield errors(everything)


def main(page: Path) -> None:
    """Puts the tables in their place in the page."""
    before, _, rest = page.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text("\n".join([before + BEGIN, *tables(DRAWS), END]) + after)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
