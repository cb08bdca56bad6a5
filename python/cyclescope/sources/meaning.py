"""The numbers of a counted program as files, lines and columns of the user."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from cyclescope.sources import calls, library_calls, senses, through_pointers
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
from cyclescope.sources.operand_edits import COUNTERS
from cyclescope.sources.operations import FunctionOperations, Operation
from cyclescope.sources.syntax import SyntaxNode


def described(program: Instrumented) -> SourceCounts:
    """The places of all that is counted, before anything ran."""
    functions = program.functions
    return SourceCounts(
        warnings=program.warnings,
        files=tuple(str(unit.path) for unit in program.units),
        texts=tuple(one.text.decode("latin-1") for one in program.user_texts),
        functions=tuple(_function(program, one) for one in functions),
        regions=tuple(region for one in functions for region in _regions(program, one)),
        calls=tuple(call for one in functions for call in _calls(program, one)),
        operands=tuple(site for one in functions for site in _operands(program, one)),
        contexts=(),
        merged=False,
        counted=(),
        parameters=(),
        magnitudes=(),
        operations=tuple(
            (one.first_region + region, *operation, number)
            for one in functions
            for region, counted in sorted(_operations(program, one).items())
            for operation, number in sorted(counted.items())
        ),
    )


def counted(program: SourceCounts, dump: Iterable[DumpedContext]) -> SourceCounts:
    """The same with the counts of a run."""
    contexts = list(dump)
    owners = [program.functions[one.function] for one in contexts]
    of_region = {region: one.id for one in program.functions for region in one.regions}
    sites = defaultdict[int, list[tuple[int, int, int]]](list)
    for operands in program.operands:
        # As operand_edits.py numbers the counters of a function, behind those of its regions.
        mine = sites[of_region[operands.region]]
        first = mine[-1][2] if mine else 0
        mine.append((operands.id, first, first + COUNTERS[operands.operation]))
    calls = defaultdict[int, list[SourceCall]](list)
    for call in program.calls:
        calls[of_region[call.region]].append(call)
    behind: dict[tuple[int, str], SourceCall] = {}
    parameters = []
    for context in contexts:
        for number, values, times in context.tuples:
            made = calls[context.function][number]
            for name, own in through_pointers.through(values):
                made = behind.setdefault(
                    (made.id, name), _behind(made, name, len(program.calls) + len(behind))
                )
                values = (1, *own)
            parameters.append((context.number, made.id, values[: len(made.parameters)], times))
    return program.model_copy(
        update={
            "contexts": tuple(_context(one, calls, contexts) for one in contexts),
            "merged": any(one.merged for one in contexts),
            "counted": tuple(
                (context.number, region, times)
                for context, owner in zip(contexts, owners, strict=True)
                for region, times in zip(owner.regions, context.counters, strict=False)
                if times
            ),
            "calls": (*program.calls, *behind.values()),
            "parameters": tuple(parameters),
            "magnitudes": tuple(
                (context.number, site, at - first, times)
                for context, owner in zip(contexts, owners, strict=True)
                for site, first, end in sites[context.function]
                for at in range(first, end)
                if (times := context.counters[len(owner.regions) + at])
            ),
        }
    )


def _behind(pointer: SourceCall, name: str, number: int) -> SourceCall:
    """The call of a library's function that a call through a pointer led to."""
    values = ("through", *library_calls.KNOWN.get(name, ()))
    more = {"id": number, "callee": name, "parameters": values, "literal": (), "arrays": ()}
    return pointer.model_copy(update=more)


def _operations(program: Instrumented, function: NumberedFunction) -> dict[int, Counter[Operation]]:
    return FunctionOperations(function.found, program.trees[function.unit].text).counted


def _context(
    context: DumpedContext, calls: dict[int, list[SourceCall]], contexts: list[DumpedContext]
) -> CallContext:
    call = context.call
    if context.parent is not None and call is not None:
        call = calls[contexts[context.parent].function][call].id
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
    text, spans = program.user_texts[function.unit], function.found.spans()
    tree = program.trees[function.unit]

    def decision(condition: SyntaxNode | None) -> dict[str, Any]:
        if condition is None:
            return {}
        begin, end = condition.begin, condition.end
        return {
            "condition": _span(places, begin, end),
            "sense": senses.sense(condition, tree.text),
            "decided": (text.at(begin), text.at(end)),
        }

    return [
        SourceRegion(
            id=first + one.number,
            function=function.number,
            kind=one.kind,
            parent=None if one.parent is None else first + one.parent,
            spans=tuple(_span(places, *span) for span in spans[one.number]),
            expanded=tuple((text.at(begin), text.at(end)) for begin, end in spans[one.number]),
            **decision(one.condition),
        )
        for one in function.found.regions
    ]


def _calls(program: Instrumented, function: NumberedFunction) -> list[SourceCall]:
    places, text = program.places[function.unit], program.user_texts[function.unit]
    found = []
    for one in function.found.calls:
        found.append(
            SourceCall(
                id=function.first_call + one.number,
                region=function.first_region + one.region,
                callee=one.callee.partition(":")[2] or one.callee,
                parameters=one.values,
                **_place(places, one.node),
                literal=_arguments(one.node, calls.is_literal),
                arrays=_arguments(one.node, calls.is_array),
                expanded=text.at(one.node.begin),
            )
        )
    return found


def _arguments(call: SyntaxNode, holds: Callable[[SyntaxNode], bool]) -> tuple[int, ...]:
    return tuple(at for at, one in enumerate(call.children[1:]) if holds(one))


def _operands(program: Instrumented, function: NumberedFunction) -> list[SourceOperands]:
    places, text = program.places[function.unit], program.user_texts[function.unit]
    found = []
    for one in function.found.operands:
        found.append(
            SourceOperands(
                id=function.first_operands + one.number,
                region=function.first_region + one.region,
                operation=one.operation,
                width=one.width,
                constant=one.constant,
                **_place(places, one.node),
                expanded=text.at(one.node.begin),
            )
        )
    return found


def _place(places: ColumnMap, node: SyntaxNode) -> dict[str, Any]:
    """Where a node begins: file, line and column."""
    place = places.at(node.begin)
    return {"file": place.file, "line": place.line, "column": place.column}


def _span(places: ColumnMap, begin: int, end: int) -> SourceSpan:
    first, last = places.at(begin), places.at(end, ends=True)
    ends = ((first.line, first.column), (last.line, last.column))
    # Between two parts of one macro, what ends lies before what begins.
    return SourceSpan(file=first.file, begin=min(ends), end=max(ends))
