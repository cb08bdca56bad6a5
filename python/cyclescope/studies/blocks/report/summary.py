"""The blocks on which most time is spent, for a summary in a terminal."""

from rich.console import Group

from cyclescope.quantity import format_number
from cyclescope.report.terminal import aligned, sentences
from cyclescope.studies.blocks.found import BlocksFound, Combination
from cyclescope.studies.blocks.report import blocks

MOST_BLOCKS = 4


def most_time(found: BlocksFound) -> Group:
    """The blocks on which most time is spent in all, and what the residuals say."""

    def executions(one: Combination) -> int:
        return min((found.executions.get(name, 0) for name in one.weights), default=0)

    spent = sorted(found.combinations, key=lambda one: -executions(one) * one.estimate.value)
    table = [
        (
            one.text,
            f"{executions(one):,}",
            format_number(one.estimate.value),
            format_number(executions(one) * one.estimate.value, 0),
        )
        for one in spent[:MOST_BLOCKS]
    ]
    head = (f"Blocks ({len(spent)})", "executed", "cycles", "cycles in all")
    return Group(aligned(head, table), sentences(blocks.sentences(found)[:1]))
