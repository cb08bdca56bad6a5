"""A gate against regressions: rules that a comparison must not break, and what each case did."""

import re
from dataclasses import dataclass
from enum import StrEnum

from cyclescope.errors import WrongUsage
from cyclescope.studies.compare.findings import TimeUnit

EXIT_CODE = 3
"""Of a comparison that breaks a rule: neither an error nor wrong usage."""


class Trigger(StrEnum):
    """Ways to break a rule."""

    SLOWER = "slower"
    FASTER = "faster"
    FORM = "form"
    MISSING = "missing"


TIMED = (Trigger.SLOWER, Trigger.FASTER)
PERCENT = "%"
_GRAMMAR = re.compile(r"(slower|faster):(\d+(?:\.\d+)?) ?(%|cycles|us)|(form|missing)")


@dataclass(frozen=True)
class Rule:
    """One --fail-if. `amount` is in percent of the first's time or in a unit of time."""

    text: str
    trigger: Trigger
    amount: float = 0.0
    counted_in: str = ""

    @property
    def factor(self) -> float:
        """The limit is factor · first + offset."""
        if self.counted_in != PERCENT:
            return 1.0
        return 1 + self.sign * self.amount / 100

    @property
    def offset(self) -> float:
        return 0.0 if self.counted_in == PERCENT else self.sign * self.amount

    @property
    def sign(self) -> int:
        """Which way lies beyond the limit."""
        return 1 if self.trigger is Trigger.SLOWER else -1


def parse(text: str, unit: TimeUnit) -> Rule:
    """A rule for a comparison in `unit`.

    >>> parse("slower:5%", TimeUnit.CYCLES).factor, parse("faster:20cycles", TimeUnit.CYCLES).offset
    (1.05, -20.0)
    """
    found = _GRAMMAR.fullmatch(text.strip())
    if found is None:
        raise WrongUsage(
            f"--fail-if {text} is no rule: write slower:5%, slower:20cycles, slower:0.5us, "
            "faster:… alike, form or missing",
            code="not-a-rule",
        )
    trigger, amount, counted_in, word = found.groups()
    if word:
        return Rule(text, Trigger(word))
    if counted_in != PERCENT and counted_in != unit:
        raise WrongUsage(
            f"--fail-if {text} counts {counted_in} and the comparison is in {unit}: add "
            f"--in {counted_in}",
            code="rule-in-another-unit",
        )
    if trigger == Trigger.FASTER and counted_in == PERCENT and float(amount) >= 100:
        raise WrongUsage(
            f"--fail-if {text}: nothing is faster by 100 % or more", code="rule-never-breaks"
        )
    return Rule(text, Trigger(trigger), float(amount), counted_in)


class Outcome(StrEnum):
    """Verdict of a rule, or of all rules, on a case."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_JUDGED = "not judged"


@dataclass(frozen=True)
class Judgement:
    """One case: its outcome, and a sentence for each rule broken or not applied."""

    name: str
    function_class: str
    outcome: Outcome
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Gate:
    """All rules over all cases. `tests` is how many p-values were adjusted for each other.

    `remark` says what the verdicts rest on.
    """

    rules: tuple[Rule, ...]
    judgements: tuple[Judgement, ...]
    tests: int
    remark: str

    def of(self, outcome: Outcome) -> list[Judgement]:
        return [one for one in self.judgements if one.outcome is outcome]

    @property
    def failed(self) -> bool:
        return bool(self.of(Outcome.FAILED))

    @property
    def sentence(self) -> str:
        """The verdict in one line."""
        counts = ", ".join(f"{len(self.of(outcome))} {outcome}" for outcome in Outcome)
        rules = ", ".join(rule.text for rule in self.rules)
        return f"{'FAILED' if self.failed else 'passed'} ({rules}): {counts}"
