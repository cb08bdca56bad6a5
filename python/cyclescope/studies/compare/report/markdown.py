"""A comparison as Markdown: the comment that a pull request gets."""

from collections.abc import Iterable, Sequence

from cyclescope.studies.compare.findings import CasePair, Change, Comparison
from cyclescope.studies.compare.gate import Gate, Outcome
from cyclescope.studies.compare.report import systems, wording

TITLE = "### Cyclescope: what each call costs, A → B"
MOST = 20
"""Lines of a table that are shown unfolded: of conditions that differ, and of what failed."""


def document(found: Comparison, gate: Gate | None) -> str:
    """The whole comment: verdict, conditions that differ, what changed, facts, all cases."""
    changed = [pair for pair in found.pairs if pair.change is not Change.NONE or pair.changes_form]
    parts = [TITLE, *_gate(gate), *_conditions(found)]
    parts += [f"> **{escape(sentence)}**" for sentence in found.warnings]
    parts.append(f"{len(found.pairs)} cases in both, {len(changed)} of them differ.")
    parts += _folded(f"Cases that differ ({len(changed)})", _cases(found, changed), len(changed))
    parts += _classes(found)
    parts += _folded(f"All {len(found.pairs)} cases", _cases(found, found.pairs), len(found.pairs))
    parts += [f"* {escape(sentence)}" for sentence in wording.unmatched(found)]
    parts.append(f"<sub>{escape(wording.meaning(found))}</sub>")
    return "\n\n".join(parts) + "\n"


def _classes(found: Comparison) -> list[str]:
    """The classes, and K of two platforms; or the classes of two operating systems."""
    if found.systems is None:
        platform = map(wording.platform, found.platform.lines)
        return [
            table(wording.CLASS_HEADINGS, map(wording.classes, found.classes)),
            table(wording.PLATFORM_HEADINGS, platform),
        ]
    shown = systems.lines(found.systems)
    times = (systems.times(one, found) for one in shown)
    return [
        table(systems.headings(found, systems.HEADINGS), times),
        table(systems.ORDER_HEADINGS, map(systems.order, shown)),
    ]


def _gate(gate: Gate | None) -> list[str]:
    if gate is None:
        return []
    parts = [f"{'❌' if gate.failed else '✅'} **{escape(gate.sentence)}**"]
    failed = gate.of(Outcome.FAILED)
    if failed:
        lines = [(one.name, reason) for one in failed for reason in one.reasons]
        parts += _begun(("case", "why it failed"), lines)
    return [*parts, f"<sub>{escape(gate.remark)}</sub>"]


def _conditions(found: Comparison) -> list[str]:
    if not found.differences:
        return [wording.SAME]
    lines = [(one.name, one.first, one.second) for one in found.differences]
    return _begun(("conditions that differ", "A", "B"), lines)


def _begun(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    """A table whose first lines are shown and the rest folded away."""
    rest = lines[MOST:]
    folded = _folded(f"{len(rest)} more", table(headings, rest), len(rest))
    return [table(headings, lines[:MOST]), *folded]


def _cases(found: Comparison, pairs: Iterable[CasePair]) -> str:
    chosen = {pair.name for pair in pairs}
    unit = found.unit.symbol
    headings = ("case", "n", f"A {unit}", f"B {unit}", "B / A (95 %)", "B is", "law")
    lines = [
        (row.name, row.n, row.first, row.second, row.ratio, row.change, wording.laws(pair))
        for pair, row in zip(found.pairs, wording.rows(found), strict=True)
        if pair.name in chosen
    ]
    return table(headings, lines)


def _folded(title: str, content: str, count: int) -> list[str]:
    if not count:
        return []
    return [f"<details><summary>{escape(title)}</summary>\n\n{content}\n\n</details>"]


def table(headings: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A table of GitHub's and GitLab's Markdown; the first column is names."""
    rule = ["---", *["---:"] * (len(headings) - 1)]
    rows = [headings, rule, *(tuple(map(escape, line)) for line in lines)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def escape(text: str) -> str:
    """Text that is no markup, on one line."""
    for sign in ("\\", "|", "*", "_", "`", "<", ">"):
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
