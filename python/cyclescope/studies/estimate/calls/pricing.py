"""Prices the calls of a counted run by the laws of a target."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from cyclescope import plugins
from cyclescope.sources.counts import SourceCall, SourceCounts
from cyclescope.sources.kernel_calls import VALUES, Passage
from cyclescope.sources.library_calls import EVENTS
from cyclescope.studies.estimate.calls import events, parts
from cyclescope.studies.estimate.calls.laws import Laws
from cyclescope.studies.estimate.calls.recorded import Charge, RecordedCall, Rule
from cyclescope.studies.estimate.estimated import SWITCH, Amount, PricedCall

GROUPS = "cyclescope.studies.estimate.calls.groups"
PARTS = "parts of streams and files"
"""The case that is named for a call whose parts are priced (parts.py)."""
NO_PART = Charge(parts.PREFIX)
PASSAGES = {"idle": "idle time", "tick": "ticks", "callback": "timers' daemon"}
"""The kernel's own passages, without a call of a task, and their names for readers."""
NOTHING = Amount(0.0, 0.0, 0.0)


@cache
def rules() -> Mapping[str, Rule]:
    """How calls are charged, by callee, of all groups."""
    found: dict[str, Rule] = {}
    for name in plugins.names(GROUPS):
        found |= plugins.load(GROUPS, name).RULES
    return found


def priced(counts: SourceCounts, laws: Laws, level: str = "O2") -> tuple[PricedCall, ...]:
    """The calls that leave the program, by call site, context and condition.

    A price is from the callee's first instruction to its return; the call instruction and what
    sets up arguments are the program's own. Calls without any law cost the mean of the others.
    `level` is the optimisation of the program's files: what the compiler folds depends on it.
    """
    own = {one.name for one in counts.functions}
    sites = {one.id: one for one in counts.calls if one.callee and one.callee not in own}
    found: list[PricedCall] = list(_modelled(counts, sites, laws))
    unknown: list[PricedCall] = []
    for context, site, values, times in _made(counts, sites):
        callee = site.callee.removeprefix("__builtin_")
        recorded = RecordedCall(
            callee,
            dict(zip(site.parameters, values, strict=True)),
            site.literal,
            site.arrays,
            level,
            str(laws.conditions.get("isa", "arm")),
        )
        if rule := rules().get(callee):
            if charges := rule(recorded):
                one = _charged(context, site, times, charges, laws)
                one = replace(one, passage=_passage(site, values))
                (found if one.case is not None else unknown).append(one)
        else:
            unknown.append(_unknown(context, site, times))
    return (*found, *_by_mean(unknown, found))


def _passage(site: SourceCall, values: Sequence[int]) -> str | None:
    """The passage of a kernel in a call with these values, if it did not return to its caller."""
    if site.parameters != VALUES:
        return None
    one = Passage.read(values)
    return PASSAGES.get(one.function, SWITCH if one.to_other else None)


def condition_cycles(callee: str, values: Mapping[str, int], laws: Laws) -> float:
    """The cycles of one call with these values; 0 without a law."""
    rule = rules().get(callee)
    charges = rule(RecordedCall(callee, values)) if rule else ()
    amounts = ((_amount(one, laws)[0] or NOTHING, one.weight) for one in charges)
    return sum(amount.cycles * weight for amount, weight in amounts)


def _modelled(
    counts: SourceCounts, sites: Mapping[int, SourceCall], laws: Laws
) -> Iterator[PricedCall]:
    """Calls of streams and files, of which the model counted the parts."""
    made: dict[tuple[int, int], dict[tuple[str, int], int]] = {}
    for context, call, values, times in counts.parameters:
        if call in sites and sites[call].parameters == EVENTS:
            parts_ = made.setdefault((context, call), {})
            name = events.part(*values)
            parts_[name] = parts_.get(name, 0) + times
    for (context, call), parts_ in made.items():
        site = sites[call]
        times = counts.runs.get((context, site.region), 0) or 1
        lacking = [name for name, _ in parts_ if not _has_law(name, laws)]
        charges = [
            Charge(parts.copy_case(name, size), max(size, 1), number / times)
            if name in events.COPIES
            else Charge(parts.PREFIX + name, None, number / times)
            for (name, size), number in parts_.items()
            if name not in lacking
        ]
        priced_ = _charged(context, site, times, charges or [NO_PART], laws)
        words = f"no case meets its {', '.join(lacking)}" if lacking else priced_.fallback
        yield replace(priced_, case=PARTS, x=None, fallback=words)


def _has_law(part: str, laws: Laws) -> bool:
    return part in events.COPIES or parts.PREFIX + part in laws.cases


