"""Conditions of a characterization as text, and what its columns mean."""

from cyclescope.quantity import format_number
from cyclescope.report.provenance import machine_text, under
from cyclescope.stats.net import Basis
from cyclescope.studies.characterize.findings import Characterization
from cyclescope.target.conditions import Conditions


def headline(found: Characterization) -> list[tuple[str, str]]:
    """Returns the conditions and notes before the first figure."""
    lines = measured_under(found)
    machine = [("machine", machine_text(found.conditions))] if found.conditions.machine else []
    return [*lines[:-2], *machine, lines[-2], ("image", image_text(found))]


def measured_under(found: Characterization) -> list[tuple[str, str]]:
    """The most important conditions, with the technique, as it says what was subtracted from each
    call; the image last."""
    *lines, image = under(found.conditions)
    technique = ("technique", f"{found.technique}: {found.technique_sentence}")
    return [*lines, technique, image]


def image_text(found: Characterization) -> str:
    """The image's hash, and how many other layouts of it were measured."""
    text = f"SHA-256 {found.conditions.image_sha256[:16]}…"
    if len(found.layouts) == 1:
        return text
    return f"{text} and {len(found.layouts) - 1} other layouts of it, seed {found.layout_seed}"


def among(found: Characterization, names: tuple[str, ...]) -> str:
    """The cases something concerns, in as few words as they allow."""
    return "every case" if len(names) == len(found.cases) else ", ".join(names)


def meaning(found: Characterization) -> str:
    """Explains the columns and their intervals."""
    if found.conditions.noisy:
        return _NOISY.format(overhead=_PAIRS if found.by_pair else "the empty calls")
    energy = _ENERGY if found.conditions.energy else ""
    return f"{_net(found)} {_covers(found)} {_REST}{energy}"


def _net(found: Characterization) -> str:
    if found.by_pair:
        return f"Net cycles are the mean of the real calls less the mean of {_PAIRS}."
    off = found.truth_differences
    if not off:
        return "Net cycles are the mean of the real calls less the mean of the empty calls."
    return (
        "Net cycles are the mean of the real calls from entry to return, less that of the empty "
        "calls, both as the board's own clock saw them. By the target's own probes "
        f"{sum(one >= 0.5 for one in off):,} of {len(off):,} runs would be off by half a cycle or "
        f"more, at most by {format_number(max(off))}."
    )


_PAIRS = (
    "start/stop pairs of the timer with no call between, so what loads the arguments, jumps and "
    "returns is part of them"
)


_REST = (
    "σ is of the samples within a layout. The observed maximum is the longest time seen: it bounds "
    "nothing. Irq off is the longest time inside a call, in cycles, without interrupts."
)


_NOISY = (
    "The machine does other things too, so net cycles are the median of the real calls less the "
    "median of {overhead}. The interval needs no assumption on the samples' distribution "
    "(Price and Bonett, 2002). It covers the drift between the series of this run, not what "
    "another hour or another start of the system would give. IQR is the distance of the quartiles. "
    "The observed maximum is the longest time seen, whatever delayed it: it bounds nothing and "
    "says little of the call."
)


_ENERGY = (
    " µJ is the energy between the same two points, net in the same way. It is as exact as the "
    "time under its model, and as true as that model's coefficients."
)


def _covers(found: Characterization) -> str:
    return f"{_covers_of_image(found)}{beside_other_code(found.conditions)}"


def beside_other_code(conditions: Conditions) -> str:
    """A sentence on calls elsewhere, behind a space, where instructions overlap.

    >>> from types import SimpleNamespace
    >>> beside_other_code(SimpleNamespace(overlap_cycles=0))
    ''
    """
    if not conditions.overlap_cycles:
        return ""
    return (
        " Instructions of this core overlap: beside other code a call may take up to "
        f"{conditions.overlap_cycles} cycles more or less, and no ± here has that in it."
    )


def _covers_of_image(found: Characterization) -> str:
    if found.basis is Basis.NEW_LINK:
        return (
            f"Mean and extremes are over up to {len(found.layouts)} layouts; those distinct "
            "to the case count. Layouts are links of the same objects in which every function has "
            "another place. ± is where a new link falls in 95 % of cases. Figures not measured in "
            f"them are {Basis.IMAGE}; laws are the plain link's, their ± covers a new link."
        )
    if found.basis is Basis.IMAGE:
        other = (
            "Every fetch there takes the same time, wherever the code lies."
            if found.conditions.code_fetches.line_bytes is None
            else "Another link of the same code may differ (--layouts K)."
        )
        return f"Figures are {Basis.IMAGE}: repeated they are the same. {other}"
    return "The interval covers that mean over the samples."
