"""docs/reference/agreement.md: page.md with the tables that the recordings and the model give."""

from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from agreement import loops
from agreement.console import GROUPS, Group
from agreement.data import ABSENT, About, Agreement, Case, table
from agreement.published import Beside
from agreement.published_page import sections
from agreement.variants import ADOPTED, DATA_READS, HITS, VARIANTS


@dataclass
class Asked:
    """Answers of recordings to further questions."""

    about: dict[str, About] = field(default_factory=dict)
    """Each set's judge."""
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
    published: list[Beside] = field(default_factory=list)
    """Figures of others beside ours."""


def page(found: dict[str, Agreement], asked: Asked, digests: dict[str, str]) -> str:
    """The whole page."""
    cases = found[loops.NAME].cases if loops.NAME in found else []
    tables = {
        "date": date.today().isoformat(),
        "judges": table(
            "core | board | measured by | what | cases | equal | within (cycles) | mean error "
            "| worst | failures",
            (judged(one, asked.about[name]) for name, one in found.items()),
        ),
        "failures": table(
            "set | case | part | model | off",
            (f"{name} | {row(case)}" for name, one in found.items() for case in one.unequal),
        ),
        "sets": table(
            "set | SHA-256 of the recordings",
            (f"{name} | `{digests[name]}`" for name in found),
        ),
        "loops": table("loop | part | model | off", (row(case) for case in cases)),
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
        "published": sections(asked.published),
    }
    text = (Path(__file__).parent / "page.md").read_text()
    for name, made in tables.items():
        text = text.replace("{{" + name + "}}", made)
    return text


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


def judged(one: Agreement, about: About) -> str:
    """A judge's row: what it is, and how far the model agrees with it."""
    failures = f"[{len(one.unequal)}](#every-failure)" if one.unequal else "none"
    return (
        f"{about.core} | `{about.board}` | {about.who} | {about.what} | {len(one.cases)} "
        f"| {one.equal_count} | {one.tolerance:g} | {one.mean_percent:.3f} % "
        f"| {one.worst_percent:.2f} % | {failures}"
    )


def row(case: Case) -> str:
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
