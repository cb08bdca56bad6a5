"""The analysis `accesses`: Figure 5 and Tables 3 to 5 of a transfer."""

from collections.abc import Callable, Mapping
from typing import Any

from cyclescope.studies.peripheral.analyses import replayed
from cyclescope.studies.peripheral.analyses.access_tables import accesses, pdc_transfers
from cyclescope.studies.peripheral.analyses.by_class import by_function
from cyclescope.studies.peripheral.analyses.rules import ClassRules
from cyclescope.studies.peripheral.analyses.tables import left_and_numbers
from cyclescope.studies.peripheral.analysis import TransferAnalysis
from cyclescope.studies.peripheral.board_side import LINE
from cyclescope.studies.peripheral.transfer import Transfer
from cyclescope.studies.run.instruments.interrupts import Interrupts
from cyclescope.studies.run.instruments.symbols import Symbols
from cyclescope.studies.run.instruments.transfers import Transfers
from cyclescope.targets.virtual.board import Board


def analyse(transfer: Transfer, rules: ClassRules) -> dict[str, Any]:
    """The tables of the steady state, and the PDC's transfers of the whole."""
    symbols = replayed.names(transfer)

    def attach(board: Board) -> Callable[[], Any]:
        ranges = rules.ranges(symbols)
        numbers = [board.attach_accesses(ranges), board.attach_histogram(ranges)]
        moved, interrupts = Transfers(board), Interrupts(board)
        moved.attach()
        interrupts.attach()

        def take() -> Any:
            found = [board.counted(number) for number in numbers]
            found += [moved.document(), interrupts.document()]
            for number in numbers:
                board.clear(number)
            moved.clear()
            interrupts.clear()
            return found

        return take

    parts = replayed.counted(transfer, attach)
    first, begin, end, last = replayed.boundaries(transfer)
    counted, histogram, transfers, interrupts = parts.steady.counted
    moved, link = replayed.moved(transfer, begin, end), transfer.setting.line
    everything = replayed.moved(transfer, first, last)
    found = accesses(
        counted,
        transfers,
        symbols,
        rules.classes,
        LINE,
        _active_instructions(histogram, symbols, rules),
        moved,
        link,
    )
    whole = [line for one in parts for line in one.counted[2]["lines"]]
    taken = sum(one["taken"] for one in interrupts["sources"] if one["source"].startswith(LINE))
    return {
        "rules": rules.document(),
        "interval_cycles": [parts.steady.since, parts.steady.until],
        "bytes": moved.document(),
        **found,
        "interrupts": taken,
        "control_accesses_per_interrupt": found["control_accesses"] / taken if taken else None,
        "whole_transfers": pdc_transfers({"lines": whole}, LINE, everything, link),
    }


def _active_instructions(counts: Mapping[str, Any], symbols: Symbols, rules: ClassRules) -> int:
    classes = rules.classes
    functions = by_function(counts, symbols).items()
    return sum(
        spent["instructions"] for one, spent in functions if not classes.is_idle(classes.of(one)[0])
    )


def lines(document: Mapping[str, Any]) -> list[str]:
    """The tables as text, the paper's numbers beside."""
    stated, widths = document["paper"], document["widths"]
    figures = [
        (text, _written(value, form), _stated(stated, key, form))
        for text, key, value, form in (
            ("data accesses, not idle", "data_accesses", document["data_accesses"], ",.0f"),
            ("per active instruction", "accesses_per_instruction",
             document["per_active_instruction"], ".2f"),
            ("words", "words", widths["words"]["share"], ".0%"),
            ("bytes", "bytes", widths["bytes"]["share"], ".0%"),
            ("char of all", "char_accesses", document["char_share"], ".0%"),
            ("driver, n_tty and irq of the system's", "three_of_system",
             document["three_of_system"], ".0%"),
            ("irda of the system's", "irda_accesses", document.get("irda_of_system"), ".0%"),
            ("char and irda of all", "peripheral_accesses", document.get("peripheral_share"),
             ".0%"),
            ("registers of the driver's", "driver_io_share", document["driver_io_share"], ".0%"),
            ("control accesses per interaction", "control_accesses",
             document["control_accesses_per_interaction"], ",.1f"),
            ("control accesses per interrupt", None, document["control_accesses_per_interrupt"],
             ",.1f"),
        )
        if value is not None or key not in ("irda_accesses", "peripheral_accesses")
    ]  # fmt: skip
    devices = [
        (one["device"], f"{one['reads']:,}", f"{one['writes']:,}", f"{one['accesses']:,}")
        for one in document["devices"]
    ]
    registers = [
        (
            one["group"],
            f"{one['reads']:,}",
            f"{one['writes']:,}",
            f"{one['accesses']:,}",
            "" if one["paper"] is None else f"{one['paper'][2]:,}",
        )
        for one in document["registers"]
        if one["accesses"] or one["paper"]
    ]
    moved = [
        (
            one["direction"],
            f"{one['bytes']:,}",
            f"{one['wire_bytes']:,}",
            f"{one['number']:,}",
            _figure(one["mean_bytes"]),
            f"{one['paper']['mean_bytes']:g}",
        )
        for one in document["whole_transfers"]
    ]
    return [
        *left_and_numbers(("", "here", "paper"), figures),
        "",
        *left_and_numbers(("device", "reads", "writes", "all"), devices),
        "",
        *left_and_numbers((document["line"], "reads", "writes", "all", "paper"), registers),
        "",
        *left_and_numbers(("PDC", "bytes", "of line", "number", "mean", "paper"), moved),
    ]


def _written(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _stated(stated: Mapping[str, float], key: str | None, form: str) -> str:
    """The paper's number; its ratios have their own decimals."""
    if key is None:
        return ""
    return _written(stated.get(key), "g" if form.endswith("f") and form != ",.0f" else form)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}"


ANALYSIS = TransferAnalysis.with_classes(
    "accesses",
    "accesses by class, width, device and register (Figure 5, Tables 3 to 5)",
    analyse,
    lines,
)
