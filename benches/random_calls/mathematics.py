"""Functions of math.h, and what the compiler calls for operators."""

from collections.abc import Callable, Iterator
from random import Random

from snippets import Drawer, Snippet, Subject, array

COUNT, ROUNDS = 16, 4
Draw = Callable[[Random], float]


def _looped(statement: str, rounds: int = ROUNDS) -> str:
    return (
        f"    for (int again = 0; again < {rounds}; again++)\n"
        f"        for (int i = 0; i < {COUNT}; i++)\n            {statement}"
    )


RANGES: dict[str, Draw] = {
    "near one": lambda random: random.uniform(-1, 1),
    "tens": lambda random: random.uniform(-20, 20),
    "hundreds": lambda random: random.uniform(-500, 500),
    "whole": lambda random: float(random.randrange(-50, 50)),
    "spread": lambda random: random.choice((-1, 1)) * 10 ** random.uniform(-8, 8),
    "half": lambda random: random.randrange(-20, 20) / 2,
}
POSITIVE = ("sqrt", "log", "log10", "log2", "log1p", "pow", "cbrt", "acosh", "tgamma", "lgamma")
UNIT = ("asin", "acos", "atanh")
MOST = {
    **dict.fromkeys(
        ("exp", "sinh", "cosh", "expm1", "exp2", "tgamma", "lgamma", "erf", "erfc"), 30.0
    ),
}


def _argument(random: Random, name: str, kind: str) -> float:
    value = RANGES[kind](random)
    if name in POSITIVE:
        value = abs(value) or 1.0
    if name in UNIT:
        value = max(-1.0, min(1.0, value / 500 if abs(value) > 1 else value))
    most = MOST.get(name)
    return value if most is None or abs(value) < most else value % most


def _one(name: str, letter: str) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        kind = random.choice(list(RANGES))
        width = "float" if letter else "double"
        values = [f"{_argument(random, name, kind)!r}" for _ in range(COUNT)]
        data = array(width, f"a{at}", values) + f"{width} made{at}[{COUNT}];\n"
        return Snippet(kind, _looped(f"made{at}[i] = {name}{letter}(a{at}[i]);", 2), data)

    return draw


def _two(name: str, letter: str, second: str = "any") -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        kind = random.choice(list(RANGES))
        width = "float" if letter else "double"
        first = [_argument(random, name, kind) for _ in range(COUNT)]
        other = [_argument(random, name, random.choice((kind, "tens"))) for _ in range(COUNT)]
        if name == "pow":
            exponents = random.choice(
                ((2.0, 3.0), (0.5, 1.5, 2.2), (-1.0, 2.0, 10.0), (1 / 3, -0.25))
            )
            other = [random.choice(exponents) for _ in range(COUNT)]
            first = [min(one, 1e5) for one in first]
        if name in ("fmod", "remainder"):
            other = [one or 1.5 for one in other]
        data = array(width, f"a{at}", [repr(one) for one in first])
        data += array(width, f"b{at}", [repr(one) for one in other])
        data += f"{width} made{at}[{COUNT}];\n"
        return Snippet(kind, _looped(f"made{at}[i] = {name}{letter}(a{at}[i], b{at}[i]);", 2), data)

    return draw


def _with(statement: str, letter: str) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        kind = random.choice(list(RANGES))
        width = "float" if letter else "double"
        values = [repr(RANGES[kind](random)) for _ in range(COUNT)]
        data = (
            array(width, f"a{at}", values)
            + f"{width} made{at}[{COUNT}], part{at};\nint whole{at};\n"
        )
        data += array("int", f"n{at}", [random.randrange(-20, 20) for _ in range(COUNT)])
        return Snippet(kind, _looped(statement.replace("@", str(at))), data)

    return draw


def _near(random: Random, exponents: int) -> float:
    return (
        random.choice((-1, 1))
        * random.uniform(1, 2)
        * 2.0 ** random.randrange(-exponents, exponents + 1)
    )