def _made(
    counts: SourceCounts, sites: Mapping[int, SourceCall]
) -> Iterator[tuple[int, SourceCall, tuple[int, ...], int]]:
    """Context, call, its values, how often. A call without values is made as often as its
    region runs."""
    recorded = set[tuple[int, int]]()
    for context, call, values, times in counts.parameters:
        recorded.add((context, call))
        if call in sites and sites[call].parameters != EVENTS:
            yield context, sites[call], values, times
    by_region: dict[int, list[SourceCall]] = {}
    for site in sites.values():
        if not site.parameters:
            by_region.setdefault(site.region, []).append(site)
    for context, region, times in counts.counted:
        for site in by_region.get(region, ()):
            if (context, site.id) not in recorded:
                yield context, site, (), times


def _charged(
    context: int,
    site: SourceCall,
    times: int,
    charges: Sequence[Charge],
    laws: Laws,
) -> PricedCall:
    total, words, known = NOTHING, dict[str, None](), True
    energy: float | None = 0.0
    for one in charges:
        amount, fallback = _amount(one, laws)
        known = known and amount is not None
        total = _sum(total, amount or NOTHING, one.weight)
        words |= dict.fromkeys(text for text in (one.fallback, fallback) if text)
        energy = _energy(energy, one, amount, laws)
    first = charges[0]
    return PricedCall(
        context=context,
        call=site.id,
        callee=site.callee,
        case=" + ".join(dict.fromkeys(one.case for one in charges)) if known else None,
        x=first.x,
        times=times,
        cycles_each=total.cycles,
        low_each=max(total.low_cycles, 0.0),
        high_each=total.high_cycles,
        energy_uj_each=energy,
        fallback="; ".join(words) or None,
    )


def _amount(charge: Charge, laws: Laws) -> tuple[Amount | None, str | None]:
    """The law at x, and a sentence if another stands for it."""
    if charge.cycles is not None:
        return Amount(charge.cycles, charge.cycles, charge.cycles), None
    found = laws.of(charge.case, charge.x)
    if found is not None:
        return found, None
    law = laws.cases.get(charge.case)
    if law is not None:
        assert law.ends is not None
        first, last = law.ends
        words = f"{charge.case} continued beyond x = {first:g} to {last:g}"
        return laws.beyond(charge.case, charge.x), words
    function = charge.case.partition(".")[0]
    others = [one.at(charge.x) for one in laws.of_function(function)]
    if not others:
        return None, None
    mean = sum(one.cycles for one in others) / len(others)
    low, high = min(one.low_cycles for one in others), max(one.high_cycles for one in others)
    return Amount(mean, low, high), f"no law of {charge.case}: the mean of {function}'s other laws"


def _sum(total: Amount, more: Amount, weight: float) -> Amount:
    """Intervals of one call's parts add up, as if all were off the same way."""
    ends = weight * more.low_cycles, weight * more.high_cycles
    return Amount(
        total.cycles + weight * more.cycles,
        total.low_cycles + min(ends),
        total.high_cycles + max(ends),
    )


def _energy(total: float | None, charge: Charge, amount: Amount | None, laws: Laws) -> float | None:
    law = laws.cases.get(charge.case)
    if charge.cycles is not None:
        law = next(iter(laws.cases.values()), None)
    if total is None or amount is None or law is None or law.uj_per_cycle is None:
        return None
    return total + charge.weight * amount.cycles * law.uj_per_cycle


def _unknown(context: int, site: SourceCall, times: int) -> PricedCall:
    return PricedCall(
        context=context,
        call=site.id,
        callee=site.callee,
        case=None,
        x=None,
        times=times,
        cycles_each=0.0,
        low_each=0.0,
        high_each=0.0,
        energy_uj_each=None,
        fallback=None,
    )


def _by_mean(unknown: list[PricedCall], known: list[PricedCall]) -> Iterator[PricedCall]:
    """Calls without a law: the mean of the program's other calls, between their extremes.

    Calls of streams, files and a kernel take far longer than most, so they count only without
    any other.
    """
    plain = [one for one in known if one.case != PARTS and one.passage is None]
    others = plain or known
    times = sum(one.times for one in others)
    mean = sum(one.times * one.cycles_each for one in others) / times if times else 0.0
    for one in unknown:
        yield replace(
            one,
            cycles_each=mean,
            low_each=min((other.low_each for other in known), default=0.0),
            high_each=max((other.high_each for other in known), default=0.0),
            fallback=f"no law of {one.callee}: the mean of the program's other calls",
        )
