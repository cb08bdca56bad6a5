"""Moreno and Fischmeister, table 2, again: the blocks of a coder of ADPCM on their own processor.

    python benches/paper_003/table_two.py RESULTS [PAGE]

RESULTS is a folder of `cyclescope time examples/blocks/adpcm_calls.c --blocks --model edges --board
atmega2560`: 100 rounds of 1,000 calls each, with the engine's exact counts and times. To each time
noise is added as their pin and card had it. PAGE has what the whole executions alone say, where
columns that coincide are merged, and what the exits of section 5.1 add. Without it all is printed.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cyclescope.studies.blocks.analyse import analyse_blocks
from cyclescope.studies.blocks.found import BlocksFound, Combination
from cyclescope.studies.blocks.record import BlockMeasurements, Equations, load

SIGMA_US = 1.119
"""Of one of their measurements (table 1, direct); a cycle takes 1 µs there."""
SEED = 1
PAPER = (
    ("BB0 et al.", 52.01, 0.044), ("BB1 et al.", 98.98, 0.003), ("BB2", 7.997, 0.005),
    ("BB4", 6.994, 0.006), ("BB6", 4.998, 0.003), ("BB8", 3.000, 0.004), ("BB18", 9.987, 0.016),
)  # fmt: skip
HEAD = (
    "# Table 2 of paper 003, again",
    "",
    "For readers who ask how well times of basic blocks come out of whole executions.",
    "Made by `make paper-003`; not edited by hand.",
    "",
    "Code: `benches/paper_003/table_two.py`, `examples/blocks/adpcm_calls.c`.",
    "",
    "A coder of IMA ADPCM is called 1,000 times in each of 100 measurements, with other samples",
    "each time, on the virtual ATmega2560. A branch costs 1 or 2 cycles there, so edges are",
    "estimated, not blocks. Columns that coincide are merged, as in the paper (`et al.`). Exits at",
    "the first arrival (section 5.1) split them; those here were chosen for the model of blocks.",
    "**engine** is the exact mean time of the edge at 1 MHz; intervals are of 95 %. The head of",
    "the program says how it differs from MiBench's, which the paper has.",
    "",
)


def single_executions(one: Equations) -> Equations:
    """The measurements of one execution: their 1,000 calls."""
    chosen = [index for index, count in enumerate(one.executions) if count == 1]
    return one.model_copy(
        update={
            "executions": tuple(one.executions[index] for index in chosen),
            "counts": tuple(one.counts[index] for index in chosen),
            "times_cycles": tuple(
                tuple(row[index] for index in chosen) for row in one.times_cycles
            ),
        }
    )


def noisy(measured: BlockMeasurements, seed: int, *, whole_alone: bool) -> BlockMeasurements:
    """The same as their bench would have measured it; `whole_alone`: without early exits."""
    draw = np.random.default_rng(seed)
    kinds = [
        single_executions(one) if one.left_at is None else one
        for one in measured.equations
        if one.left_at is None or not whole_alone
    ]
    equations = tuple(
        one.model_copy(
            update={
                "times_cycles": tuple(
                    tuple(np.array(row) + draw.normal(0.0, SIGMA_US, len(row)))
                    for row in one.times_cycles
                )
            }
        )
        for one in kinds
    )
    return measured.model_copy(update={"equations": equations, "refused": ()})


def merged(measured: BlockMeasurements) -> dict[tuple[int, ...], list[str]]:
    """The edges by their column of counts, which coincide where one stands for several."""
    whole = next(one for one in measured.equations if one.left_at is None)
    columns: dict[tuple[int, ...], list[str]] = {}
    for edge, column in zip(measured.edges, zip(*whole.counts, strict=True), strict=True):
        if any(column):
            columns.setdefault(column, []).append(edge.label)
    return columns


def name_of(one: Combination, groups: Sequence[Sequence[str]]) -> str:
    """The combination in the paper's words: `A et al.` for edges whose columns coincide."""
    text, told = "", set[str]()
    for name, weight in one.weights.items():
        if name in told:
            continue
        group = next((each for each in groups if name in each), [name])
        told.update(group)
        size = "" if abs(weight) == 1 else f"{abs(weight)} "
        together = f"({name} et al.)" if len(group) > 1 and len(one.weights) > 1 else name
        text += f" {'-' if weight < 0 else '+'} {size}{together}"
    return text.removeprefix(" + ").strip()


def lines(found: BlocksFound, groups: Sequence[Sequence[str]], at_most: int) -> list[str]:
    """A row for each combination of at most so many unknowns; one with ε has no truth."""
    return [row(one, groups) for one in found.combinations if len(one.weights) <= at_most]


def row(one: Combination, groups: Sequence[Sequence[str]]) -> str:
    estimate = f"{one.estimate.value:.3f} ± {one.estimate.half_width:.3f}"
    truth = f"{one.truth.mean_cycles:.3f}" if one.truth else ""
    return f"| {name_of(one, groups)} | {estimate} | {truth} |"


def covered(found: BlocksFound) -> tuple[int, int]:
    """How many intervals hold the truth, of how many."""
    known = [one for one in found.combinations if one.error is not None]
    return sum(abs(one.error or 0.0) <= one.estimate.half_width for one in known), len(known)


def show(
    title: str, found: BlocksFound, groups: Sequence[Sequence[str]], at_most: int
) -> list[str]:
    held, known = covered(found)
    return [
        f"## {title}",
        "",
        "| combination | estimate, µs | engine, µs |",
        "|---|--:|--:|",
        *lines(found, groups, at_most),
        "",
        f"n = {found.equations:,} measurements; {held} of {known} intervals hold the truth; "
        f"residual σ {found.residual_sigma:.3f} µs.",
        "",
    ]


def page(measured: BlockMeasurements, seed: int = SEED) -> str:
    """Both tables beside the paper's, in Markdown."""
    whole = noisy(measured, seed, whole_alone=True)
    groups = merged(whole)
    several = {column: names for column, names in groups.items() if len(names) > 1}
    alone = analyse_blocks(whole)
    split = analyse_blocks(noisy(measured, seed, whole_alone=False))
    text = [
        *HEAD,
        f"Noise of each measurement: σ {SIGMA_US} µs, seed {seed}.",
        "",
        f"{sum(map(len, groups.values()))} edges execute; their columns coincide in "
        f"{len(several)} groups of {sum(map(len, several.values()))}, so {len(groups)} differ.",
        "",
        *show("Whole executions alone", alone, list(groups.values()), sys.maxsize),
        *show("With exits", split, (), 1),
        "## The paper's",
        "",
        "| block | time, µs |",
        "|---|--:|",
        *(f"| {name} | {value} ± {half} |" for name, value, half in PAPER),
    ]
    return "\n".join(text) + "\n"


def main(arguments: Sequence[str]) -> None:
    measured = load(Path(arguments[0]))
    if measured is None:
        sys.exit(f"error: {arguments[0]} has no blocks: measure with --blocks first")
    text = page(measured.model_copy(update={"model": "edges"}))
    if len(arguments) > 1:
        Path(arguments[1]).write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main(sys.argv[1:])
