"""The numbers of a counted program as files, lines and columns of the user."""

from cyclescope.sources.column_map import ColumnMap
from cyclescope.sources.counts import (
    CallContext,
    SourceCall,
    SourceCounts,
    SourceFunction,
    SourceRegion,
    SourceSpan,
)
from cyclescope.sources.instrumented import Instrumented, NumberedFunction


def described(
    program: Instrumented,
    contexts: tuple[CallContext, ...],
    merged: bool,
    counted: tuple[tuple[int, int, int], ...],
) -> SourceCounts:
    """Counts with the places of all that was counted."""
    return SourceCounts(
        files=tuple(str(unit.path) for unit in program.units),
        functions=tuple(_function(program, one) for one in program.functions),
        regions=tuple(region for one in program.functions for region in _regions(program, one)),
        calls=tuple(call for one in program.functions for call in _calls(program, one)),
        contexts=contexts,
        merged=merged,
        counted=counted,
    )


def _function(program: Instrumented, function: NumberedFunction) -> SourceFunction:
    node, first = function.found.function, function.first_region
    place = program.places[function.unit].at(node.begin)
    return SourceFunction(
        id=function.number,
        name=node.name,
        unit=function.unit,
        file=place.file,
        line=place.line,
        regions=tuple(range(first, first + len(function.found.regions))),
    )


def _regions(program: Instrumented, function: NumberedFunction) -> list[SourceRegion]:
    places, first = program.places[function.unit], function.first_region
    spans = function.found.spans()
    return [
        SourceRegion(
            id=first + one.number,
            function=function.number,
            kind=one.kind,
            parent=None if one.parent is None else first + one.parent,
            spans=tuple(_span(places, *span) for span in spans[one.number]),
        )
        for one in function.found.regions
    ]


def _calls(program: Instrumented, function: NumberedFunction) -> list[SourceCall]:
    places = program.places[function.unit]
    found = []
    for one in function.found.calls:
        place = places.at(one.node.begin)
        found.append(
            SourceCall(
                id=function.first_call + one.number,
                region=function.first_region + one.region,
                callee=one.callee.partition(":")[2] or one.callee,
                file=place.file,
                line=place.line,
                column=place.column,
            )
        )
    return found


def _span(places: ColumnMap, begin: int, end: int) -> SourceSpan:
    first, last = places.at(begin), places.at(end, ends=True)
    ends = ((first.line, first.column), (last.line, last.column))
    # Between two parts of one macro, what ends lies before what begins.
    return SourceSpan(file=first.file, begin=min(ends), end=max(ends))
