"""Types of operations and places of data, as they decide what a target's code does."""

from typing import Any

from cyclescope.sources.syntax import SyntaxNode

UNSIGNED = ("BOOL", "CHAR_U", "UCHAR", "USHORT", "UINT", "ULONG", "ULONGLONG")
SIGNED = ("CHAR_S", "SCHAR", "SHORT", "INT", "LONG", "LONGLONG")
FLOATS = ("FLOAT", "DOUBLE", "LONGDOUBLE")
ARRAYS = ("CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY")
FUNCTIONS = ("FUNCTIONPROTO", "FUNCTIONNOPROTO")
PLACES = ("DECL_REF_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR")
"""Expressions that may be a place of data."""
LOCAL, GLOBAL, POINTER = "local", "global", "pointer"
AGGREGATE = "_aggregate"


def name(type_: Any) -> str:
    """The type's name: u8 … i64, f32, f64, pointer, void, or the bytes of an aggregate."""
    canonical = type_.get_canonical()
    kind = canonical.kind.name
    if kind == "ENUM":
        return name(canonical.get_declaration().enum_type)
    for kinds, letter in ((UNSIGNED, "u"), (SIGNED, "i"), (FLOATS, "f")):
        if kind in kinds:
            return f"{letter}{8 * canonical.get_size()}"
    if kind in ("POINTER", "BLOCKPOINTER", *ARRAYS, *FUNCTIONS):
        return "pointer"
    # libclang dies when it is asked for the size of a built-in function.
    return whole(canonical) if kind == "RECORD" else "void"


def whole(type_: Any) -> str:
    """The bytes of an aggregate, rounded up to a power of two."""
    return rounded_bytes(type_.get_size())


def rounded_bytes(size: int) -> str:
    """The name of an aggregate's type by its size."""
    return f"{1 << max(size - 1, 0).bit_length()} bytes"


def parts(type_: Any) -> int:
    """How many fields or elements an aggregate has."""
    canonical = type_.get_canonical()
    if is_array(canonical):
        return int(canonical.element_count)
    return sum(1 for _ in canonical.get_fields())


def is_array(type_: Any) -> bool:
    """Whether an expression of this type stands for its address."""
    return type_.get_canonical().kind.name in (*ARRAYS, *FUNCTIONS)


def bare(node: SyntaxNode) -> SyntaxNode:
    """The expression without its parentheses."""
    while node.kind == "PAREN_EXPR" and node.children:
        node = node.children[-1]
    return node


def is_place(node: SyntaxNode) -> bool:
    """Whether an expression names a place of data, of which a value is read or written."""
    node = bare(node)
    if node.kind == "UNARY_OPERATOR":
        return node.operator == "*"
    if node.kind == "DECL_REF_EXPR":
        declared = node.referenced
        return declared is not None and declared.kind.name in ("VAR_DECL", "PARM_DECL")
    return node.kind in PLACES


def access(node: SyntaxNode) -> str:
    """Where a place lies: `local`, `global`, `pointer`, and `local_aggregate` for parts of one."""
    node = bare(node)
    if node.kind == "DECL_REF_EXPR":
        declared = node.referenced
        static = declared.storage_class.name in ("STATIC", "EXTERN")
        outside = declared.semantic_parent.kind.name == "TRANSLATION_UNIT"
        return GLOBAL if static or outside else LOCAL
    if node.kind == "UNARY_OPERATOR" or not node.children:
        return POINTER
    base = bare(node.children[0])
    if node.kind == "MEMBER_REF_EXPR" and name(base.type) == "pointer":
        return POINTER
    if node.kind == "ARRAY_SUBSCRIPT_EXPR":
        base = bare(base.children[0]) if base.kind == "UNEXPOSED_EXPR" else base
        if not is_array(base.type):
            return POINTER
    if not is_place(base):
        return POINTER if base.kind != "CALL_EXPR" else LOCAL + AGGREGATE
    inner = access(base)
    return inner if inner == POINTER or inner.endswith(AGGREGATE) else inner + AGGREGATE
