"""Where the cycles of an estimate go: by function and chain of calls, and by line."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cyclescope.sources.counts import SourceCounts
from cyclescope.studies.estimate.estimated import ProgramEstimate


@dataclass
class TreeNode:
    """A function reached by one chain of calls, or one that leaves the program (`is_call`)."""

    name: str
    file: str = ""
    line: int = 0
    own_cycles: float = 0.0
    is_call: bool = False
    below: list["TreeNode"] = field(default_factory=list)

    @property
    def cycles(self) -> float:
        return self.own_cycles + sum(one.cycles for one in self.below)

    @property
    def cycles_of_calls(self) -> float:
        """Those of them in calls that leave the program."""
        return self.cycles if self.is_call else sum(one.cycles_of_calls for one in self.below)

    def document(self) -> dict[str, object]:
        """As JSON."""
        found: dict[str, object] = {"name": self.name, "cycles": round(self.cycles, 1)}
        if self.is_call:
            return {**found, "call": True}
        below = [one.document() for one in self.below]
        return {**found, "own": round(self.own_cycles, 1), "line": self.line, "below": below}


@dataclass
class LineCost:
    """One line of source: how often it ran, and the cycles of its code and of its calls."""

    times: int = 0
    own_cycles: float = 0.0
    call_cycles: float = 0.0

    @property
    def cycles(self) -> float:
        return self.own_cycles + self.call_cycles


def tree(counts: SourceCounts, estimate: ProgramEstimate) -> TreeNode:
    """The estimate by chains of calls, the dearest first; the root is the program's start."""
    functions = {one.id: one for one in counts.functions}
    nodes = {}
    for context in counts.contexts:
        function = functions[context.function]
        nodes[context.id] = TreeNode(function.name, function.file, function.line)
    root = TreeNode("the program")
    for context in counts.contexts:
        above = root if context.parent is None else nodes.get(context.parent, root)
        above.below.append(nodes[context.id])
    executed: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, region, times in counts.counted:
        executed[region].append((number, times))
    for part in estimate.own:
        total = counts.totals[part.region]
        for number, times in executed[part.region]:
            nodes[number].own_cycles += part.cycles * times / total
        root.own_cycles += 0.0 if total else part.cycles
    leaves: dict[tuple[int, str], TreeNode] = {}
    for call in estimate.calls:
        key = call.context, call.name
        if key not in leaves:
            leaves[key] = TreeNode(call.name, is_call=True)
            nodes.get(call.context, root).below.append(leaves[key])
        leaves[key].own_cycles += call.cycles
    _order(root)
    only = root.below[0] if len(root.below) == 1 and not root.own_cycles else root
    return only


def _order(node: TreeNode) -> None:
    node.below.sort(key=lambda one: (-one.cycles, one.name))
    for one in node.below:
        _order(one)


def functions(root: TreeNode) -> list[TreeNode]:
    """The own cycles of each function over all chains; calls by themselves. Dearest first."""
    found: dict[tuple[str, str, bool], TreeNode] = {}
    for node in _all(root):
        key = node.name, node.file, node.is_call
        kept = found.setdefault(key, TreeNode(node.name, node.file, node.line, 0.0, node.is_call))
        kept.own_cycles += node.own_cycles
    return sorted(found.values(), key=lambda one: (-one.own_cycles, one.name))


def _all(node: TreeNode) -> Iterator[TreeNode]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += one.below


def lines(counts: SourceCounts, estimate: ProgramEstimate) -> dict[str, dict[int, LineCost]]:
    """The cost of each line, by file and number."""
    found: dict[str, dict[int, LineCost]] = defaultdict(lambda: defaultdict(LineCost))
    for region in counts.regions:
        for span in region.spans:
            for line in range(span.begin[0], span.end[0] + 1):
                cost = found[span.file][line]
                cost.times = max(cost.times, counts.totals[region.id])
    for part in estimate.own:
        found[part.file][part.line].own_cycles += part.cycles
    calls = {one.id: one for one in counts.calls}
    for call in estimate.calls:
        site = calls[call.call]
        found[site.file][site.line].call_cycles += call.cycles
    return {file: dict(costs) for file, costs in found.items()}


def text_of(file: str) -> list[str]:
    """The lines of a file; none where it is not there."""
    path = Path(file)
    return path.read_text(errors="replace").splitlines() if path.is_file() else []
