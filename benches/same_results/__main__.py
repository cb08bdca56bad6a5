"""Measures the same in the baseline and in head, and compares every number: `make same-results`.

Head is this checkout, with the engine as it is built. Compared are exit codes, the loaded sections
of the images, every value of the Parquet files, and every number and word of JSON: manifests,
explanations and standard output. Exempt are texts, dates, hashes and pages; those that differ are
listed. The exit code is 1 if anything else differs.
"""

import argparse
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benches"))

from same_results import baseline, folders, images  # noqa: E402
from same_results.findings import Findings  # noqa: E402
from same_results.parts import PARTS, Checkout, chosen  # noqa: E402
from same_results.renames import RENAMES  # noqa: E402

FOLDER = ROOT / "build" / "same_results"
LONGEST = 60
"""Characters of a text in the list of exempt ones."""


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="benches/same_results", description="Compares what head measures with the baseline."
    )
    parser.add_argument(
        "--only", metavar="PART", action="append", default=[],
        help=f"a part, or a pattern of them; may be given again: {', '.join(PARTS)}",
    )  # fmt: skip
    parser.add_argument("--keep", action="store_true", help="take head's results of an earlier run")
    asked = parser.parse_args()
    names = chosen(asked.only)
    if not names:
        parser.error(f"no part matches {', '.join(asked.only)}; there are {', '.join(PARTS)}")
    before = Checkout("baseline", FOLDER / "baseline", FOLDER / "results" / "baseline")
    after = Checkout("head", ROOT, FOLDER / "results" / "head")
    try:
        baseline.make(ROOT, before.root)
        for checkout in (before, after):
            baseline.check(checkout.root)
    except baseline.BaselineError as error:
        sys.exit(str(error))
    whole = Findings()
    for name in names:
        found = part(name, before, after, asked.keep)
        whole.add(found, name)
        show(name, found)
    print(f"\n{len(names)} parts: {counted(whole.counts)}")
    if whole.differences:
        sys.exit(f"{len(whole.differences)} differences from {baseline.COMMIT[:7]}")
    print(f"No difference from {baseline.COMMIT[:7]}.")


def part(name: str, before: Checkout, after: Checkout, keep: bool) -> Findings:
    """Runs a part in both checkouts and compares what they left."""
    found = Findings()
    codes = []
    for checkout, kept in ((before, True), (after, keep)):
        try:
            codes.append(checkout.run(name, before, kept))
        except subprocess.TimeoutExpired as error:
            found.differs(checkout.name, f"did not end within {error.timeout} s")
            return found
        if codes[-1]:
            log = (checkout.results / f"{name}.log").read_text() or "nothing"
            found.differs(checkout.name, f"exit code {codes[-1]}, said {log.strip()[-500:]}")
    if codes[0] != codes[1]:
        found.differs("exit code", f"{codes[0]}, head has {codes[1]}")
    folders.compare_json(
        before.results / f"{name}.json", after.results / f"{name}.json", "output", found, RENAMES
    )
    folders.compare(before.results / name, after.results / name, found, RENAMES)
    if found.images:
        built = [images.by_hash(checkout.root / "build") for checkout in (before, after)]
        images.compare_pairs(found.images, built[0], built[1], found)
    return found


def show(name: str, found: Findings) -> None:
    """Prints what was compared, the exempt texts, and every difference."""
    print(f"{name}: {counted(found.counts)}")
    for place, one in sorted(found.exempt.items()):
        print(f"  exempt: {one.count} × {place}: {short(one.before)} -> {short(one.after)}")
    for difference in found.differences:
        print(f"  DIFFERS {difference}")
    sys.stdout.flush()


def short(text: str) -> str:
    """The beginning of a text, quoted."""
    return repr(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")


def counted(counts: Counter[str]) -> str:
    """The counts in a line."""
    return ", ".join(f"{number:,} {what}" for what, number in counts.items()) or "nothing compared"


if __name__ == "__main__":
    main()
