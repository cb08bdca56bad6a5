"""Do the techniques' 95 % intervals hold? Fragments of known time, timed under noise of known kind.

Each technique gets the same number of measurements, in as many rounds as they make. The scatter of
its estimates over the repetitions stands beside the Gauss-Markov limit, the least standard error of
an unbiased linear estimate from those measurements under that noise.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from cyclescope.firmware.fragment.cost_kind import CostKind
from cyclescope.firmware.fragment.plan import Estimated, Observations
from cyclescope.stats.summary import Values
from cyclescope.studies.time.technique import find_fragment_technique
from cyclescope.studies.time.techniques import several_blocks

EXECUTION, INITIALISATION, OVERHEAD = 100.3, 35.7, 8.5
"""Cycles of T_e, T_i and epsilon."""

POINTS, MEASUREMENTS = 20, 2000

TECHNIQUES = (
    "direct",
    "n_fold",
    "null_fragment",
    "differential",
    "straight_line",
    "robust_line",
    "with_initialisation",
    "balanced_initialisation",
    "arguments_apart",
    "dependent_line",
    "several_blocks",
)
"""From the simplest to the most informative."""

Random = np.random.Generator


@dataclass(frozen=True)
class Noise:
    """Noise added to times of rounds × points, and its variance. It is that of each time by itself,
    that of a point in all rounds alike, or that of a round's speed (as a share of T_e)."""

    name: str
    sentence: str
    disturb: Callable[[Random, Values], Values]
    own: float
    point: float = 0.0
    speed: Callable[[int], float] = lambda rounds: 0.0
    resolution: float = 0.0


def _gaussian(random: Random, times: Values) -> Values:
    return times + random.standard_normal(times.shape)


def _counted(random: Random, times: Values) -> Values:
    start = random.uniform(0, 4, times.shape)
    return 4 * (np.floor((start + times + random.normal(0, 0.25, times.shape)) / 4))


def _stuck(random: Random, times: Values) -> Values:
    one = times[:1] + random.uniform(0, 4, (1, times.shape[1]))
    return np.broadcast_to(4 * np.floor(one / 4), times.shape)


def _outliers(random: Random, times: Values) -> Values:
    hit = random.random(times.shape) < 0.02
    return _gaussian(random, times) + hit * random.exponential(200, times.shape)


def _tailed(random: Random, times: Values) -> Values:
    return times + random.lognormal(0, 1, times.shape)


def _drifting(random: Random, times: Values) -> Values:
    return _gaussian(random, times) + 0.02 * np.arange(times.size).reshape(times.shape)


def _staircase(random: Random, times: Values) -> Values:
    return times + 0.3 * random.standard_normal(times.shape) + random.normal(0, 1, times.shape[1])


SPEED_SIGMA, SPEED_ROUNDS = 1e-3, 4


