"""Calls of a user's function, in the C that is written behind the user's own file.

Copies of a call are in another file (firmware/include/points.h), so the function must have a symbol
there. Where arguments are needed the compiler makes them, from the call as the user wrote it: the
function is known to that call by another name, so that the compiler cannot look inside.
"""

LINE = '#line 1 "--call"\n'
"""What the compiler says of the next line is about the user's call."""
CALLEE, CAPTURE = "fragment_callee", "fragment_capture"
"""Names that stand for the function in such calls; messages are translated back."""
CALL_CAPTURED = "fragment_call"


def named(function: str) -> list[str]:
    """Makes a function be emitted under its own name, also if it is static; a variable that points
    to one is refused."""
    return [
        "#undef main",
        f"{LINE}extern __typeof__({function}) {function} __attribute__((used));",
        f'__asm__(".globl {function}");',
        '#pragma GCC diagnostic error "-Wincompatible-pointer-types"',
        f"{LINE}void fragment_is_function(void); void fragment_is_function(void) "
        f"{{ __typeof__({function}) *fragment_function = {function}; (void)fragment_function; }}",
    ]


def checked(function: str) -> list[str]:
    """Refuses a function that cannot be called without arguments."""
    return [
        '#pragma GCC diagnostic error "-Waggregate-return"',
        f"{LINE}void fragment_check(void); void fragment_check(void) {{ {function}(); }}",
    ]


def made(call: str, function: str, caller: str) -> list[str]:
    """The function `caller`, which makes the call."""
    return _caller(call, function, caller, CALLEE, function)


def captured(call: str, function: str) -> list[str]:
    """A function that makes the arguments and passes them to `fragment_captured` of the board."""
    return _caller(call, function, CALL_CAPTURED, CAPTURE, "fragment_captured")


def _caller(call: str, function: str, caller: str, alias: str, symbol: str) -> list[str]:
    """Only the outermost name is exchanged: f(f(1)) makes its argument by a call as any other."""
    arguments = call.strip().rstrip(";").rstrip().removeprefix(function)
    return [
        f'extern __typeof__({function}) {alias} __asm__("{symbol}");',
        f"void {caller}(void);",
        f"{LINE}__attribute__((noipa, aligned(64))) void {caller}(void) {{ {alias}{arguments}; }}",
    ]
