"""Facts of whole classes of functions (Brandolese and Fornaciari, section 4.3)."""

import math
from collections.abc import Sequence

import numpy as np

from cyclescope.studies.characterize.findings import Behaviour, CaseAnalysis
from cyclescope.studies.compare.findings import CasePair, Change, ClassFacts

WITHOUT_CLASS = "(no class)"


def class_facts(pairs: Sequence[CasePair]) -> tuple[ClassFacts, ...]:
    """The classes in the order of the first's catalogue."""
    classes: dict[str, list[CasePair]] = {}
    for pair in pairs:
        classes.setdefault(pair.function_class or WITHOUT_CLASS, []).append(pair)
    return tuple(_facts(name, members) for name, members in classes.items())


def _facts(name: str, pairs: Sequence[CasePair]) -> ClassFacts:
    ratios = [pair.ratio.value for pair in pairs if not math.isnan(pair.ratio.value)]
    return ClassFacts(
        name=name,
        cases=tuple(pair.name for pair in pairs),
        slower=_names(pairs, Change.SLOWER),
        faster=_names(pairs, Change.FASTER),
        mixed=_names(pairs, Change.MIXED),
        unchanged=_names(pairs, Change.NONE),
        unknown=_names(pairs, Change.UNKNOWN),
        form_changes=tuple(pair.name for pair in pairs if pair.changes_form),
        load_dependent=(
            tuple(pair.name for pair in pairs if pair.first.load_law),
            tuple(pair.name for pair in pairs if pair.second.load_law),
        ),
        state_dependent=(
            tuple(pair.name for pair in pairs if _depends(pair.first)),
            tuple(pair.name for pair in pairs if _depends(pair.second)),
        ),
        geometric_mean=float(np.exp(np.mean(np.log(ratios)))) if ratios else math.nan,
        ratios=len(ratios),
    )


def _names(pairs: Sequence[CasePair], change: Change) -> tuple[str, ...]:
    return tuple(pair.name for pair in pairs if pair.change is change)


def _depends(one: CaseAnalysis) -> bool:
    return one.behaviour is Behaviour.STATE_DEPENDENT and one.load_law is None
