"""The table of errors as a page of Markdown: every technique against the truth of a board."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from cyclescope.quantity import format_trimmed
from cyclescope.report.page import fill, part
from cyclescope.studies.errors.findings import (
    EXACT_CYCLES,
    TECHNIQUES,
    ErrorEntry,
    Errors,
)
from cyclescope.target.conditions import Conditions


def document(errors: Sequence[Errors]) -> list[dict[str, Any]]:
    """The errors for JSON: of a memory its name and all settings that any of them has, or null."""
    settings = dict.fromkeys(name for one in errors for name in one.place.memory.settings)
    return [
        {
            **asdict(one),
            "place": {
                **asdict(one.place),
                "memory": {
                    "name": one.place.memory.name,
                    **{name: one.place.memory.settings.get(name) for name in settings},
                },
            },
        }
        for one in errors
    ]


def page(
    errors: Sequence[Errors],
    exact: Sequence[ErrorEntry],
    conditions: Conditions,
    rounds: int,
    points: int,
    labels: Mapping[str, str],
    steady: str,
) -> str:
    """The whole page; `conditions` are those of the first place, `labels` what timers are called,
    `steady` the memory of table 1."""
    return fill(
        part("time_errors.md", __package__),
        rounds=str(rounds),
        points=str(points),
        under=_under(conditions),
        memories=_memories(errors),
        steady=steady,
        short=_short(errors),
        long=_long(errors, labels),
        exact=str(EXACT_CYCLES),
        table_one=_table_one(exact),
    )


def _under(conditions: Conditions) -> str:
    return (
        f"Board {conditions.board}, core {conditions.core_hz / 1e6:g} MHz, "
        f"{conditions.compiler} {conditions.compiler_version}."
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _figure(value: float | None) -> str:
    return "" if value is None else format_trimmed(value, 3)


def _span(values: Sequence[float]) -> str:
    if not values:
        return ""
    low, high = _figure(min(values)), _figure(max(values))
    return low if low == high else f"{low} … {high}"


def _short(errors: Sequence[Errors]) -> str:
    memories = dict.fromkeys(one.place.memory.name for one in errors)
    rows = [
        [
            technique,
            *(
                _span(
                    [
                        one.biases[technique]
                        for one in errors
                        if one.place.memory.name == memory and technique in one.biases
                    ]
                )
                for memory in memories
            ),
        ]
        for technique in TECHNIQUES
    ]
    return _table(["technique", *memories], rows)


def _memories(errors: Sequence[Errors]) -> str:
    """A list of the settings that make each memory."""
    memories = {one.place.memory.name: one.place.memory.settings for one in errors}
    return "".join(
        f"* {name}: `{' '.join(f'--{key} {value}' for key, value in settings.items())}`\n"
        for name, settings in memories.items()
    )


def _long(errors: Sequence[Errors], labels: Mapping[str, str]) -> str:
    head = ["fragment", "isa", "memory", "clock", "truth", "T(N)", "ε", *TECHNIQUES]
    rows = [
        [
            one.place.fragment,
            one.place.isa,
            one.place.memory.name,
            labels.get(one.place.timer, one.place.timer),
            _truth(one),
            "–" if one.period is None else str(one.period),
            _figure(one.overhead),
            *(_figure(one.biases.get(technique)) for technique in TECHNIQUES),
        ]
        for one in errors
    ]
    return _table(head, rows)


def _truth(one: Errors) -> str:
    if one.least == one.most:
        return _figure(one.truth)
    return f"{_figure(one.truth)} ({one.least} … {one.most})"


def _table_one(exact: Sequence[ErrorEntry]) -> str:
    head = ["technique", "paper", "board's clock", "off by", "ε / N"]
    rows = []
    for one in exact:
        paper = one.entry.paper
        rows.append(
            [
                one.entry.name,
                f"{paper[0]} ± {paper[1]}" if paper else "",
                _figure(one.times.mean),
                _figure(one.times.mean - EXACT_CYCLES),
                _figure(one.theory),
            ]
        )
    return _table(head, rows)
