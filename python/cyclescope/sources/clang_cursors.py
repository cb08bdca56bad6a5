"""Facts about cursors that libclang's Python module leaves out: bytes, operators, a quick walk."""

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from clang import cindex

INTO_CHILDREN = 2
"""A visitor returns this to see the children of a cursor next."""
Visitor = Callable[[Any, Any], None]
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, cindex.Cursor, cindex.Cursor, ctypes.c_void_p)
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


@cache
def _function(name: str, result: Any, *arguments: Any) -> Any:
    # By index: a function object of our own, whose types do not disturb those of the module.
    function = cindex.conf.lib[name]
    function.restype, function.argtypes = result, list(arguments)
    return function


@cache
def kinds() -> dict[int, str]:
    """The names of all kinds of cursors."""
    return {kind.value: kind.name for kind in cindex.CursorKind.get_all_kinds()}


def visit(cursor: Any, visitor: Visitor) -> None:
    """Calls `visitor` with every cursor below this one and its parent, parents first."""

    def each(found: Any, parent: Any, _: Any) -> int:
        visitor(found, parent)
        return INTO_CHILDREN

    walk = _function(
        "clang_visitChildren", ctypes.c_uint, cindex.Cursor, _CALLBACK, ctypes.c_void_p
    )
    walk(cursor, _CALLBACK(each), None)


def key(cursor: Any) -> tuple[int, Any, Any]:
    """Names a cursor of one unit: two that are the same have the same key."""
    return cursor._kind_id, cursor.data[0], cursor.data[1]


@cache
def _locating() -> tuple[Any, Any, Any, Any, Any]:
    """The functions that find an extent, and where the last of them leaves an offset."""
    nothing, number = ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint)
    location, whole = cindex.SourceLocation, cindex.SourceRange
    return (
        _function("clang_getCursorExtent", whole, cindex.Cursor),
        _function("clang_getRangeStart", location, whole),
        _function("clang_getRangeEnd", location, whole),
        _function("clang_getSpellingLocation", None, location, nothing, nothing, nothing, number),
        ctypes.c_uint(),
    )


def extent(cursor: Any) -> tuple[int, int]:
    """The bytes [begin, end) of a cursor in its file. Called for every node, so it is terse."""
    extent_of, start_of, end_of, locate, offset = _locating()
    whole = extent_of(cursor)
    locate(start_of(whole), None, None, None, offset)
    begin = offset.value
    locate(end_of(whole), None, None, None, offset)
    return begin, offset.value


def expanded(cursor: Any) -> tuple[tuple[int, int], tuple[int, int]]:
    """Line and column where a cursor begins and ends; of macros, where they are used."""
    whole = _function("clang_getCursorExtent", cindex.SourceRange, cindex.Cursor)(cursor)
    ends = ("clang_getRangeStart", "clang_getRangeEnd")
    begin, end = (
        _line(_function(name, cindex.SourceLocation, cindex.SourceRange)(whole)) for name in ends
    )
    return begin, end


def _line(location: Any) -> tuple[int, int]:
    line, column = ctypes.c_uint(), ctypes.c_uint()
    number = ctypes.POINTER(ctypes.c_uint)
    nothing = ctypes.c_void_p
    read = _function(
        "clang_getExpansionLocation",
        *(None, cindex.SourceLocation, nothing, number, number, nothing),
    )
    read(location, None, ctypes.byref(line), ctypes.byref(column), None)
    return line.value, column.value


def operator(cursor: Any) -> str:
    """The operator of an expression as C writes it; `post++` for `x++`; nothing for others."""
    if kinds()[cursor._kind_id] == "UNARY_OPERATOR":
        return _UNARY[
            _function("clang_getCursorUnaryOperatorKind", ctypes.c_int, cindex.Cursor)(cursor)
        ]
    read = _function("clang_getCursorBinaryOperatorKind", ctypes.c_int, cindex.Cursor)
    return _BINARY[read(cursor)]


def initialiser(cursor: Any) -> tuple[int, int] | None:
    """The bytes of a variable's initialiser, if it has one."""
    read = _function("clang_Cursor_getVarDeclInitializer", cindex.Cursor, cindex.Cursor)
    found = read(cursor)
    return None if found._kind_id == cindex.CursorKind.INVALID_FILE.value else extent(found)
