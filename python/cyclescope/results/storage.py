"""Results on disk: written run by run so that nothing finished is lost, and read back checked.

docs/reference/results.md describes the folder's layout. A file appears under its name only when
it is whole.
"""

from cyclescope.results.names import EXPLANATIONS, RUNS, file_name
from cyclescope.results.packed import Packed, pack
from cyclescope.results.reader import load, read_manifest
from cyclescope.results.writer import Writer, annotate, folded

__all__ = [
    "EXPLANATIONS",
    "RUNS",
    "Packed",
    "Writer",
    "annotate",
    "file_name",
    "folded",
    "load",
    "pack",
    "read_manifest",
]
