"""Call stacks by entry point: what an interrupt, a system call and a thread's own code called.

The counts are those of `Board.attach_stacks`. A system call is shown as an entry of its own, with
the calls of all programs together. In folded stacks it stands behind the program that made it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cyclescope.studies.peripheral.analyses import replayed
from cyclescope.studies.peripheral.analyses.classes import Classes
from cyclescope.studies.peripheral.analyses.rules import ClassRules
from cyclescope.studies.peripheral.analysis import TransferAnalysis
from cyclescope.studies.peripheral.transfer import Transfer
from cyclescope.studies.run.instruments.symbols import Named, Symbols

ENTRIES = {
    "interrupt": "an interrupt",
    "call": "a system call",
    "fault": "a fault",
    "program": "a thread's own code",
}
"""Kinds of nodes at which a tree begins."""
NO_SYMBOL, ASLEEP = "(no symbol)", "(asleep)"
LEAST_SHARE = 0.05
"""Of the cycles of its entry: smaller branches are not in the text."""
KEPT_SHARE = 0.001
"""The same of the document's trees."""
SMALLER = "(smaller branches)"

Tree = dict[str, Any]


def stacks(counts: Mapping[str, Any], symbols: Symbols, classes: Classes) -> dict[str, Any]:
    """A tree for each entry point; the trees' inclusive sums add up to the whole interval."""
    nodes = counts["nodes"]
    places: list[Tree] = []
    entries = {kind: _node(text, None) for kind, text in ENTRIES.items()}
    for parent, kind, address, instructions, cycles, asleep in nodes:
        if kind in ENTRIES:
            place = entries[kind]
        else:
            one = symbols.at(address) if kind == "function" else None
            place = _child(places[parent], one, classes)
        spent = {"instructions": instructions, "cycles": cycles, "asleep_cycles": asleep}
        for key, value in spent.items():
            place[key] += value
        places.append(place)
    for entry in entries.values():
        _include(entry)
    return {
        "interval_cycles": [counts["since"], counts["until"]],
        "cycles": counts["until"] - counts["since"],
        "entries": [{"entry": kind, **tree} for kind, tree in entries.items()],
    }


def _node(name: str, of: tuple[str, str] | None) -> Tree:
    return {
        "name": name,
        "class": of[0] if of else None,
        "subclass": of[1] if of else None,
        "instructions": 0,
        "cycles": 0,
        "asleep_cycles": 0,
        "children": [],
    }


def _child(parent: Tree, one: Named | None, classes: Classes) -> Tree:
    name = one.name if one else NO_SYMBOL
    of = classes.of(one)
    found = next(
        (c for c in parent["children"] if (c["name"], c["subclass"]) == (name, of[1])), None
    )
    if found is None:
        found = _node(name, of)
        parent["children"].append(found)
    return found


def _include(tree: Tree) -> None:
    """Adds what a node spent with its callees, those with the most cycles first."""
    below = list(_post_order(tree))
    for node in below:
        for key in ("instructions", "cycles", "asleep_cycles"):
            node[f"inclusive_{key}"] = node[key] + sum(
                child[f"inclusive_{key}"] for child in node["children"]
            )
        node["children"].sort(key=lambda child: -child["inclusive_cycles"])


def _post_order(tree: Tree) -> Iterator[Tree]:
    """Every node behind its children; chains may be too deep for recursion."""
    found, waiting = [], [tree]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += node["children"]
    return reversed(found)


def folded(counts: Mapping[str, Any], symbols: Symbols) -> str:
    """The stacks in the text format of flame graphs: `root;…;function CYCLES`, a line for each.

    All lines add up to the cycles of the interval; sleep is a function of its own.
    """
    names: list[str] = []
    sums: Counter[str] = Counter()
    for parent, kind, address, _, cycles, asleep in counts["nodes"]:
        if kind == "function":
            found = symbols.at(address)
            name = found.name if found else NO_SYMBOL
        else:
            name = NO_SYMBOL if kind == "no function" else f"[{kind}]"
        whole = name if parent is None else f"{names[parent]};{name}"
        names.append(whole)
        sums[whole] += cycles
        sums[f"{whole};{ASLEEP}"] += asleep
    return "".join(f"{name} {cycles}\n" for name, cycles in sorted(sums.items()) if cycles)


def lines(document: Mapping[str, Any], least_share: float = LEAST_SHARE) -> list[str]:
    """The trees as text, without branches of less than a share of their entry's cycles."""
    found = []
    for entry in document["entries"]:
        if entry["inclusive_cycles"]:
            found += [*_branch(entry, least_share), ""]
    return [f"{'cycles':>12}  {'own':>10}  {'instructions':>12}", *found[:-1]]


def _branch(entry: Tree, least_share: float) -> Sequence[str]:
    least = least_share * entry["inclusive_cycles"]
    found, waiting = [], [(0, entry)]
    while waiting:
        depth, node = waiting.pop()
        found.append(
            f"{node['inclusive_cycles']:>12,}  {node['cycles']:>10,}  "
            f"{node['inclusive_instructions']:>12,}  {' ' * depth}{node['name']}"
        )
        shown = [child for child in node["children"] if child["inclusive_cycles"] >= least]
        waiting += [(depth + 1, child) for child in reversed(shown)]
    return found


def pruned(tree: Tree, least_cycles: float) -> Tree:
    """The tree with its branches of fewer cycles in one node each; the sums stay."""
    kept = [child for child in tree["children"] if child["inclusive_cycles"] >= least_cycles]
    dropped = [child for child in tree["children"] if child["inclusive_cycles"] < least_cycles]
    children = [pruned(child, least_cycles) for child in kept]
    if dropped:
        rest = _node(SMALLER, None)
        for key in ("instructions", "cycles", "asleep_cycles"):
            rest[key] = sum(child[f"inclusive_{key}"] for child in dropped)
        _include(rest)
        children.append(rest)
    return {**tree, "children": children}


def analyse(transfer: Transfer, rules: ClassRules) -> dict[str, Any]:
    """The steady state's trees. Chains are followed from power-on, so that none begins midway."""
    symbols = replayed.names(transfer)
    replay = transfer.replay()
    board = replay.board
    number = board.attach_stacks(rules.ranges(symbols))
    begin, end = transfer.steady
    replay.run_to(begin)
    board.clear(number)
    instructions = board.instructions
    replay.run_to(end)
    counts = board.counted(number)
    found = stacks(counts, symbols, rules.classes)
    entries = [pruned(entry, KEPT_SHARE * entry["inclusive_cycles"]) for entry in found["entries"]]
    return {
        "rules": rules.document(),
        **found,
        "entries": entries,
        "bytes": replayed.moved(transfer, begin, end).document(),
        "board_instructions": board.instructions - instructions,
        "folded": folded(counts, symbols).splitlines(),
    }


ANALYSIS = TransferAnalysis.with_classes(
    "stacks",
    "call stacks from the interrupt, the system calls and the threads (Figure 3)",
    analyse,
    lines,
)
