"""A timed fragment in at most 40 lines: the answer, one line for each technique, warnings."""

from collections.abc import Sequence

from rich.console import Console, Group
from rich.text import Text

from cyclescope.report.provenance import brief_lines
from cyclescope.report.terminal import (
    WHOLE,
    WIDTH,
    aligned,
    first_of,
    heading,
    print_within,
    sentences,
    some,
)
from cyclescope.studies.time.findings import FragmentStudy
from cyclescope.studies.time.report.wording import answer, executed, rows, steps, truth, warnings

MOST_TECHNIQUES, MOST_WARNINGS = 11, 3
COLUMNS = (0, 1, 3, 5, 7)
"""Of the figures of a technique: time, its deviation, overhead, measurements, bias."""

HEADINGS = ("Technique (* chosen)", "T_e ± 95 %", "σ", "ε", "n", "bias")
MEANING = (
    "T_e: time of one execution; σ: its standard error; ε: what readings of the clock add. "
    "Columns n: measurements; bias: T_e less the truth, where a virtual board knows it. "
)


def summarise(found: FragmentStudy, blocks: Group | None, console: Console) -> None:
    """Prints conditions, the answer, the techniques, the longest blocks, and what to doubt."""
    lines = [line for line in brief_lines(found.conditions) if line[0] != "kernel"]
    said = [one for one in (truth(found), steps(found)) if one]
    sections = [
        Group(
            heading([("fragment", executed(found)), *lines]),
            "",
            Text(answer(found), style="bold"),
            *map(Text, said),
        ),
        _techniques(found),
        blocks,
        _doubted(found, said),
        sentences([MEANING + WHOLE], "dim"),
    ]
    print_within(sections, console)


def _techniques(found: FragmentStudy) -> Group:
    most = MOST_TECHNIQUES
    told = sorted(rows(found), key=lambda row: not row.chosen)
    table = [
        (f"{row.name}{' *' if row.chosen else ''}", *(row.figures[at] for at in COLUMNS))
        for row in told[:most]
    ]
    more = [f"… and {len(told) - most} more (--full)"] if len(told) > most else []
    return Group(aligned(HEADINGS, table), *more)


def _doubted(found: FragmentStudy, said: Sequence[str]) -> Group | None:
    told = [one for one in warnings(found) if one not in said]
    if found.unverified:
        rules = [one.rule for one in found.unverified]
        told.append(f"timing rules that no source confirms were touched: {some(rules, len(rules))}")
    told += [f"not modelled: {one.sentence}" for one in found.unmodelled]
    if not told:
        return None
    shown = first_of(told, MOST_WARNINGS, 2 * WIDTH)
    return Group(Text("What to doubt", style="bold"), sentences(shown))
