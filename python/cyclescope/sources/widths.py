"""Variables and fields whose width on the host is not that on the target."""

import re
from collections.abc import Iterator

from cyclescope.sources.syntax import SyntaxTree

TARGET_BYTES = {"LONG": 4, "ULONG": 4, "LONGDOUBLE": 8}
"""Types of a 32-bit ARM that hosts may have wider."""
TARGET_TYPEDEFS = {"time_t": 8, "off_t": 4}
"""Types of newlib that the C library of a host may have otherwise."""
NARROW = re.compile(rb"\blong\s+double\b|\btime_t\b|\boff_t\b")
ANY = re.compile(rb"")
DECLARED = ("VAR_DECL", "PARM_DECL", "FIELD_DECL", "FUNCTION_DECL")


def differing(tree: SyntaxTree, ilp32: bool) -> Iterator[str]:
    """A sentence for each declaration of another width, with its line.

    On a host with 32 bits only declarations that name such a type are looked at.
    """
    suspect = NARROW if ilp32 else ANY
    roots = [one for one in tree.declarations if suspect.search(tree.text, one.begin, one.end)]
    for node in (one for root in roots for one in root.grow().walk()):
        if node.kind not in DECLARED:
            continue
        declared = node.cursor.result_type if node.kind == "FUNCTION_DECL" else node.cursor.type
        own = declared.spelling.replace("const ", "").replace("volatile ", "")
        kind = declared.get_canonical().kind.name
        bytes_ = TARGET_TYPEDEFS.get(own, TARGET_BYTES.get(kind))
        if bytes_ is not None and declared.get_size() != bytes_:
            place = tree.markers.at(node.name_at)
            yield (
                f"{place}: {node.name} ({own}) has {declared.get_size()} bytes on this machine, "
                f"{bytes_} on the target"
            )
