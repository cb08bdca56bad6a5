"""Why two results differ, from the explanations that both folders hold (virtual boards)."""

from pathlib import Path

from cyclescope.studies.characterize.findings import CaseAnalysis, Characterization
from cyclescope.studies.compare.attribution import Attribution, attribute
from cyclescope.studies.compare.findings import CasePair, Comparison, Unmatched
from cyclescope.studies.explain import explanation
from cyclescope.studies.explain.explanation import Explanation


def why(
    found: Comparison, first: Path, second: Path
) -> tuple[tuple[Attribution, ...], tuple[Unmatched, ...]]:
    """An attribution of each case that is explained at the same x in both, and why others not."""
    attributed, unexplained = [], []
    for pair in found.pairs:
        theirs = _explanations(found.second, pair.second, second)
        mine = [
            (one, theirs[one.parameter])
            for one in _explanations(found.first, pair.first, first).values()
            if one.parameter in theirs
        ]
        if mine:
            attributed.append(attribute(*mine[-1]))
        else:
            unexplained.append(Unmatched(pair.name, _reason(found, pair, first, second)))
    return tuple(attributed), tuple(unexplained)


def _explanations(
    found: Characterization, one: CaseAnalysis, folder: Path
) -> dict[int | None, Explanation]:
    """Those made under the results' own conditions, by rising x."""
    fingerprint = found.conditions.fingerprint()
    loaded = (explanation.load(folder, one.case.name, x) for x in one.case.values())
    return {there.parameter: there for there in loaded if there and _counts(there, fingerprint)}


def _counts(there: Explanation, fingerprint: str) -> bool:
    return there.conditions == fingerprint


def _reason(found: Comparison, pair: CasePair, first: Path, second: Path) -> str:
    lacking = [
        name
        for name, results, one, folder in (
            ("first", found.first, pair.first, first),
            ("second", found.second, pair.second, second),
        )
        if not _explanations(results, one, folder)
    ]
    if not lacking:
        return "explained at different x; explain it at one x of both with explain --out"
    targets = {found.first.conditions.target, found.second.conditions.target}
    if targets != {"virtual"}:
        return f"no explanation in the {' and the '.join(lacking)}: only virtual boards explain"
    return (
        f"no explanation in the {' and the '.join(lacking)} under these conditions: make it with "
        "characterize, or explain --out"
    )
