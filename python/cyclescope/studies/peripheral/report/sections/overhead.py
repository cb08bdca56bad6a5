"""Figure 2: every byte on the wire by origin, beside the payload."""

from collections.abc import Sequence

from cyclescope.report.page import plot
from cyclescope.report.plotted import Figure
from cyclescope.studies.peripheral import paper
from cyclescope.studies.peripheral.choices import LineType
from cyclescope.studies.peripheral.report.measured import (
    MeasuredTransfer,
    by_line,
    by_way,
    having,
)
from cyclescope.studies.peripheral.report.section import Section, paragraph, share, wide_table
from cyclescope.studies.peripheral.report.stacked_tracks import line_figure, stacked_tracks

NAME = "overhead"
PAYLOAD = "payload"
PERCENT = 100
CAPTION = "Bytes on the wire beyond the payload, in percent of the file, by origin"


def section(transfers: Sequence[MeasuredTransfer]) -> Section | None:
    """Overhead against the payload's size, for each driver and direction."""
    there = having(transfers, NAME)
    if not there:
        return None
    figures: dict[str, Figure] = {}
    html = []
    for number, (way, some) in enumerate(by_way(there).items()):
        name = f"overhead:{number}"
        figures[name] = _stacked(some)
        lost = sum(not one.outcome.identical for one in some)
        text = f"{CAPTION}: {way}" + (f"; {lost} of {len(some)} did not arrive whole" * bool(lost))
        html.append(plot(name, text))
    whole = [one for one in there if one.outcome.identical]
    lines = {
        way: [(one.setting.size, PERCENT * one.documents[NAME]["overhead_share"]) for one in some]
        for way, some in by_way(whole).items()
    }
    if any(len(points) > 1 for points in lines.values()):
        figures["overhead:sizes"] = line_figure(lines, "bytes of the file", "overhead, %")
        html.append(
            plot("overhead:sizes", "Overhead against the file's size, transfers that are whole")
        )
    least, most = (paper.STATED[key].value for key in ("overhead_least", "overhead_most"))
    said = (
        f"The paper's text states {least:.0%} for its largest files and {most:.0%} for its "
        "smallest; its plotted points are not in the text. A download and an upload of one file "
        "have about the same bytes in opposite directions. Exact for each recording."
    )
    tables = "".join(_table(some) for some in by_line(there).values())
    return Section(
        "Overhead against payload (Figure 2)",
        f'<div class="plots">{"".join(html)}</div>{paragraph(said)}{_infrared(there)}{tables}',
        figures,
    )


def _infrared(there: Sequence[MeasuredTransfer]) -> str:
    if LineType.INFRARED not in by_line(there):
        return ""
    large, most = (paper.STATED[f"overhead_{key}_infrared"].value for key in ("large", "most"))
    return paragraph(
        f"Over infrared the paper states {large:.0%} for large files and up to {most:.0%} for "
        "small ones. Its protocols find and ask the other station first, at 9,600 bit/s."
    )


def _stacked(some: Sequence[MeasuredTransfer]) -> Figure:
    tracks = {}
    for one in some:
        document = one.documents[NAME]
        size = document["payload_bytes"]
        tracks[f"{size:,} B"] = {
            origin: PERCENT * counted["bytes"] / size
            for origin, counted in document["origins"].items()
            if origin != PAYLOAD
        }
    return stacked_tracks(tracks, "percent of the file")


def _table(there: Sequence[MeasuredTransfer]) -> str:
    origins = [*there[0].documents[NAME]["origins"]]
    rows = []
    for one in there:
        document = one.documents[NAME]
        counts = [f"{document['origins'][origin]['bytes']:,}" for origin in origins]
        whole = share(document["overhead_share"]) if one.outcome.identical else "not whole"
        rows.append((one.title, *counts, f"{document['wire_bytes']:,}", whole))
    return wide_table(("Bytes on the wire", *origins, "all", "overhead"), rows)
