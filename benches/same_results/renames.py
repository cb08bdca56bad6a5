"""Names that head changed since the baseline. A new name needs a line here, or it is a loss."""

from same_results.findings import Renames

RENAMES = Renames(keys={}, columns={}, words={}, folders={})
