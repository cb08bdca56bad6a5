"""The control-flow graph as a picture: times on its blocks, counts and shares on its edges (SVG).

Graphviz lays it out (`dot`, Debian's graphviz). Ranking a graph that has cycles and keeping its
edges separate is hard, and no library of Python's alone does it as well. Its output is coloured by
a style sheet, so that one picture serves light and dark pages and paper.
"""

import re
import subprocess
from collections.abc import Iterator
from html import escape
from textwrap import wrap

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.cfg.flow import FlowKind
from cyclescope.quantity import ROUNDING, Estimate, format_number
from cyclescope.studies.blocks.found import BlocksFound
from cyclescope.studies.blocks.record import MeasuredBlock, MeasuredEdge

GROUPS = 5
"""Colours there are for groups; further ones share them, and differ by their letter."""
LEGEND_WIDTH = 72
"""Characters in a line below the graph."""
DECIMALS = 3
"""Of a cycle."""

STYLE = """
svg.cfg { --ink: #1d2327; --muted: #5c6770; --panel: #ffffff; --line: #8b969d; --taken: #0b66a8;
  --g0: #c4541a; --g1: #2a8a4a; --g2: #8a3fa0; --g3: #b08a00; --g4: #0b66a8;
  max-width: 100%; height: auto; display: block; margin: auto; }
@media screen and (prefers-color-scheme: dark) { svg.cfg { --ink: #e4e8ea; --muted: #9aa6ae;
  --panel: #1b2125; --line: #6b767d; --taken: #6cb6f0;
  --g0: #f0935c; --g1: #6cd08c; --g2: #d08be6; --g3: #e6c75c; --g4: #6cb6f0; } }
svg.cfg text { fill: var(--ink); font-family: "DejaVu Sans", "Segoe UI", system-ui, sans-serif; }
svg.cfg .graph > polygon { fill: none; stroke: none; }
svg.cfg .cluster > polygon { fill: none; stroke: var(--line); stroke-dasharray: 4 3; }
svg.cfg .node path, svg.cfg .node polygon {
  fill: var(--panel); stroke: var(--line); stroke-width: 1.2; }
svg.cfg .edge path { fill: none; stroke: var(--muted); stroke-width: 1.3; }
svg.cfg .edge polygon { fill: var(--muted); stroke: var(--muted); }
svg.cfg .edge text { fill: var(--muted); }
svg.cfg .taken path { stroke: var(--taken); } svg.cfg .taken text { fill: var(--taken); }
svg.cfg .taken polygon { fill: var(--taken); stroke: var(--taken); }
svg.cfg .resumes path { stroke-dasharray: 5 3; }
svg.cfg .idle { opacity: 0.55; }
""" + "".join(
    f"svg.cfg .group{i} path, svg.cfg .group{i} polygon "
    f"{{ fill: var(--g{i}); fill-opacity: 0.16; stroke: var(--g{i}); stroke-width: 2; }}\n"
    for i in range(GROUPS)
)


def draw(found: BlocksFound) -> str:
    """The graph as one SVG element. The same results give the same bytes."""
    try:
        done = subprocess.run(
            ["dot", "-Tsvg"], input="\n".join(_lines(found)), capture_output=True, text=True
        )
    except FileNotFoundError:
        raise CyclescopeError(
            "the graph cannot be drawn without Graphviz: run scripts/setup.sh, or install it with: "
            "sudo apt-get install graphviz",
            code="graphviz-missing",
        ) from None
    if done.returncode != 0:
        raise CyclescopeError(
            f"dot could not draw the graph: {done.stderr.strip()}", code="dot-failed"
        )
    return _restyled(done.stdout, found)


def _restyled(svg: str, found: BlocksFound) -> str:
    """Without what dot says of itself and of colours; with the style, and listings as tooltips."""
    element = svg[svg.index("<svg") :]
    element = re.sub(r"<!--.*?-->\n?", "", element, flags=re.DOTALL)
    element = re.sub(r' (fill|stroke|font-family)="[^"]*"', "", element)
    element = element.replace("<svg ", '<svg class="cfg" role="img" ', 1)
    listings = {_id(block): "\n".join(block.listing) for block in found.measured.blocks}

    def titled(match: re.Match[str]) -> str:
        return f"<title>{escape(listings.get(match[1], ''))}</title>"

    element = re.sub(r"<title>([^<]*)</title>", titled, element)
    head, inside = element.split(">", 1)
    return f"{head}>\n<style>{STYLE}</style>{inside.rstrip()}\n"


def _lines(found: BlocksFound) -> Iterator[str]:
    yield "digraph cfg {"
    yield 'graph [fontname="DejaVu Sans" fontsize=11 labeljust=l labelloc=b nodesep=0.45]'
    yield 'node [shape=box style=rounded fontname="DejaVu Sans" fontsize=11 margin="0.14,0.08"]'
    yield 'edge [fontname="DejaVu Sans" fontsize=9 arrowsize=0.7]'
    yield f"label={_quoted(_legend(found), 'l')}"
    functions: dict[str, list[MeasuredBlock]] = {}
    for block in found.measured.blocks:
        functions.setdefault(block.function, []).append(block)
    for number, (function, blocks) in enumerate(functions.items()):
        yield f"subgraph cluster{number} {{ label={_quoted([function], 'l')} labelloc=t fontsize=12"
        for block in blocks:
            yield f"{_id(block)} [{_node(found, block)}]"
        yield "}"
    yield from _edges(found)
    yield "}"


