"""The analysis `load`: load by class in the steady state and in the whole transfer, and budgets."""

from collections.abc import Callable, Mapping
from typing import Any

from cyclescope.studies.peripheral import paper
from cyclescope.studies.peripheral.analyses import replayed
from cyclescope.studies.peripheral.analyses.budget import budget
from cyclescope.studies.peripheral.analyses.budget import lines as budget_lines
from cyclescope.studies.peripheral.analyses.by_class import added, load
from cyclescope.studies.peripheral.analyses.by_class import lines as load_lines
from cyclescope.studies.peripheral.analyses.rules import ClassRules
from cyclescope.studies.peripheral.analysis import TransferAnalysis
from cyclescope.studies.peripheral.transfer import Transfer
from cyclescope.targets.virtual.board import Board


def analyse(transfer: Transfer, rules: ClassRules) -> dict[str, Any]:
    """The steady state's load with its functions, the whole's without, and the budget of a byte."""
    symbols = replayed.names(transfer)

    def attach(board: Board) -> Callable[[], Any]:
        number = board.attach_histogram(rules.ranges(symbols))

        def take() -> Any:
            counts = board.counted(number)
            board.clear(number)
            return counts

        return take

    parts = replayed.counted(transfer, attach)
    first, begin, end, last = replayed.boundaries(transfer)
    classes, stated = rules.classes, paper.LOADS[transfer.setting.line]
    steady_bytes, all_bytes = (
        replayed.moved(transfer, *span) for span in ((begin, end), (first, last))
    )
    steady = load(parts.steady.counted, symbols, classes, steady_bytes, stated)
    whole = load(added(*(one.counted for one in parts)), symbols, classes, all_bytes, stated)
    for one in whole["classes"]:
        for sub in one["subclasses"]:
            del sub["functions"]
    return {
        "rules": rules.document(),
        "steady": {**steady, "board_instructions": parts.steady.instructions},
        "whole": {**whole, "board_instructions": sum(one.instructions for one in parts)},
        "whole_by_steady": whole["active"]["instructions_per_byte"]
        / steady["active"]["instructions_per_byte"],
        "budget": budget(steady, transfer.setting.baud, transfer.setting.line),
    }


def lines(document: Mapping[str, Any]) -> list[str]:
    """Load and budget as text, and how much the choice of the interval matters."""
    whole = document["whole"]["active"]["instructions_per_byte"]
    return [
        *load_lines(document["steady"]),
        f"whole transfer: {whole:,.1f} active instructions per byte, "
        f"{document['whole_by_steady']:.2f} times the steady state's",
        "",
        *budget_lines(document["budget"]),
    ]


ANALYSIS = TransferAnalysis.with_classes(
    "load",
    "instructions and cycles per byte by class (Figure 4, Table 1), and budgets",
    analyse,
    lines,
)
