"""Distributions of whole numbers: how many of each, and their summary."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from cyclescope.stats.counted import quantile

QUARTILES = {"q25": 0.25, "q50": 0.5, "q75": 0.75}


def distribution(values: Iterable[int]) -> dict[str, Any]:
    """Number of values, least, quartiles (values that occurred), most and mean; `counts` has pairs
    of value and number. Without values only `n`, 0."""
    counts = sorted(Counter(values).items())
    number = sum(count for _, count in counts)
    if not number:
        return {"n": 0, "counts": []}
    return {
        "n": number,
        "min": counts[0][0],
        **{name: quantile(counts, part) for name, part in QUARTILES.items()},
        "max": counts[-1][0],
        "mean": sum(value * count for value, count in counts) / number,
        "counts": [list(pair) for pair in counts],
    }
