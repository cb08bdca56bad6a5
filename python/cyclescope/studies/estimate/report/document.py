"""An estimate as JSON."""

import json
from typing import Any

from cyclescope.studies.estimate import tree
from cyclescope.studies.estimate.estimating import AS_IT_IS, EstimatedProgram
from cyclescope.studies.estimate.ways import PricedWay

FORMAT = "cyclescope estimate"
LEVEL = 0.9


def document(found: EstimatedProgram) -> dict[str, Any]:
    """Everything that was found; cycles are of the whole run."""
    selection, application = found.asked.selection, found.asked.application
    shown = found.shown
    told: dict[str, Any] = {
        "format": FORMAT,
        "program": [str(one) for one in application.sources],
        "level": application.level,
        "arguments": list(found.asked.inputs.arguments),
        "files": {name: len(content) for name, content in found.program.files.items()},
        "board": selection.board,
        "kernel": selection.kernel,
        "settings": dict(selection.settings),
        "options": dict(selection.options),
        "status": found.program.run.status,
        "ways": [_way(one) for one in found.here],
        "what_if": [
            {"settings": one.label, **_way(one)} for one in found.priced if one.label != AS_IT_IS
        ],
        "doubts": found.doubts,
    }
    if shown is not None and shown.estimate is not None:
        root = tree.tree(found.program.counts, shown.estimate)
        told["tree"] = root.document()
        told["functions"] = [
            {"name": one.name, "call": one.is_call, "own_cycles": round(one.own_cycles, 1)}
            for one in tree.functions(root)
            if one.own_cycles
        ]
        told["lines"] = {
            file: {
                str(line): [cost.times, round(cost.own_cycles, 1), round(cost.call_cycles, 1)]
                for line, cost in sorted(costs.items())
            }
            for file, costs in tree.lines(found.program.counts, shown.estimate).items()
        }
    return told


def _way(one: PricedWay) -> dict[str, Any]:
    told: dict[str, Any] = {
        "way": one.way.value,
        "cycles": round(one.cycles),
        "milliseconds": one.milliseconds,
        "core_hz": one.core_hz,
        "cycles_without_calls": round(one.cycles_without_calls),
        "share_of_calls": one.share_of_calls,
        "energy_uj": one.energy_uj,
        "energy_of_calls_uj": one.energy_of_calls_uj,
        "used": list(one.used),
        "doubts": list(one.doubts),
    }
    if one.estimate is None:
        return told
    interval = one.estimate.interval
    return {
        **told,
        "interval": {
            "low_cycles": round(interval.low_cycles),
            "high_cycles": round(interval.high_cycles),
            "level": LEVEL,
        },
        "unpriced": [vars(call) for call in one.estimate.unpriced],
    }


def text(told: dict[str, Any]) -> str:
    """The document as a file has it."""
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"
