"""The answer of the study in a sentence, and one for each comparison."""

from collections.abc import Mapping
from typing import Any

from cyclescope.studies.proposals.report.rows import documents
from cyclescope.studies.proposals.results import ProposalsManifest


def answer(found: ProposalsManifest) -> str:
    """How far the load reaches from the cheapest image of a real board to the dearest."""
    real = [one for one in found.measured if one["real"] and one["identical"]]
    if not real:
        return "No image is measured."
    least, most = min(real, key=_cycles), max(real, key=_cycles)
    return (
        f"To receive a byte costs {_cycles(least):,.0f} active cycles ({least['name']}) to "
        f"{_cycles(most):,.0f} ({most['name']}) on a real board: a factor of "
        f"{_cycles(most) / _cycles(least):.1f}."
    )


def points(found: ProposalsManifest) -> list[str]:
    """A sentence for each comparison: its cheapest image beside its base."""
    sentences = []
    for one in found.ablations:
        images = documents(found, one)
        if len(images) < 2:
            continue
        base, best = images[0], min(images[1:], key=_cycles)
        saved = 1 - _cycles(best) / _cycles(base)
        said = f"saves {saved:.0%}" if saved >= 0 else f"costs {-saved:.0%} more"
        mark = "" if best["real"] else " (declared, not real)"
        sentences.append(
            f"{one.title}: {best['name']}{mark} {said} of the active cycles of {base['name']}."
        )
    return sentences


def _cycles(document: Mapping[str, Any]) -> float:
    return float(document["load"]["active_cycles"]["per_byte"])
