"""Calls of a user's function, in the C or C++ that is written behind the user's own file.

Copies of a call are in another file (firmware/include/points.h), so the function must have a symbol
there. Where arguments are needed the compiler makes them, from the call as the user wrote it. That
call knows the function by another name, so that the compiler cannot look inside.
"""

import re
from dataclasses import dataclass

LINE = '#line 1 "--call"\n'
"""The compiler's messages about the next line concern the user's call."""
CALLEE, CAPTURE = "fragment_callee", "fragment_capture"
"""Names that stand for the function in such calls; messages are translated back."""
CALL_CAPTURED = "fragment_call"
ALIAS = "fragment_function"
"""The symbol of a C++ function, whose own name the compiler makes up."""
NAME = r"[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*"


def function_of(call: str) -> str | None:
    """The function that a call names.

    >>> function_of("add(3, 4)"), function_of("geometry::area(3)"), function_of("1 + 2")
    ('add', 'geometry::area', None)
    """
    found = re.match(rf"\s*({NAME})\s*(\(|$)", call)
    return found[1] if found else None


def needs_no_arguments(call: str) -> bool:
    """Whether a call has none."""
    return bool(re.fullmatch(rf"\s*{NAME}\s*(\(\s*\))?\s*;?\s*", call))


@dataclass(frozen=True)
class UserCall:
    """A user's call, of a function in a file of C or C++."""

    text: str
    function: str
    cpp: bool

    @property
    def symbol(self) -> str:
        """By which other files know the function."""
        return ALIAS if self.cpp else self.function

    @property
    def _linkage(self) -> str:
        return 'extern "C" ' if self.cpp else ""

    def named(self) -> list[str]:
        """Makes the function be emitted, also if it is static, by a symbol that is known; a
        variable that points to one is refused."""
        name = self.function
        return [
            "#undef main",
            *(self._alias() if self.cpp else self._own_name()),
            '#pragma GCC diagnostic error "-Wincompatible-pointer-types"' if not self.cpp else "",
            f"{LINE}{self._linkage}void fragment_is_function(void); "
            f"{self._linkage}void fragment_is_function(void) "
            f"{{ __typeof__({name}) *fragment_pointer = {name}; (void)fragment_pointer; }}",
        ]

    def _own_name(self) -> list[str]:
        return [
            f"{LINE}extern __typeof__({self.function}) {self.function} __attribute__((used));",
            f'__asm__(".globl {self.function}");',
        ]

    def _alias(self) -> list[str]:
        alias = f".globl {ALIAS}\\n .set {ALIAS}, %c0"
        return [
            'extern "C" void fragment_name(void);',
            f'{LINE}extern "C" __attribute__((used)) void fragment_name(void) '
            f'{{ __asm__ volatile("{alias}" : : "i"({self.function})); }}',
        ]

    def checked(self) -> list[str]:
        """Refuses a function that cannot be called without arguments."""
        return [
            '#pragma GCC diagnostic error "-Waggregate-return"',
            f"{LINE}{self._linkage}void fragment_check(void); "
            f"{self._linkage}void fragment_check(void) {{ {self.function}(); }}",
        ]

    def made(self, caller: str) -> list[str]:
        """The function `caller`, which makes the call."""
        return self._caller(caller, CALLEE, self.symbol)

    def captured(self) -> list[str]:
        """Makes the arguments and passes them to `fragment_captured` of the board."""
        return self._caller(CALL_CAPTURED, CAPTURE, "fragment_captured")

    def _caller(self, caller: str, alias: str, symbol: str) -> list[str]:
        """Only the outermost name is exchanged: f(f(1)) makes its argument by a call as any."""
        arguments = self.text.strip().rstrip(";").rstrip().removeprefix(self.function)
        head = "__attribute__((noipa, aligned(64))) void"
        return [
            f'extern __typeof__({self.function}) {alias} __asm__("{symbol}");',
            f"{self._linkage}void {caller}(void);",
            f"{LINE}{self._linkage}{head} {caller}(void) {{ {alias}{arguments}; }}",
        ]
