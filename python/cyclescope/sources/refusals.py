"""Code that cannot run on this machine, by file and line."""

import re
from collections.abc import Iterator

from cyclescope.sources import calls, constants
from cyclescope.sources.syntax import SourceError, SyntaxNode, SyntaxTree

NO_ASSEMBLY = re.compile(rb'[^"]*""\s*[:)]')
"""A barrier for the compiler: it has no instruction."""
IN_REGISTER = re.compile(rb"(?:static\s+)?register\b[^=;]*?\b(?:__)?asm(?:__)?\s*\(")
"""A variable that lives in a register of its own."""
LEAST_ADDRESS = 0x100
"""Numbers below, as pointers, are marks."""
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
    found: dict[str, list[int]] = {"assembly": list(tree.assembly)}
    for declared in tree.declarations:
        text = tree.text[declared.begin : declared.end].lstrip(b"_")
        if declared.kind == "UNEXPOSED_DECL" and text.startswith(b"asm"):
            found["assembly"].append(declared.begin)
    for root in (*tree.functions, *tree.initialised):
        for node in _evaluated(root):
            for kind in _kinds(node, tree.text):
                found.setdefault(kind, []).append(node.begin)
    for kind, places in sorted(found.items()):
        _refuse(kind, list(dict.fromkeys(str(tree.markers.at(one)) for one in sorted(places))))


def _evaluated(root: SyntaxNode) -> Iterator[SyntaxNode]:
    """A node and everything below it, but for operands of `sizeof`, which only have a type."""
    yield root
    for child in root.children:
        if child.kind != "CXX_UNARY_EXPR":
            yield from _evaluated(child)


def _refuse(kind: str, lines: list[str]) -> None:
    if not lines:
        return
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
        if base.kind != "CSTYLE_CAST_EXPR":
            return
        at = base.children[-1]
        # The offset of a field is asked of no object.
        if constants.is_constant(at) and constants.value(at, text) != 0:
            yield "registers"
    elif node.kind == "CSTYLE_CAST_EXPR" and _is_register(node, text):
        yield "registers"
    elif node.kind == "VAR_DECL" and IN_REGISTER.match(text, node.begin, node.end):
        yield "assembly"


def _is_register(cast: SyntaxNode, text: bytes) -> bool:
    """Whether it makes a volatile pointer of a fixed address, or of one and what is added."""
    if not cast.type.get_pointee().is_volatile_qualified():
        return False
    integer = cast.children[-1].plain()
    if integer.type.kind.name == "POINTER":
        return False
    parts = [integer]
    if integer.kind == "BINARY_OPERATOR" and integer.operator in ("+", "|"):
        parts += integer.children
    known = (constants.value(one, text) for one in parts)
    return any(one is not None and one >= LEAST_ADDRESS for one in known)