def _reals(random: Random, width: str) -> tuple[str, list[str], list[str]]:
    """Operands of one kind."""
    float_ = width == "float"
    most = 30 if float_ else 200
    kinds = ("near", "wide", "far", "whole", "money", "equal", "zeros", "tiny", "special", "halves")
    kind = random.choice(kinds[:5] * 3 + kinds[5:])
    if kind in ("near", "equal", "zeros", "special"):
        first, second = ([_near(random, 3) for _ in range(COUNT)] for _ in range(2))
    elif kind == "wide":
        first, second = ([_near(random, 20) for _ in range(COUNT)] for _ in range(2))
    elif kind == "far":
        first, second = ([_near(random, most) for _ in range(COUNT)] for _ in range(2))
    elif kind == "whole":
        first, second = ([float(random.randrange(1, 2000)) for _ in range(COUNT)] for _ in range(2))
    elif kind == "money":
        first, second = (
            [random.randrange(1, 100000) / 100 for _ in range(COUNT)] for _ in range(2)
        )
    elif kind == "tiny":
        scale = 1e-39 if float_ else 1e-309
        first, second = ([_near(random, 3) * scale for _ in range(COUNT)] for _ in range(2))
    else:
        first, second = ([random.randrange(1, 64) / 4 for _ in range(COUNT)] for _ in range(2))
    if kind == "equal":
        second = [
            random.choice((one, -one, other)) for one, other in zip(first, second, strict=True)
        ]
    if kind == "zeros":
        first[::2] = [0.0] * len(first[::2])
    texts = [repr(one) for one in first]
    if kind == "special":
        texts[::3] = ["__builtin_inf()"] * len(texts[::3])
        texts[1::5] = ['__builtin_nan("")'] * len(texts[1::5])
    return kind, texts, [repr(one) for one in second]


def _operator(width: str, operation: str) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        kind, first, second = _reals(random, width)
        compares = operation in ("<", "<=", "==", ">", "!=")
        out = "int" if compares else width
        data = array(width, f"a{at}", first) + array(width, f"b{at}", second)
        data += f"{out} made{at}[{COUNT}];\n"
        statement = f"made{at}[i] = a{at}[i] {operation} b{at}[i];"
        return Snippet(kind, _looped(statement, 8), data)

    return draw


INTEGERS = {"int": 31, "unsigned": 32, "long long": 63, "unsigned long long": 64}


def _whole(random: Random, kind: str, bits: int) -> str:
    most = 1 << min(bits, INTEGERS[kind])
    value = random.randrange(most)
    if "unsigned" not in kind and random.random() < 0.4:
        value = -value
    ends = (
        "ull"
        if kind == "unsigned long long"
        else "ll"
        if kind == "long long"
        else "u"
        if kind == "unsigned"
        else ""
    )
    return f"{value}{ends}"


def _divided(kind: str, operation: str) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        bits, below = random.choice((8, 16, 31, 40, 62)), random.choice((3, 8, 16, 30, 45))
        first = [_whole(random, kind, bits) for _ in range(COUNT)]
        second = [_whole(random, kind, below) for _ in range(COUNT)]
        second = [
            f"7{one.lstrip('-0123456789')}" if one.lstrip("-0ul") == "" else one for one in second
        ]
        if random.random() < 0.3:
            divisor = random.choice((10, 1000, 7, 3600, 86400))
            second = [str(divisor)] * COUNT
        data = array(kind, f"a{at}", first) + array(kind, f"b{at}", second)
        data += f"{kind} made{at}[{COUNT}];\n"
        statement = f"made{at}[i] = a{at}[i] {operation} b{at}[i];"
        return Snippet(f"{bits} by {below} bits", _looped(statement, 6), data)

    return draw


def _shifted(kind: str, operation: str) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        bits = random.choice((31, 62))
        most = random.choice((8, 31, 63))
        data = array(kind, f"a{at}", [_whole(random, kind, bits) for _ in range(COUNT)])
        data += array("int", f"b{at}", [random.randrange(most + 1) for _ in range(COUNT)])
        data += f"{kind} made{at}[{COUNT}];\n"
        return Snippet(
            f"up to {most}", _looped(f"made{at}[i] = a{at}[i] {operation} b{at}[i];", 8), data
        )

    return draw


