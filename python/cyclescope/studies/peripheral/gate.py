"""The gate of `compare` for transfers: rules on active cycles per byte, on what else a transfer
costs and loses, and on whole files."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cyclescope.errors import WrongUsage
from cyclescope.studies.compare.findings import TimeUnit
from cyclescope.studies.compare.gate import Rule, Trigger, parse
from cyclescope.studies.peripheral.compared import PeripheralComparison, TransferPair

JUDGED = "active cycles"
MORE = re.compile(r"more(?::(\d+(?:\.\d+)?) ?%)?")
"""The rule on all of `compared.EXACT`: any increase breaks it, or one beyond the percentage."""


@dataclass(frozen=True)
class PeripheralGate:
    """The rules, and a sentence for each time that one is broken."""

    rules: tuple[str, ...]
    broken: tuple[str, ...]
    judged: int

    @property
    def sentence(self) -> str:
        """The verdict in one line."""
        verdict = "FAILED" if self.broken else "passed"
        of = f"{self.judged} transfers, {len(self.broken)} rules broken"
        return f"gate {verdict} ({', '.join(self.rules)}): {of}"


def judge(found: PeripheralComparison, texts: Sequence[str]) -> PeripheralGate | None:
    """Judges by --fail-if; None without a rule. Raises WrongUsage for rules on laws."""
    if not texts:
        return None
    more = [text for text in texts if MORE.fullmatch(text.strip())]
    rules = [parse(text, TimeUnit.CYCLES) for text in texts if text not in more]
    for rule in rules:
        if rule.trigger is Trigger.FORM:
            raise WrongUsage(
                "--fail-if form is of laws, which transfers have not: write slower:5%, "
                "slower:20cycles, faster:… alike, more, more:5%, or missing",
                code="rule-not-for-peripheral",
            )
    broken = [sentence for rule in rules for sentence in _broken(found, rule)]
    broken += [
        sentence for text in more for pair in found.pairs for sentence in _increased(pair, text)
    ]
    broken += [
        f"{pair.name}: the file arrived whole in A and does not in B"
        for pair in found.pairs
        if pair.first.outcome.identical and not pair.second.outcome.identical
    ]
    return PeripheralGate(tuple(texts), tuple(broken), len(found.pairs))


def _broken(found: PeripheralComparison, rule: Rule) -> Iterator[str]:
    if rule.trigger is Trigger.MISSING:
        for name in found.only_first:
            yield f"{name}: missing in B"
        return
    for pair in found.pairs:
        yield from _timed(pair, rule)


def _timed(pair: TransferPair, rule: Rule) -> Iterator[str]:
    known = [one for one in pair.quantities if one.name == JUDGED]
    if not known or known[0].first is None or known[0].second is None:
        yield f"{pair.name}: no load in both, so {rule.text} cannot be judged: measure it again"
        return
    first, second = known[0].first, known[0].second
    limit = rule.factor * first + rule.offset
    if (second - limit) * rule.sign > 0:
        yield (f"{pair.name}: {second:,.1f} {JUDGED} per byte break {rule.text}; in A {first:,.1f}")


def _increased(pair: TransferPair, text: str) -> Iterator[str]:
    """A sentence for each exact quantity of which the second has more than the rule allows."""
    found = MORE.fullmatch(text.strip())
    factor = 1 + float(found[1] or 0) / 100 if found else 1.0
    for one in pair.exact:
        if one.first is None or one.second is None:
            yield (
                f"{pair.name}: {one.name} is not in both, so {text} cannot be judged: measure it "
                "again"
            )
        elif one.second > factor * one.first:
            here, there = one.text(one.second), one.text(one.first)
            yield f"{pair.name}: {one.name} {here} breaks {text}; in A {there}"
