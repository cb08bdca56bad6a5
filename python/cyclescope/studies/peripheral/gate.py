"""The gate of `compare` for transfers: rules on active cycles per byte, and on whole files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cyclescope.errors import WrongUsage
from cyclescope.studies.compare.findings import TimeUnit
from cyclescope.studies.compare.gate import Rule, Trigger, parse
from cyclescope.studies.peripheral.compared import PeripheralComparison, TransferPair

JUDGED = "active cycles"


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
    rules = [parse(text, TimeUnit.CYCLES) for text in texts]
    if not rules:
        return None
    for rule in rules:
        if rule.trigger is Trigger.FORM:
            raise WrongUsage(
                "--fail-if form is of laws, which transfers have not: write slower:5%, "
                "slower:20cycles, faster:… alike, or missing",
                code="rule-not-for-peripheral",
            )
    broken = [sentence for rule in rules for sentence in _broken(found, rule)]
    broken += [
        f"{pair.name}: the file arrived whole in A and does not in B"
        for pair in found.pairs
        if pair.first.outcome.identical and not pair.second.outcome.identical
    ]
    return PeripheralGate(tuple(rule.text for rule in rules), tuple(broken), len(found.pairs))


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
