"""All sets of recordings: compared, shown, and written as a page."""

import sys
from pathlib import Path
from subprocess import CalledProcessError
from types import ModuleType

from agreement import console, console_shifted, cortex_m3, loops, published, variants
from agreement.data import Agreement, digest
from agreement.page import Asked, page
from cyclescope.errors import CyclescopeError

SETS: tuple[ModuleType, ...] = (loops, console, cortex_m3)
"""The judges, a file each: NAME and FILE of its recordings, ABOUT, and `compare`."""
SEEDS = (1, 2, 3)
"""Of the places of the console's routines that no recording has."""


def compare_all(root: Path, target: Path | None = None) -> int:
    """Compares the sets below `root`, prints what differs, writes the page; the exit code."""
    present = [one for one in SETS if (root / one.NAME / one.FILE).exists()]
    try:
        found = {one.NAME: compare(one, root / one.NAME) for one in present}
        if target and found:
            target.write_text(document(root, found))
    except CyclescopeError as error:
        print(error, file=sys.stderr)
        return 1
    for agreement in found.values():
        show_unequal(agreement)
    for one in SETS:
        if one not in present:
            print(f"{one.NAME}: skipped, {root / one.NAME / one.FILE} is not there")
    for agreement in found.values():
        print(f"{agreement.name}: {agreement.equal_count} of {len(agreement.cases)}")
    return 0 if all(agreement.holds for agreement in found.values()) else 1


def compare(one: ModuleType, folder: Path) -> Agreement:
    """The set's cases, or a sentence if its file does not hold them."""
    try:
        agreement: Agreement = one.compare(folder)
    except (LookupError, TypeError, ValueError, OverflowError, CalledProcessError) as error:
        raise CyclescopeError(
            f"{folder / one.FILE} holds no recordings as its README.md describes them "
            f"({type(error).__name__}: {error}): fetch them again"
        ) from error
    if not agreement.cases:
        raise CyclescopeError(f"{folder / one.FILE} holds no recordings: fetch them again")
    return agreement


def show_unequal(agreement: Agreement) -> None:
    """Each case that differs, and what that makes of the set."""
    for case in agreement.unequal:
        print(
            f"{agreement.name}: {case.name}: {case.measured_cycles:g} cycles on the part, "
            f"{case.model_cycles:g} here ({case.off_cycles:+.2f})"
        )
    print(
        f"{agreement.name}: mean error {agreement.mean_percent:.3f} %, "
        f"worst {agreement.worst_percent:.2f} %"
    )
    if not agreement.holds:
        least = agreement.least_share * len(agreement.cases)
        print(f"{agreement.name}: too few agree: {agreement.equal_count}, not {least:.0f} or more")


def document(root: Path, found: dict[str, Agreement]) -> str:
    """The page, with what else was asked of the same recordings."""
    about = {one.NAME: one.ABOUT for one in SETS}
    asked = Asked(about, published=[published.beside(report) for report in published.here()])
    if console.NAME in found:
        folder = root / console.NAME
        asked.groups = console.groups(folder)
        asked.merged = {
            name: console.compare(folder, name) for name in ("nonsequential", "sequential")
        }
        asked.rules = console_shifted.variants(folder)
        asked.shifted = console_shifted.compare(folder, SEEDS)
    if loops.NAME in found:
        for variant in variants.VARIANTS:
            made = loops.compare(root / loops.NAME, variants.maker(*variant))
            asked.tried[variant] = made
    digests = {one.NAME: digest(root / one.NAME / one.FILE) for one in SETS if one.NAME in found}
    return page(found, asked, digests)
