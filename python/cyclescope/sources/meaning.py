"""The numbers of a counted program as files, lines and columns of the user."""

from collections import Counter
from collections.abc import Callable, Iterable

from cyclescope.sources import calls
from cyclescope.sources.column_map import ColumnMap
from cyclescope.sources.counts import (
    CallContext,
    SourceCall,
    SourceCounts,
    SourceFunction,
    SourceOperands,
    SourceRegion,
    SourceSpan,
)
from cyclescope.sources.dumps import DumpedContext
from cyclescope.sources.instrumented import Instrumented, NumberedFunction
from cyclescope.sources.operations import FunctionOperations, Operation
from cyclescope.sources.syntax import SyntaxNode


def described(program: Instrumented, dump: Iterable[DumpedContext]) -> SourceCounts:
    """Counts with the places of all that was counted."""
    contexts = list(dump)
    functions = program.functions
    owners = [functions[one.function] for one in contexts]
    return SourceCounts(
        warnings=program.warnings,
        files=tuple(str(unit.path) for unit in program.units),
        functions=tuple(_function(program, one) for one in functions),
        regions=tuple(region for one in functions for region in _regions(program, one)),
        calls=tuple(call for one in functions for call in _calls(program, one)),
        operands=tuple(site for one in functions for site in _operands(program, one)),
        contexts=tuple(_context(one, functions, contexts) for one in contexts),
        merged=any(one.merged for one in contexts),
        counted=tuple(
            (context.number, owner.first_region + region, times)
            for context, owner in zip(contexts, owners, strict=True)
            for region, times in enumerate(context.counters[: len(owner.found.regions)])
            if times
        ),
        parameters=tuple(
            (context.number, owner.first_call + call, _values(owner, call, values), times)
            for context, owner in zip(contexts, owners, strict=True)
            for call, values, times in context.tuples
        ),
        magnitudes=tuple(
            (context.number, owner.first_operands + site.number, at - site.first, times)
            for context, owner in zip(contexts, owners, strict=True)
            for site in owner.found.operands
            for at in range(site.first, site.end)
            if (times := context.counters[len(owner.found.regions) + at])
        ),
        operations=tuple(
            (one.first_region + region, *operation, number)
            for one in functions
            for region, counted in sorted(_operations(program, one).items())
            for operation, number in sorted(counted.items())
        ),
    )


def _operations(program: Instrumented, function: NumberedFunction) -> dict[int, Counter[Operation]]:
    return FunctionOperations(function.found, program.trees[function.unit].text).counted


def _values(owner: NumberedFunction, call: int, values: tuple[int, ...]) -> tuple[int, ...]:
    return values[: len(owner.found.calls[call].values)]


def _context(
    context: DumpedContext, functions: list[NumberedFunction], contexts: list[DumpedContext]
) -> CallContext:
    call = context.call
    if context.parent is not None and call is not None:
        call += functions[contexts[context.parent].function].first_call
    return CallContext(
        id=context.number, parent=context.parent, call=call, function=context.function
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
                parameters=one.values,
                file=place.file,
                line=place.line,
                column=place.column,
                literal=_arguments(one.node, calls.is_literal),
                arrays=_arguments(one.node, calls.is_array),
            )
        )
    return found


def _arguments(call: SyntaxNode, holds: Callable[[SyntaxNode], bool]) -> tuple[int, ...]:
    return tuple(at for at, one in enumerate(call.children[1:]) if holds(one))


def _operands(program: Instrumented, function: NumberedFunction) -> list[SourceOperands]:
    places = program.places[function.unit]
    found = []
    for one in function.found.operands:
        place = places.at(one.node.begin)
        found.append(
            SourceOperands(
                id=function.first_operands + one.number,
                region=function.first_region + one.region,
                operation=one.operation,
                width=one.width,
                constant=one.constant,
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
