"""The times of basic blocks as text: a table for the terminal, JSON, and a part of a page."""

from html import escape
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cyclescope.errors import CyclescopeError
from cyclescope.quantity import ROUNDING
from cyclescope.report import page
from cyclescope.stats.outliers import RULE
from cyclescope.studies.blocks.found import BlocksFound, Combination
from cyclescope.studies.blocks.model import (
    EDGES,
    EPSILON,
    LEFT,
    TAKEN,
    Exactly,
    suitable_model,
)
from cyclescope.studies.blocks.report import cfg_svg
from cyclescope.studies.blocks.report.cfg_svg import DECIMALS, cycles_text

HEADINGS = ("time of", "executed", "cycles ± 95 %", "truth", "off by", "spread")


def show(found: BlocksFound, console: Console) -> None:
    """Prints the table and what must be said about it."""
    console.print()
    console.print(Text(f"Basic blocks: {_title(found)}", style="bold"))
    console.print()
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(HEADINGS[0], overflow="fold")
    for name in HEADINGS[1 : None if _has_truth(found) else 3]:
        table.add_column(name, justify="right", no_wrap=True)
    for one in found.combinations:
        table.add_row(*map(Text, row(found, one)[: len(table.columns)]))
    console.print(table)
    console.print()
    for sentence in sentences(found):
        console.print(Padding(Text(sentence), (0, 0, 0, 2)))


def row(found: BlocksFound, one: Combination) -> tuple[str, ...]:
    """The figures of one combination, as HEADINGS names them."""
    (first, *others) = one.weights
    count = found.executions.get(first)
    executed = "" if others or count is None else f"{count:,}"
    truth = one.truth
    return (
        one.text,
        executed,
        cycles_text(one.estimate),
        "" if truth is None else _number(truth.mean_cycles),
        "" if one.error is None else _number(one.error),
        "" if truth is None else _spread(truth),
    )


def sentences(found: BlocksFound) -> list[str]:
    """Returns notes about the figures, the most important first."""
    measured = found.measured
    said = [
        f"n = {found.equations:,} equations, {found.repetitions} of each; residual σ "
        f"{_number(found.residual_sigma)}, at most {_number(found.residual_maximum)} cycles"
    ]
    if found.rejected:
        said.append(f"{found.rejected:,} times were rejected: {RULE}, from their own median.")
    if found.additive:
        said.append("The residuals are no more than the clock's rounding and its noise.")
    else:
        said.append(
            "The residuals are more than rounding and noise: something here is no constant, but "
            "depends on what executed before it or on its data. A figure is then a mean over its "
            f"executions, and ± says how paths differ.{_other_model(found)}"
        )
    said += _against_the_truth(found) + _warnings(found)
    for group in found.groups:
        said.append(
            f"{', '.join(group)} can only be timed together: their counts never differ "
            "independently in these measurements."
        )
    if found.splits:
        places = ", ".join(split.at for split in found.splits)
        said.append(
            f"Leaving the fragment early at {places} would split them; a virtual board does it by "
            "itself."
        )
    if found.groups and not found.splits:
        said.append("No early exit splits them; inputs for which their counts differ would.")
    if measured.refused:
        places = ", ".join(one.at for one in measured.refused)
        said.append(
            f"Not left early at {places}, though that would split something: PREPARE, INITIALISE "
            f"or the harness execute it too ({measured.refused[0].why})."
        )
    if found.unexecuted:
        said.append(f"Not executed by any input: {', '.join(found.unexecuted)}.")
    for block in measured.blocks:
        if block.varies:
            said.append(
                f"{block.name} has instructions that cost less when their condition fails, so its "
                f"time is no constant: {'; '.join(block.varies)}."
            )
    said.append(_meaning(found))
    return said


def _against_the_truth(found: BlocksFound) -> list[str]:
    """How many intervals hold what the board itself saw."""
    known = [(abs(one.error), one.estimate.half_width) for one in found.combinations
             if one.error is not None]  # fmt: skip
    if not known:
        return []
    beyond = [error for error, half in known if error > half + ROUNDING]
    if not beyond:
        return [f"All {len(known)} figures that the board itself can check are within their ±."]
    return [
        f"{len(beyond)} of the {len(known)} figures that the board itself can check are off by "
        f"more than their ±, at most by {_number(max(beyond))} cycles."
    ]


