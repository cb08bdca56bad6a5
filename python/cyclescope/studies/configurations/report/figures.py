"""Pictures of configurations: how ratios, or costs, are distributed over the calls."""

from collections.abc import Sequence

from cyclescope.report.plotted import Figure, figure, numbers
from cyclescope.studies.compare.findings import CasePair
from cyclescope.studies.configurations.findings import (
    ConfigurationFound,
    ConfigurationsFound,
    CostRow,
)

LINE_PX = 50
FRAME_PX = 110


def ratios(found: ConfigurationsFound) -> Figure:
    """One box for each configuration, with every case as a point."""
    boxes = []
    for one in found.others:
        known = [pair for pair in _pairs(one) if pair.ratio.value == pair.ratio.value]
        values = [pair.ratio.value for pair in known]
        boxes.append(_box(one.name, [pair.case.name for pair in known], values))
    return _boxes(boxes, "time by that of the base", 1)


def _pairs(one: ConfigurationFound) -> Sequence[CasePair]:
    return one.comparison.pairs if one.comparison else ()


def costs(found: ConfigurationsFound, rows: Sequence[CostRow]) -> Figure:
    """One box for each option that changes something, with every call that it changes."""
    boxes = []
    for column, one in enumerate(found.others):
        pairs = [(row.case, row.costs[column]) for row in rows]
        known = [(case, cost.cycles.value) for case, cost in pairs if cost and cost.cycles.value]
        if known:
            boxes.append(_box(one.name, [case for case, _ in known], [cost for _, cost in known]))
    return _boxes(boxes, "cycles that a call takes more", 0)


def _box(name: str, cases: list[str], values: list[float]) -> Figure:
    return {"type": "box", "name": name, "x": numbers(values), "text": cases}


def _boxes(boxes: list[Figure], label: str, at: float) -> Figure:
    """Boxes below each other, and a line where nothing differs."""
    layout: Figure = {
        "showlegend": False,
        "shapes": [{"x0": at}],
        "height": FRAME_PX + LINE_PX * len(boxes),
    }
    return figure(boxes, label, "", layout)
