"""Names that head changed since the baseline: one that has no line here is a difference."""

from same_results.findings import Renames

RENAMES = Renames(
    keys={},
    columns={},
    words={},
    folders={},
    # How code is fetched, which the lab read from the board's file and settings each time.
    added=frozenset({"fetches"}),
)
