"""Facts about cursors that libclang's Python module leaves out, and a quick walk over them."""

import ctypes
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from clang import cindex

WALK = Path(__file__).parent / "native" / "tree_walk.c"
NODE = struct.Struct("<i4x24x2i5I2i4x")
"""A node as native/tree_walk.c writes it."""
FUNCTIONS = (
    *("clang_visitChildren", "clang_getCursorExtent", "clang_getRangeStart", "clang_getRangeEnd"),
    *("clang_getCursorLocation", "clang_getSpellingLocation", "clang_getExpansionLocation"),
    *("clang_getCursorBinaryOperatorKind", "clang_getCursorUnaryOperatorKind"),
    "clang_isCursorDefinition",
)
"""The functions of libclang that native/tree_walk.c calls, in its order."""
UNARY_KIND = cindex.CursorKind.UNARY_OPERATOR.value
_BINARY = (
    *("", ".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "=="),
    *("!=", "&", "^", "|", "&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&="),
    *("^=", "|=", ","),
)
"""Binary operators in the order of `CXBinaryOperatorKind`."""
_UNARY = (
    *("", "post++", "post--", "++", "--", "&", "*", "+", "-", "~", "!", "__real", "__imag"),
    *("__extension__", "co_await"),
)
"""Unary operators in the order of `CXUnaryOperatorKind`."""


class WalkedNode(NamedTuple):
    """A node of a walk; `parent` and `last`, behind all below it, are numbers of nodes.

    `begin` and `end` are bytes, or lines with columns; `name` is the byte of its name.
    """

    kind: int
    parent: int
    last: int
    begin: int
    end: int
    begin_column: int
    end_column: int
    name: int
    operator: int
    is_definition: int


class WalkedTree:
    """The nodes of one walk, parents first."""

    def __init__(self, unit: Any, raw: bytes) -> None:
        self._unit = unit
        self._raw = raw

    def __iter__(self) -> Iterator[WalkedNode]:
        return map(WalkedNode._make, NODE.iter_unpack(self._raw))

    def cursor(self, number: int) -> Any:
        """The cursor of a node."""
        cursor = cindex.Cursor.from_buffer_copy(self._raw, NODE.size * number)
        cursor._tu = self._unit
        return cursor


class _Tree(ctypes.Structure):
    _fields_ = (("nodes", ctypes.c_void_p), ("used", ctypes.c_size_t), ("room", ctypes.c_size_t))


@cache
def _function(name: str, result: Any, *arguments: Any) -> Any:
    # By index: a function object of our own, whose types do not disturb those of the module.
    function = cindex.conf.lib[name]
    function.restype, function.argtypes = result, list(arguments)
    return function


@cache
def _native() -> tuple[Any, Any]:
    """The walk, built by this machine's compiler, and the functions that it calls."""
    with tempfile.TemporaryDirectory(prefix="cyclescope-") as scratch:
        built = Path(scratch) / "tree_walk.so"
        command = ["gcc", "-O1", "-shared", "-fPIC", str(WALK), "-o", str(built)]
        subprocess.run(command, check=True, capture_output=True)
        library = ctypes.CDLL(str(built))
    library.cyclescope_walk.argtypes = [
        *(ctypes.c_void_p, cindex.Cursor, ctypes.c_int, ctypes.c_int, ctypes.POINTER(_Tree))
    ]
    library.cyclescope_walked.argtypes = [ctypes.POINTER(_Tree)]
    library.cyclescope_walk.restype = library.cyclescope_walked.restype = None
    addresses = (ctypes.cast(cindex.conf.lib[name], ctypes.c_void_p).value for name in FUNCTIONS)
    return library, (ctypes.c_void_p * len(FUNCTIONS))(*addresses)


def walked(root: Any, deep: bool = True, lines: bool = False) -> WalkedTree:
    """Walks a cursor and all below it; or, not `deep`, its children only.

    With `lines` nodes have lines and columns of their ends, of macros where they are used.
    """
    library, functions = _native()
    tree = _Tree()
    library.cyclescope_walk(functions, root, deep, lines, tree)
    raw = ctypes.string_at(tree.nodes, tree.used * NODE.size) if tree.used else b""
    library.cyclescope_walked(tree)
    return WalkedTree(root._tu, raw)


@cache
def kinds() -> dict[int, str]:
    """The names of all kinds of cursors."""
    return {kind.value: kind.name for kind in cindex.CursorKind.get_all_kinds()}


def operator(node: WalkedNode) -> str:
    """The operator of an expression as C writes it; `post++` for `x++`; nothing for others."""
    return (_UNARY if node.kind == UNARY_KIND else _BINARY)[node.operator]


def initialiser(cursor: Any) -> tuple[int, int] | None:
    """The bytes of a variable's initialiser, if it has one."""
    read = _function("clang_Cursor_getVarDeclInitializer", cindex.Cursor, cindex.Cursor)
    found = read(cursor)
    if found._kind_id == cindex.CursorKind.INVALID_FILE.value:
        return None
    found._tu = cursor._tu
    first = next(iter(walked(found)))
    return first.begin, first.end