def _phases(random: Random, times: Values) -> Values:
    """All times of four rounds in a row are longer or shorter by a thousandth."""
    phases = random.normal(1, SPEED_SIGMA, (times.shape[0] // SPEED_ROUNDS + 1, 1))
    return _gaussian(random, times * np.repeat(phases, SPEED_ROUNDS, axis=0)[: times.shape[0]])


NOISES = {
    noise.name: noise
    for noise in (
        Noise("gaussian", "Gaussian, σ 1 cycle", _gaussian, 1),
        Noise("counts", "a clock that counts every 4 cycles, at any phase; Gaussian, σ 0.25",
              _counted, 4**2 / 6, resolution=4),
        Noise("same counts", "that clock at the same phase in every round, no other noise",
              _stuck, 0, 4**2 / 6, resolution=4),
        Noise("outliers", "Gaussian, σ 1; 2 % of times longer by 200 on average (exponential)",
              _outliers, 1 + 0.02 * 2 * 200**2 - (0.02 * 200) ** 2),
        Noise("right tail", "log-normal, median 1, σ 2.2", _tailed, (np.e - 1) * np.e),
        Noise("drift", "Gaussian, σ 1; each time longer than the one before by 0.02", _drifting, 1),
        Noise("staircase", "Gaussian, σ 0.3; each point off by the same in all rounds, σ 1",
              _staircase, 0.3**2, 1),
        Noise("phases", "Gaussian, σ 1; four rounds in a row slower or faster, σ 0.1 %",
              _phases, 1, speed=lambda rounds: SPEED_SIGMA**2 * SPEED_ROUNDS / rounds),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Coverage:
    """Over the repetitions: how often the interval held the truth, and what the estimates did.

    `bias` is their mean less the truth, `scatter` their standard deviation. `sigma` is the mean
    standard error that was stated, `half_width` the mean of the intervals'. `limit` is
    Gauss-Markov's (None where epsilon cannot be separated from T_e), `rejected` the share of
    rejected times.
    """

    technique: str
    noise: str
    repetitions: int
    share: float
    bias: float
    scatter: float
    sigma: float
    half_width: float
    limit: float | None
    rejected: float


@dataclass(frozen=True)
class _Trial:
    """The repeated work: the times without noise, and how they are made into an estimate."""

    times: Values
    truth: float
    gain: float | None
    estimate: Callable[[Values, float], Estimated]


def simulate(
    name: str, noise: Noise, repetitions: int = 2000, measurements: int = MEASUREMENTS
) -> Coverage:
    """One technique under one noise; the same each time it is asked."""
    trial = (
        _several_blocks(measurements) if name == "several_blocks" else _trial(name, measurements)
    )
    random = np.random.default_rng(17)
    found = [
        trial.estimate(noise.disturb(random, trial.times), noise.resolution)
        for _ in range(repetitions)
    ]
    values = np.array([one.execution.value for one in found])
    half_widths = np.array([one.execution.half_width for one in found])
    return Coverage(
        technique=name,
        noise=noise.name,
        repetitions=repetitions,
        share=float(np.mean(np.abs(values - trial.truth) <= half_widths)),
        bias=float(values.mean() - trial.truth),
        scatter=float(values.std(ddof=1)),
        sigma=float(np.mean([one.sigma for one in found])),
        half_width=float(half_widths.mean()),
        limit=_limit(trial, noise),
        rejected=float(np.mean([one.rejected.mean() for one in found])),
    )


def everything(repetitions: int = 2000) -> Iterator[Coverage]:
    """Every technique under every noise."""
    for noise in NOISES.values():
        for name in TECHNIQUES:
            yield simulate(name, noise, repetitions)


def _trial(name: str, measurements: int) -> _Trial:
    using = find_fragment_technique(name)
    plan = using.plan(POINTS)
    rounds = measurements // len(plan)
    empty = Observations(plan, np.zeros((rounds, len(plan))))
    columns = [empty.executions, np.ones(len(plan))]
    waits = using.kind is CostKind.LATENCY
    if using.needs_initialisation or waits:
        columns.insert(1, empty.links if waits else empty.initialisations)
    design = np.column_stack(columns)
    truth = [EXECUTION, INITIALISATION, OVERHEAD] if len(columns) == 3 else [EXECUTION, OVERHEAD]
    times = design @ truth
    if waits:
        # Calls that do not wait for each other overlap: each adds half of what one lasts.
        times -= EXECUTION / 2 * empty.executions * (empty.links == 0)
    return _Trial(
        times=np.tile(times, (rounds, 1)),
        truth=EXECUTION,
        gain=_gain(design) if len(plan) > 1 and not waits else None,
        estimate=lambda times, count: using.estimate(Observations(plan, times, count)),
    )


def _several_blocks(measurements: int) -> _Trial:
    """Five blocks that execute 0 to 9 times, in 40 runs; the estimate is the first block's."""
    counts = np.random.default_rng(5).integers(0, 10, (40, 5))
    design = np.column_stack([counts, np.ones(40)])
    truth = np.array([EXECUTION, 52.0, 7.0, 3.0, 10.0, OVERHEAD])

    def estimate(times: Values, count: float) -> Estimated:
        found = several_blocks.estimate(counts, times, count)
        first = np.eye(6)[0]
        return Estimated(
            execution=found.estimates[0],
            sigma=found.fit.sigma(first),
            n=times.size,
            rejected=np.zeros(times.shape, dtype=np.bool_),
        )

    return _Trial(
        times=np.tile(design @ truth, (measurements // 40, 1)),
        truth=EXECUTION,
        gain=_gain(design),
        estimate=estimate,
    )


def _gain(design: Values) -> float:
    return float(np.linalg.inv(design.T @ design)[0, 0])


def _limit(trial: _Trial, noise: Noise) -> float | None:
    if trial.gain is None:
        return None
    rounds = trial.times.shape[0]
    variance = trial.gain * (noise.point + noise.own / rounds)
    return float((variance + noise.speed(rounds) * EXECUTION**2) ** 0.5)
