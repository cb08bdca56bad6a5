"""Results: runs of raw samples with their conditions, immutable once loaded.

See docs/reference/results.md.
"""

from cyclescope.results.folder import Results, Runs
from cyclescope.results.manifest import (
    FIRST_WITH_LINKS,
    FORMAT_NAME,
    FORMAT_VERSION,
    READ_VERSIONS,
    TIMES_FORMAT_NAME,
    Failed,
    Key,
    Manifest,
    Overhead,
    Refused,
    RunRecord,
    TimedFragment,
    TimedPlan,
)
from cyclescope.results.run import Columns, Run
from cyclescope.results.samples import (
    ENERGY,
    SCHEMA,
    is_metered,
    reject,
    schema,
    tabulate,
    tabulate_runs,
)
from cyclescope.results.sweep import Sweep, SweepRecord, tabulate_sweep

__all__ = [
    "ENERGY",
    "FIRST_WITH_LINKS",
    "FORMAT_NAME",
    "FORMAT_VERSION",
    "READ_VERSIONS",
    "SCHEMA",
    "TIMES_FORMAT_NAME",
    "Columns",
    "Failed",
    "Key",
    "Manifest",
    "Overhead",
    "Refused",
    "Results",
    "Run",
    "RunRecord",
    "Runs",
    "Sweep",
    "SweepRecord",
    "TimedFragment",
    "TimedPlan",
    "is_metered",
    "reject",
    "schema",
    "tabulate",
    "tabulate_runs",
    "tabulate_sweep",
]
