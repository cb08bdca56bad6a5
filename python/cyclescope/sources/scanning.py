"""Ends of statements and parts of headers in preprocessed C, which a syntax tree leaves out."""

import re

from cyclescope.sources.syntax import SyntaxNode

TOKEN = re.compile(
    rb"""(?P<skip>\s+|^\#[^\n]*\n)|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\w+|.""", re.M | re.S
)
"""A token, roughly: whole strings and names, single characters of all else."""
WHOLE = ("COMPOUND_STMT", "NULL_STMT", "DECL_STMT")
"""Statements whose nodes end where they end."""
NESTED = (
    *("IF_STMT", "FOR_STMT", "WHILE_STMT", "SWITCH_STMT"),
    *("LABEL_STMT", "CASE_STMT", "DEFAULT_STMT"),
)
"""Statements that end where their last part ends."""


def statement_end(text: bytes, node: SyntaxNode) -> int:
    """Where a statement ends, its semicolon included."""
    while node.kind in NESTED:
        node = node.children[-1]
    return node.end if node.kind in WHOLE else after_token(text, node.end, b";")


def after_token(text: bytes, offset: int, token: bytes) -> int:
    """Where the next `token` outside of parentheses ends."""
    depth = 0
    for found in TOKEN.finditer(text, offset):
        one = found[0]
        if depth == 0 and one == token:
            return found.end()
        depth += (one in (b"(", b"[", b"{")) - (one in (b")", b"]", b"}"))
    raise ValueError(f"no {token!r} after byte {offset}")
