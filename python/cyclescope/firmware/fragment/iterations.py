"""Iterations: the C of loops whose every iteration is the copies of one point, for the host.

A processor that executes out of order overlaps a few calls with the readings of the clock around
them, so what it really takes shows only in many. The copies of a turned point are the body of a
loop in a function of its own. All points of a plan go round equally often. So the loop's own cost
is the same in all and no part of a slope. The functions stand behind the user's code, in its file:
arguments are evaluated as in any call.

Dependent copies pass their result on through a link. A link is two instructions that make 0 of the
result and put the argument's own value in its place. So the call gets what the user wrote, and no
sooner than the result before was there. A copy has one link or two in a row; how much the second
one adds is how much the first one did.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cyclescope.firmware.fragment.call import UserCall
from cyclescope.firmware.fragment.plan import Point

FED = "fragment_fed"
"""The symbol that says which argument gets the result: 1 is the first, 0 none."""

CALLEE = "fragment_turned"
OPENING, CLOSING = "([{", ")]}"

# Flag 3 makes what follows a system header, of whose code the compiler says nothing.
HEAD = """
# 1 "iterations" 3
#pragma GCC optimize("O2")
#ifdef __cplusplus
#define FRAGMENT_LINKAGE extern "C"
#else
#define FRAGMENT_LINKAGE
#endif
#define FRAGMENT_TURNS(name) \\
    FRAGMENT_LINKAGE void fragment_turns_##name(unsigned); \\
    FRAGMENT_LINKAGE __attribute__((noipa, aligned(64))) \\
    void fragment_turns_##name(unsigned iterations)
"""

LINKS = """
#define FRAGMENT_WHOLE(e) (__builtin_classify_type(e) >= 1 && __builtin_classify_type(e) <= 5)
#define FRAGMENT_REAL(e) (__builtin_classify_type(e) == 8 && sizeof(e) <= 8)
#define FRAGMENT_SCALAR(e) (FRAGMENT_WHOLE(e) || FRAGMENT_REAL(e))
#define FRAGMENT_PLAIN(e) __builtin_choose_expr(FRAGMENT_SCALAR(e), (e), 0)
/* A whole number that fills its register becomes what the function takes without an instruction. */
#define FRAGMENT_FULL(e) \\
    __builtin_choose_expr(__builtin_classify_type(e) == 5 || FRAGMENT_REAL(e), (e), 0ul)
#if defined(__x86_64__)
#define FRAGMENT_LINK_WHOLE "andl $0, %k0\\n\\tor %1, %q0"
#define FRAGMENT_IMMEDIATE "re"
#define FRAGMENT_LINK_REAL "andps %2, %0\\n\\torps %1, %0"
#define FRAGMENT_REAL_REGISTER "x"
#elif defined(__aarch64__)
#define FRAGMENT_LINK_WHOLE "and %x0, %x0, xzr\\n\\torr %x0, %x0, %x1"
#define FRAGMENT_IMMEDIATE "r"
#define FRAGMENT_LINK_REAL "and %0.16b, %0.16b, %2.16b\\n\\torr %0.16b, %0.16b, %1.16b"
#define FRAGMENT_REAL_REGISTER "w"
#endif
#define FRAGMENT_LINKED(type, assembly, immediate, any, argument, carried) \\
    ({ \\
        type linked_; \\
        __asm(assembly : "=" any(linked_) : immediate(argument), any((type)0), "0"(carried)); \\
        linked_; \\
    })
#define FRAGMENT_LINK(type, argument, carried) \\
    __builtin_choose_expr(FRAGMENT_REAL((type)0), \\
        FRAGMENT_LINKED(type, FRAGMENT_LINK_REAL, FRAGMENT_REAL_REGISTER, FRAGMENT_REAL_REGISTER, \\
                        (type)FRAGMENT_PLAIN(argument), carried), \\
        FRAGMENT_LINKED(type, FRAGMENT_LINK_WHOLE, FRAGMENT_IMMEDIATE, "r", \\
                        (unsigned long)FRAGMENT_PLAIN(argument), carried))