def _from_whole(kind: str, width: str) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        bits = random.choice((3, 8, 16, 31, 45, 62) if "long" in kind else (1, 4, 8, 16, 24, 31))
        values = [_whole(random, kind, bits) for _ in range(COUNT)]
        if random.random() < 0.2:
            values[::3] = ["0"] * len(values[::3])
        data = array(kind, f"a{at}", values) + f"{width} made{at}[{COUNT}];\n"
        return Snippet(f"{bits} bits", _looped(f"made{at}[i] = ({width})a{at}[i];", 8), data)

    return draw


def _to_whole(width: str, kind: str) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        bits = random.choice((1, 4, 10, 20, 30) if "long" not in kind else (1, 8, 20, 30, 45, 60))
        values = [random.uniform(0, 1 << bits) for _ in range(COUNT)]
        if "unsigned" not in kind:
            values = [random.choice((-1, 1)) * one for one in values]
        if random.random() < 0.3:
            values = [float(int(one)) for one in values]
        data = (
            array(width, f"a{at}", [repr(one) for one in values]) + f"{kind} made{at}[{COUNT}];\n"
        )
        return Snippet(f"{bits} bits", _looped(f"made{at}[i] = ({kind})a{at}[i];", 8), data)

    return draw


def _bits(call: str, kind: str) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        bits = random.choice((4, 16, 31, 62))
        values = [f"{random.randrange(1, 1 << min(bits, INTEGERS[kind]))}ull" for _ in range(COUNT)]
        data = array(kind, f"a{at}", values) + f"int made{at}[{COUNT}];\n"
        return Snippet(f"{bits} bits", _looped(f"made{at}[i] = (int){call}(a{at}[i]);", 8), data)

    return draw


ONE = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "sqrt", "exp", "log", "log10", "log2", "cbrt"),
    *("floor", "ceil", "round", "trunc", "rint", "sinh", "cosh", "tanh", "exp2", "expm1", "log1p"),
    *("asinh", "atanh", "erf", "tgamma", "fabs", "nearbyint"),
)
TWO = ("pow", "atan2", "fmod", "hypot", "fmax", "fmin", "fdim", "copysign", "remainder")
WITH = {
    "ldexp": "made@[i] = ldexp%s(a@[i], n@[i]);",
    "scalbn": "made@[i] = scalbn%s(a@[i], n@[i]);",
    "frexp": "made@[i] = frexp%s(a@[i], &whole@);",
    "modf": "made@[i] = modf%s(a@[i], &part@);",
    "lround": "seen += lround%s(a@[i]);",
    "lrint": "seen += lrint%s(a@[i]);",
}


def subjects() -> Iterator[Subject]:
    for letter in ("", "f"):
        for name in ONE:
            yield Subject(f"{name}{letter}", "math.h", _one(name, letter))
        for name in TWO:
            yield Subject(f"{name}{letter}", "math.h", _two(name, letter))
        for name, text in WITH.items():
            draw = _with(text % letter, letter)
            yield Subject(f"{name}{letter}", "math.h", draw)
    for width in ("float", "double"):
        for sign in ("+", "-", "*", "/", "<", "<=", "==", ">"):
            yield Subject(f"{width} {sign}", "operators", _operator(width, sign))
        for kind in INTEGERS:
            yield Subject(f"{kind} to {width}", "operators", _from_whole(kind, width))
            yield Subject(f"{width} to {kind}", "operators", _to_whole(width, kind))
    for kind in INTEGERS:
        for sign in ("/", "%"):
            yield Subject(f"{kind} {sign}", "operators", _divided(kind, sign))
    for kind in ("long long", "unsigned long long"):
        yield Subject(f"{kind} *", "operators", _divided(kind, "*"))
        for sign in ("<<", ">>"):
            yield Subject(f"{kind} {sign}", "operators", _shifted(kind, sign))
    for name in ("clz", "ctz", "popcount", "parity", "ffs"):
        yield Subject(name, "operators", _bits(f"__builtin_{name}", "unsigned"))
        yield Subject(f"{name}ll", "operators", _bits(f"__builtin_{name}ll", "unsigned long long"))
