"""Prints docs/reference/coverage.md: how often each technique's 95 % interval holds the truth.

usage: python benches/coverage.py [repetitions]
"""

import sys

from cyclescope.quantity import format_number
from cyclescope.studies.errors import coverage

HEAD = """# Coverage of the techniques' intervals, simulated

For readers who ask whether a technique's 95 % interval can be believed, under each kind of noise.
Made by `make coverage`: {repetitions} repetitions of {measurements} measurements each, for every
technique alike. These are {rounds} rounds of {points} points, {pairs} of two, or
{measurements} of one. `several_blocks` has 40 runs of 5 blocks, as often as that makes. Truth:
T_e = {execution}, T_i = {initialisation}, ε = {overhead} cycles. All figures are cycles.

Code: `benches/coverage.py`, `python/cyclescope/campaign/techniques/`.

* **coverage**: share of the 95 % intervals that held T_e, itself known to ± {known} % (1 σ).
* **bias**: mean of the estimates less T_e.
* **scatter**: standard deviation of the estimates, the σ that was reached.
* **stated σ**: mean of the standard errors the technique gave.
* **limit**: Gauss–Markov, the least σ of an unbiased linear estimate from those measurements under
  that noise. A technique that rejects times is not linear and may pass below it.
  For a clock that counts, it takes the mean variance of a count. A time's own variance depends on
  where it lies between two counts. So a technique may pass below the limit there too.

Coverage under 93 % is **bold**: there the technique must not be believed.
"""


def main() -> None:
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    print(
        HEAD.format(
            repetitions=format_number(repetitions),
            measurements=coverage.MEASUREMENTS,
            points=coverage.POINTS,
            rounds=coverage.MEASUREMENTS // coverage.POINTS,
            pairs=coverage.MEASUREMENTS // 2,
            execution=coverage.EXECUTION,
            initialisation=coverage.INITIALISATION,
            overhead=coverage.OVERHEAD,
            known=f"{100 * (0.95 * 0.05 / repetitions) ** 0.5:.1f}",
        )
    )
    noise = ""
    for one in coverage.everything(repetitions):
        if one.noise != noise:
            noise = one.noise
            print(f"\n## {noise}: {coverage.NOISES[noise].sentence}\n")
            print("| technique | coverage | bias | scatter | stated σ | limit | rejected |")
            print("|---|--:|--:|--:|--:|--:|--:|")
        print(_row(one), flush=True)


def _row(one: coverage.Coverage) -> str:
    share = f"{100 * one.share:.1f} %"
    cells = [
        one.technique,
        f"**{share}**" if one.share < 0.93 else share,
        f"{one.bias:+.4f}",
        f"{one.scatter:.4f}",
        f"{one.sigma:.4f}",
        "–" if one.limit is None else f"{one.limit:.4f}",
        f"{100 * one.rejected:.1f} %",
    ]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
