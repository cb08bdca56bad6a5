"""Granularity against load: bytes per interaction, and active instructions per byte."""

import re
from typing import Any

from cyclescope.report.plotted import Figure, figure, rounded
from cyclescope.studies.peripheral import paper
from cyclescope.studies.proposals.report.rows import documents
from cyclescope.studies.proposals.results import ProposalsManifest

MEANING = (
    "Each point is an image. The paper's points are its whole systems, uClinux 2.4 with G-Kermit "
    "and with IrDA. They took 222.8 and 117.9 instructions per byte (Tables 1 and 2). The mean "
    "transfers of Table 5 are 14.0 bytes (15.2 received, 7.8 sent) and 81.2."
)


def paper_points() -> list[tuple[str, float, float]]:
    """The paper's systems: name, bytes per transfer, instructions per byte."""
    totals = paper.TRANSFER_TOTALS
    return [
        ("paper, serial", totals["serial"][2], paper.LOAD["active"]),
        ("paper, infrared", totals["infrared"][2], paper.INFRARED_LOAD["active"]),
    ]


def granularity(found: ProposalsManifest) -> Figure:
    """A trace for each proposal, with a point for each image, and one of the paper."""
    groups: dict[str, dict[str, Any]] = {}
    for one in found.ablations:
        proposal = re.split("[:,]", one.title)[0]
        images = groups.setdefault(proposal, {})
        images |= {image["name"]: image for image in documents(found, one)}
    traces: list[Figure] = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": proposal,
            "x": [rounded(image["bytes_per_interaction"]) for image in images.values()],
            "y": [
                rounded(image["load"]["active_instructions"]["per_byte"])
                for image in images.values()
            ],
            "text": list(images),
            "marker": {"size": 9},
        }
        for proposal, images in groups.items()
        if images
    ]
    names, x, y = zip(*paper_points(), strict=True)
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "name": "paper",
            "x": list(x),
            "y": list(y),
            "text": list(names),
            "marker": {"size": 12, "symbol": "diamond"},
        }
    )
    layout: Figure = {
        "xaxis": {"type": "log"},
        "yaxis": {"type": "log"},
        "showlegend": True,
        "height": 420,
    }
    return figure(traces, "bytes per interaction", "active instructions per byte", layout)