"""


class LoopedCall(NamedTuple):
    """A call as the user wrote it; without a function it is the EXECUTE of a file."""

    made: UserCall | None
    arguments: tuple[str, ...]
    cpp: bool = False

    def text(self, replaced: Mapping[int, str]) -> str:
        """The call, with other arguments in some places."""
        if self.made is None:
            return "fragment_execute()"
        given = [replaced.get(at, one) for at, one in enumerate(self.arguments)]
        return f"{CALLEE}({', '.join(given)})"


def call_of(made: UserCall) -> LoopedCall:
    """Splits a call at the commas that are in no brackets and no quotes.

    >>> call = UserCall("f(&table[1, 2], \\",\\", g(3, 4))", "f", cpp=False)
    >>> call_of(call).arguments
    ('&table[1, 2]', '","', 'g(3, 4)')
    """
    behind = made.text.strip().rstrip(";").rstrip().removeprefix(made.function).strip()
    inside = behind.removeprefix("(").removesuffix(")")
    if not inside.strip():
        return LoopedCall(made, (), made.cpp)
    arguments, depth = [""], 0
    for part in re.findall(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|.', inside, re.DOTALL):
        depth += (part in OPENING) - (part in CLOSING)
        if part == "," and not depth:
            arguments.append("")
        else:
            arguments[-1] += part
    return LoopedCall(made, tuple(one.strip() for one in arguments), made.cpp)


def bodies(call: LoopedCall, points: Mapping[str, tuple[Point, Sequence[bool]]]) -> str:
    """The functions of the turned points, by name; each with its copies in order, as
    `fragment_source.sequence` has them."""
    if not points:
        return ""
    dependent = any(point.links for point, _ in points.values())
    lines = [HEAD]
    if call.made:
        function, symbol = call.made.function, call.made.symbol
        lines.append(f'extern __typeof__({function}) {CALLEE} __asm__("{symbol}");')
    if dependent:
        lines += [LINKS, *_types(call)]
    for name, (point, copies) in points.items():
        inner = _chain(call, point) if point.links else _row(call, copies)
        lines.append(f"FRAGMENT_TURNS({name}) {{\n{inner}\n}}")
    return "\n".join(lines) + "\n"


def _row(call: LoopedCall, copies: Sequence[bool]) -> str:
    statements = [
        "fragment_initialise();" if initialises else f"{call.text({})};" for initialises in copies
    ]
    return "do {\n" + "\n".join(statements) + "\n} while (--iterations);"


def _types(call: LoopedCall) -> list[str]:
    """Types of result and arguments, and which argument gets the result: the first of its kind."""
    nothing = f"__builtin_types_compatible_p(__typeof__({call.text({})}), void)"
    result = f"__builtin_choose_expr({nothing}, 0, {call.text({})})"
    told = [
        f"typedef __typeof__(FRAGMENT_PLAIN({result})) fragment_result;",
        f"enum {{ fragment_passes_on = !{nothing} && FRAGMENT_SCALAR({result}) }};",
    ]
    fits = []
    for at, argument in enumerate(call.arguments):
        # The conditional makes pointers of arrays, as a call does.
        plain = f"FRAGMENT_FULL((1 ? ({argument}) : ({argument})))"
        told.append(f"typedef __typeof__({plain}) fragment_argument_{at};")
        fits.append(
            f"(FRAGMENT_SCALAR((1 ? ({argument}) : ({argument})))"
            f" && (FRAGMENT_REAL((fragment_argument_{at})0)"
            f" ? __builtin_types_compatible_p(fragment_argument_{at}, fragment_result)"
            f" : FRAGMENT_WHOLE((fragment_result)0))) ? {at + 1} :"
        )
    chosen = f"fragment_passes_on ? ({' '.join(fits)} 0) : 0"
    return [
        *told,
        f"enum {{ fragment_fed_at = {chosen} }};",
        f"extern const unsigned char {FED};",
        f"__attribute__((used, retain)) const unsigned char {FED} = fragment_fed_at;",
    ]


def _chain(call: LoopedCall, point: Point) -> str:
    """Copies that each wait for the one before; each with as many links as the next."""
    copies = "\n".join(
        [f"carried = {_dependent(call, point.links // point.executions)};"] * point.executions
    )
    return f"fragment_result carried = 0;\ndo {{\n{copies}\n}} while (--iterations);"


def _dependent(call: LoopedCall, links: int) -> str:
    """One call, with the result of the one before in the argument that gets it."""
    given = {}
    for at, argument in enumerate(call.arguments):
        linked = "carried"
        for _ in range(links):
            linked = f"FRAGMENT_LINK(fragment_argument_{at}, {argument}, {linked})"
        fed = f"fragment_fed_at == {at + 1}"
        given[at] = f"__builtin_choose_expr({fed}, {linked}, ({argument}))"
    return f"__builtin_choose_expr(fragment_fed_at, {call.text(given)}, carried)"
