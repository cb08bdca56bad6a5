"""Code that cannot run on this machine, by file and line."""

import re
from collections.abc import Iterator

from cyclescope.sources import calls, constants
from cyclescope.sources.syntax import SourceError, SyntaxNode, SyntaxTree

NO_ASSEMBLY = re.compile(rb'[^"]*""\s*[:)]')
"""A barrier for the compiler: it has no instruction."""
PROCESSES = frozenset(
    (
        *("fork", "vfork", "clone", "execl", "execlp", "execle", "execv", "execvp", "execve"),
        *("posix_spawn", "system", "popen", "pthread_create", "thrd_create"),
    )
)
MOST_LINES = 5
REMEDY = (
    "leave it out where CYCLESCOPE_HOST is defined, or give another file for this machine "
    "(--host-source)"
)


def check(tree: SyntaxTree) -> None:
    """Refuses inline assembly, device registers, processes and threads, with all their lines."""
    found: dict[str, list[str]] = {}
    for declared in tree.declarations:
        text = tree.text[declared.begin : declared.end].lstrip(b"_")
        if declared.kind == "UNEXPOSED_DECL" and text.startswith(b"asm"):
            found.setdefault("assembly", []).append(str(tree.markers.at(declared.begin)))
    for function in tree.functions:
        for node in function.walk():
            for kind in _kinds(node, tree.text):
                place = tree.markers.at(node.begin)
                lines = found.setdefault(kind, [])
                lines += [str(place)] if str(place) not in lines else []
    if not found:
        return
    kind, lines = min(found.items())
    more = f" and {len(lines) - MOST_LINES} more" if len(lines) > MOST_LINES else ""
    raise SourceError(
        f"{', '.join(lines[:MOST_LINES])}{more}: {SENTENCES[kind]} cannot run on this machine: "
        f"{REMEDY}",
        code=f"source-has-{kind}",
    )


SENTENCES = {
    "assembly": "inline assembly",
    "processes": "a program with processes or threads",
    "registers": "an access to a fixed address",
}


def _kinds(node: SyntaxNode, text: bytes) -> Iterator[str]:
    if node.kind == "ASM_STMT" and not NO_ASSEMBLY.match(text, node.begin, node.end):
        yield "assembly"
    elif node.kind == "CALL_EXPR":
        named = calls.called_function(node)
        if named is not None and named.name in PROCESSES:
            yield "processes"
    elif node.kind in ("UNARY_OPERATOR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"):
        if node.kind == "UNARY_OPERATOR" and node.operator != "*":
            return
        base = node.children[0].plain() if node.children else node
        if base.kind == "CSTYLE_CAST_EXPR" and constants.is_constant(base.children[-1]):
            yield "registers"