def _warnings(found: BlocksFound) -> list[str]:
    """Returns notes about errors that residuals cannot show."""
    fetches = found.measured.conditions.code_fetches
    warnings = []
    if fetches.overlap_cycles:
        warnings.append(
            "Instructions overlap on this core: the blocks beside one change what it costs. So "
            f"± has {fetches.overlap_cycles} cycles in it."
        )
    doubt = fetches.doubt_cycles
    if not found.leaves or not doubt:
        return warnings
    return [
        *warnings,
        "The code is fetched through an accelerator: the cost of a fetch depends on the fetches "
        "before it. The instruction in whose place an execution is left is one of them. No "
        f"residual shows that, so ± has {doubt} cycles in it, one read of a line, for each early "
        "exit that a figure rests on. Where all fetches take the same (another --code, or the "
        "accelerator off), figures are exact.",
    ]


def _other_model(found: BlocksFound) -> str:
    if found.model.kind == EDGES:
        return ""
    if suitable_model(found.measured.conditions) == EDGES:
        return (
            " Branches do not all cost the same here, though this model says so, and its intervals "
            "need not hold: use the model edges."
        )
    return " A time for each way out of a block (the model edges) may do better."


def _meaning(found: BlocksFound) -> str:
    text = (
        "call is the branch that begins an execution, ε what each measurement adds, ε′ what one "
        "that is left early adds."
    )
    if TAKEN in found.model.names:
        text += f" {TAKEN}: what each optional branch costs more when it is taken."
    return text


def document(found: BlocksFound) -> dict[str, Any]:
    """Everything found, ready for `json.dumps`."""
    return {
        "model": found.model.kind,
        "call": found.measured.call,
        "equations": found.equations,
        "repetitions": found.repetitions,
        "rejected": found.rejected,
        "residual_sigma_cycles": found.residual_sigma,
        "residual_maximum_cycles": found.residual_maximum,
        "additive": found.additive,
        "left_at": list(found.leaves),
        "times": [_combination(found, one) for one in found.combinations],
        "groups": [list(group) for group in found.groups],
        "unexecuted": list(found.unexecuted),
        "splits": [{"at": one.at, "frees": list(one.frees)} for one in found.splits],
        "sentences": sentences(found),
    }


def _combination(found: BlocksFound, one: Combination) -> dict[str, Any]:
    truth = one.truth
    half = one.estimate.half_width
    return {
        "of": one.text,
        "weights": {name: float(weight) for name, weight in one.weights.items()},
        "cycles": one.estimate.value,
        "half_width_95_cycles": half if half != float("inf") else None,
        "truth_cycles": truth and truth.mean_cycles,
        "off_by_cycles": one.error,
        "truth_shortest_cycles": truth and truth.shortest_cycles,
        "truth_longest_cycles": truth and truth.longest_cycles,
    }


def part(found: BlocksFound) -> str:
    """A part of a page: the picture of the graph, the table, and the sentences."""
    try:
        picture = cfg_svg.draw(found)
    except CyclescopeError as error:
        picture = f"<p>{escape(error.sentence)}</p>"
    shown = HEADINGS[: None if _has_truth(found) else 3]
    rows = [row(found, one)[: len(shown)] for one in found.combinations]
    return (
        f'<h2>Basic blocks</h2><figure class="blocks">{picture}'
        f"<figcaption>{escape(_title(found))}</figcaption></figure>"
        f'<div class="scroll">{page.table(shown, rows)}</div>'
        f"{page.bullets(sentences(found), 'remarks')}"
    )


def _title(found: BlocksFound) -> str:
    left = f"; left early at {', '.join(found.leaves)}" if found.leaves else ""
    return f"{found.measured.call}, model {found.model.kind}{left}"


def _has_truth(found: BlocksFound) -> bool:
    return any(one.truth for one in found.combinations if not {EPSILON, LEFT} & set(one.weights))


def _number(value: float) -> str:
    return (
        f"{round(value):,}" if abs(value - round(value)) <= ROUNDING else f"{value:,.{DECIMALS}f}"
    )


def _spread(truth: Exactly) -> str:
    """From the shortest to the longest execution; a constant has none."""
    if truth.longest_cycles - truth.shortest_cycles <= ROUNDING:
        return "constant"
    return f"{_number(truth.shortest_cycles)} to {_number(truth.longest_cycles)}"
