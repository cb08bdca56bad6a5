"""docs/reference/agreement.md: page.md with the tables that the recordings and the model give."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from agreement import loops
from agreement.console import GROUPS, Group
from agreement.data import Agreement, Case
from agreement.variants import ADOPTED, DATA_READS, HITS, VARIANTS

ABSENT = "The recordings were not there."


@dataclass
class Asked:
    """Answers of recordings to further questions."""

    groups: list[Group] = field(default_factory=list)
    """The console's counts by kind."""
    merged: dict[str, Agreement] = field(default_factory=dict)
    """The same by `merged_is`."""
    rules: dict[str, list[Group]] = field(default_factory=dict)
    """The same by variants of the rules, as text."""
    shifted: Agreement | None = None
    """Routines at addresses of ours."""
    tried: dict[tuple[str, str], Agreement] = field(default_factory=dict)
    """Loops in flash by variants of the rule."""


def page(found: dict[str, Agreement], asked: Asked, digests: dict[str, str]) -> str:
    """The whole page."""
    cases = found[loops.NAME].cases if loops.NAME in found else []
    tables = {
        "date": date.today().isoformat(),
        "sets": table(
            "set | equal | within (cycles) | mean error | worst | SHA-256 of the recordings",
            (f"{name} | {figures(one)} | `{digests[name][:16]}…`" for name, one in found.items()),
        ),
        "loops": table("loop | part | model | off", (loop(case) for case in cases)),
        "variants": table(
            "after a data read from the array, the line read ahead | a hit begins to read ahead "
            "| equal | within (cycles) | mean error | worst",
            (variant(names, one) for names, one in asked.tried.items()),
        ),
        "moved": table(
            "loop | off by the adopted rule | off by the last variant",
            (
                f"{case.name} | {case.off_cycles:+.2f} | {other.off_cycles:+.2f}"
                for case, other in zip(cases, last(asked.tried), strict=True)
                if case.model_cycles != other.model_cycles
            ),
        ),
        "merged": table(
            "`merged_is` | equal | within (cycles) | mean error | worst",
            (f"`{name}` | {figures(one)}" for name, one in asked.merged.items()),
        ),
        "groups": table(
            "counts | equal | within (cycles) | mean error | worst",
            (f"{group.text} | {figures(group.agreement)}" for group in asked.groups),
        ),
        "rules": table(
            " | ".join(["rule", *(f"{text}: equal" for text in GROUPS)]),
            (f"{text} | {equal(groups)}" for text, groups in asked.rules.items()),
        ),
        "shifted": shifted(asked.shifted),
    }
    text = (Path(__file__).parent / "page.md").read_text()
    for name, made in tables.items():
        text = text.replace("{{" + name + "}}", made)
    return text


def table(head: str, rows: Iterable[str]) -> str:
    """A table whose first column is text; a sentence if it has no rows."""
    lines = [f"| {row} |" for row in rows]
    rule = "|---" + "|--:" * head.count("|") + "|"
    return "\n".join([f"| {head} |", rule, *lines]) if lines else ABSENT


def figures(one: Agreement) -> str:
    return (
        f"{one.equal_count} of {len(one.cases)} | {one.tolerance:g} "
        f"| {one.mean_percent:.3f} % | {one.worst_percent:.2f} %"
    )


def equal(groups: list[Group]) -> str:
    """How many counts of each group are equal."""
    found = [(group.agreement, len(group.cases)) for group in groups]
    return " | ".join(f"{one.equal_count} of {count}" for one, count in found)


def shifted(one: Agreement | None) -> str:
    return f"{one.equal_count} of {len(one.cases)}" if one else ABSENT


def loop(case: Case) -> str:
    return (
        f"{case.name} | {case.measured_cycles:.2f} | {case.model_cycles:g} "
        f"| {case.off_cycles:+.2f} ({case.off_percent:+.2f} %)"
    )


def variant(names: tuple[str, str], one: Agreement) -> str:
    strong = "**" if names == ADOPTED else ""
    data_read, hit = names
    return f"{strong}{DATA_READS[data_read]}{strong} | {strong}{HITS[hit]}{strong} | {figures(one)}"


def last(tried: dict[tuple[str, str], Agreement]) -> list[Case]:
    return tried[VARIANTS[-1]].cases if tried else []