def _node(found: BlocksFound, block: MeasuredBlock) -> str:
    times = _times(found, block)
    count = _entered(found, block)
    lines = [f"{block.name}  ×{format_number(count)}", *times]
    group = _group(found, _unknowns(found, block))
    style = f"group{group % GROUPS}" if group is not None else ""
    return f'label={_quoted(lines, "c")} class="{style if count else "idle"}"'


def _unknowns(found: BlocksFound, block: MeasuredBlock) -> list[str]:
    """The unknowns that are this block's: itself, or in the model of edges its only way out."""
    if block.name in found.model.names:
        return [block.name]
    labels = [edge.label for edge in found.measured.edges if edge.source == block.leader]
    return labels if len(labels) == 1 else []


def _times(found: BlocksFound, block: MeasuredBlock) -> list[str]:
    lines = []
    for name in _unknowns(found, block):
        single = found.single(name)
        group = _group(found, [name])
        if single:
            lines.append(cycles_text(single.estimate))
        elif group is not None:
            lines.append(f"only with others ({_letter(group)})")
        else:
            lines.append("never executed")
    return lines


def _edges(found: BlocksFound) -> Iterator[str]:
    by_leader = {block.leader: block for block in found.measured.blocks}
    counts = _edge_counts(found)
    for edge, count in zip(found.measured.edges, counts, strict=True):
        if edge.target not in by_leader or edge.kind is FlowKind.CALL:
            continue
        source, target = by_leader[edge.source], by_leader[edge.target]
        style = "" if edge.kind is FlowKind.NEXT else "taken"
        lines = _edge_label(found, edge, count, _entered(found, source))
        yield (
            f"{_id(source)} -> {_id(target)} [label={_quoted(lines, 'c')} "
            f'class="{style if count else "idle"}"]'
        )
    for block in found.measured.blocks:
        for resumed in block.resumes:
            if resumed in by_leader:
                called = _called(found, block)
                yield (
                    f"{_id(block)} -> {_id(by_leader[resumed])} "
                    f'[label={_quoted([called], "c")} style=dashed class="resumes"]'
                )


def _called(found: BlocksFound, block: MeasuredBlock) -> str:
    targets = {
        edge.target
        for edge in found.measured.edges
        if edge.source == block.leader and edge.kind is FlowKind.CALL
    }
    callees = [one.function for one in found.measured.blocks if one.leader in targets]
    return f" through {', '.join(callees)}"


def _edge_label(found: BlocksFound, edge: MeasuredEdge, count: int, of: int) -> list[str]:
    """Count, share where there is a choice, and in the model of edges the time of this way out."""
    share = f" ({100 * count / of:.0f} %)" if edge.optional and of else ""
    lines = [f" ×{format_number(count)}{share} "]
    several = sum(one.source == edge.source for one in found.measured.edges) > 1
    if edge.label in found.model.names and several:
        single, group = found.single(edge.label), _group(found, [edge.label])
        if single:
            lines.append(f" {cycles_text(single.estimate)}")
        elif group is not None:
            lines.append(f" ({_letter(group)})")
    return lines


def _legend(found: BlocksFound) -> list[str]:
    """Describes the figures, and each group with its known combinations."""
    lines = ["T ± 95 % in cycles of the core; × executions over all inputs"]
    shared = [name for name in found.model.names if name not in _own(found)]
    for name in shared:
        single = found.single(name)
        if single:
            lines.append(f"{name}: {cycles_text(single.estimate)}")
    for index, group in enumerate(found.groups):
        told = [one for one in found.combinations if set(one.weights) & set(group)]
        lines.append(f"({_letter(index)}) can only be timed together:")
        for one in told:
            text = f"{one.text} = {cycles_text(one.estimate)}"
            lines += wrap(text, LEGEND_WIDTH, initial_indent="    ", subsequent_indent="        ")
    return [line.replace("    ", " \N{EM SPACE}") for line in lines]


def _own(found: BlocksFound) -> set[str]:
    return {block.name for block in found.measured.blocks} | {
        edge.label for edge in found.measured.edges
    }


def cycles_text(estimate: Estimate) -> str:
    """Cycles ± the half-width, to a thousandth; what is exact is shown whole.

    >>> cycles_text(Estimate(14.0, 0.0)), cycles_text(Estimate(3.4523, 0.1493))
    ('14 ± 0', '3.452 ± 0.149')
    """
    half = estimate.half_width
    if half <= ROUNDING and abs(estimate.value - round(estimate.value)) <= ROUNDING:
        return f"{round(estimate.value):,} ± 0"
    width = "<0.001" if half < 5e-4 else f"{half:,.{DECIMALS}f}"
    if half <= ROUNDING:
        width = "0"
    return f"{estimate.value:,.{DECIMALS}f} ± {'∞' if half == float('inf') else width}"


def _edge_counts(found: BlocksFound) -> list[int]:
    rows = [row for one in found.measured.equations if not one.left_at for row in one.counts]
    return [sum(column) for column in zip(*rows, strict=True)]


def _entered(found: BlocksFound, block: MeasuredBlock) -> int:
    counts = zip(found.measured.edges, _edge_counts(found), strict=True)
    return sum(count for edge, count in counts if edge.source == block.leader)


def _group(found: BlocksFound, names: list[str]) -> int | None:
    return next((i for i, group in enumerate(found.groups) if set(group) & set(names)), None)


def _letter(group: int) -> str:
    return chr(ord("a") + group % 26)


def _id(block: MeasuredBlock) -> str:
    return f"b{block.leader:x}"


def _quoted(lines: list[str], align: str) -> str:
    r"""A label of dot; `\l`, `\c` end lines to the left or in the middle."""
    end = "\\l" if align == "l" else "\\n"
    text = end.join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return f'"{text}{end if align == "l" else ""}"'
