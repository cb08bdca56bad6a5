"""Formatted text, made and read, in memory and in streams."""

from collections.abc import Iterator
from random import Random

from snippets import Drawer, Snippet, Subject, quoted, word

FAMILY = "formats"
COUNT = 12
Made = tuple[str, str, list[str]]
"""A conversion, the type of its argument, and values."""
TEXTS = ("", " ", ", ", "value: ", ";", " = ", "\n", "temperature in degrees: ", "x")


def _integer(random: Random, kind: str) -> str:
    bits = random.choice((1, 4, 8, 12, 16, 24, 31))
    value = random.randrange(1 << bits)
    return str(-value if kind in "di" and random.random() < 0.3 else value)


def _wide(random: Random, kind: str) -> str:
    value = random.randrange(1 << random.choice((8, 31, 40, 62)))
    return f"{-value if kind in 'di' and random.random() < 0.3 else value}ll"


def _real(random: Random) -> str:
    kind = random.randrange(5)
    if kind == 0:
        return f"{random.randrange(1000)}.0"
    if kind == 1:
        return repr(random.uniform(-100, 100))
    if kind == 2:
        return f"{random.uniform(-100, 100):.2f}"
    if kind == 3:
        return repr(10 ** random.uniform(-6, 6))
    return repr(random.choice((-1, 1)) * 10 ** random.uniform(-15, 15))


def _flags(random: Random, kind: str) -> str:
    if random.random() < 0.45:
        return ""
    flags = random.choice(
        ("", "", "0", "-", "+" if kind in "dfge" else "", " " if kind in "df" else "")
    )
    if kind in "xo" and random.random() < 0.2:
        flags += "#"
    return (flags.replace("0", "") if kind in "sc" else flags) + str(
        random.choice((2, 4, 8, 12, 20))
    )


def conversion(random: Random, kinds: str) -> Made:
    kind = random.choice(kinds)
    flags = _flags(random, kind)
    if kind == "s":
        if random.random() < 0.2:
            flags += f".{random.randrange(12)}"
        return f"%{flags}s", "const char *", [quoted(word(random)) for _ in range(COUNT)]
    if kind == "c":
        return f"%{flags}c", "char", [str(random.randrange(33, 126)) for _ in range(COUNT)]
    if kind in "fge":
        places = random.choice(("", ".0", ".1", ".2", ".2", ".3", ".6", ".10"))
        return f"%{flags}{places}{kind}", "double", [_real(random) for _ in range(COUNT)]
    if kind == "L":
        kind = random.choice("dux")
        values = [_wide(random, kind) for _ in range(COUNT)]
        return f"%{flags}ll{kind}", "long long", values
    values = [_integer(random, kind) for _ in range(COUNT)]
    if random.random() < 0.2:
        flags += f".{random.randrange(1, 9)}"
    longs = random.random() < 0.2
    return f"%{flags}{'l' if longs else ''}{kind}", "long" if longs else "int", values


def drawn_format(random: Random, kinds: str, most: int = 4) -> list[tuple[str, Made]]:
    """Texts with conversions behind them."""
    count = random.choice((1, 1, 2, 3, most))
    return [(random.choice(TEXTS), conversion(random, kinds)) for _ in range(count)]


def _printed(call: str, kinds: str) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        pieces = drawn_format(random, kinds)
        end = random.choice(("", "\n", "."))
        format_ = "".join(text + made[0] for text, made in pieces) + end
        names = [f"v{at}_{number}" for number in range(len(pieces))]
        data = "".join(
            f"{made[1]} {name}[] = {{{', '.join(made[2])}}};\n"
            for name, (_, made) in zip(names, pieces, strict=True)
        )
        given = "".join(f", {name}[i]" for name in names)
        data += f"char text{at}[2000];\n"
        most = random.choice((2000, 20, 60))
        text = call.replace("FORMAT", quoted(format_) + given).replace("@", str(at))
        text = text.replace("MOST", str(most))
        opening, closing = "", ""
        if "file" in call:
            buffering = random.choice(("", "", "    setvbuf(file, NULL, _IOFBF, 256);\n"))
            opening = f'    FILE *file = fopen("made{at}", "w");\n{buffering}'
            closing = "\n    fclose(file);"
        loop = f"    for (int i = 0; i < {COUNT}; i++)\n        {text}"
        return Snippet(format_, opening + loop + closing, data)

    return draw


Scanned = tuple[str, str, list[str]]
"""A conversion, the type that it stores into (or nothing), and texts that it reads."""


def _scanned(random: Random, kinds: str) -> Scanned:
    kind = random.choice(kinds)
    stars = random.random() < 0.08
    star = "*" if stars else ""
    width = random.choice(("", "", "", str(random.randrange(1, 6))))
    if kind in "dux":
        size = random.choice(("", "", "l", "h"))
        sign = random.choice(("", "", "-")) if kind == "d" else ""
        most = {"h": 1 << 14}.get(size, 1 << random.choice((6, 16, 30)))
        of = {"": "int", "l": "long", "h": "short"}[size]
        texts = [
            f"{sign}{random.randrange(most):{'x' if kind == 'x' else 'd'}}" for _ in range(COUNT)
        ]
        return f"%{star}{width}{size}{kind}", "" if stars else of, texts
    if kind == "f":
        of = random.choice(("float", "double"))
        texts = [f"{random.uniform(-500, 500):.{random.randrange(1, 7)}f}" for _ in range(COUNT)]
        if random.random() < 0.2:
            texts = [f"{random.uniform(1, 10):.3e}" for _ in range(COUNT)]
        return f"%{star}{'lf' if of == 'double' else 'f'}", "" if stars else of, texts
    if kind == "c":
        return f"%{star}c", "" if stars else "char", [random.choice("abcXYZ") for _ in range(COUNT)]
    if kind == "[":
        chosen, letters = random.choice(
            (("a-z", "abcdefxyz"), ("^,;", "abc def"), ("0-9.", "0123."))
        )
        texts = [word(random, random.randrange(1, 20), letters) for _ in range(COUNT)]
        return f"%{star}[{chosen}]", "" if stars else "text", texts
    texts = [word(random, random.randrange(1, 25), "abcdefghXYZ019") for _ in range(COUNT)]
    return f"%{star}{width}s", "" if stars else "text", texts


def scan_format(random: Random, kinds: str) -> tuple[str, list[str], list[str]]:
    """A format, the types that it stores into, and texts for it; some of which do not match."""
    format_, types, texts = "", list[str](), [""] * COUNT
    between = random.choice((" ", " ", ",", ", ", ":", "-", " x = ", " / "))
    for number in range(random.choice((1, 1, 2, 3, 4))):
        if number or random.random() < 0.15:
            format_ += between
            texts = [one + between + " " * random.choice((0, 0, 2)) for one in texts]
        made, of, values = _scanned(random, kinds)
        format_ += made
        types += [of] if of else []
        texts = [one + value for one, value in zip(texts, values, strict=True)]
    if random.random() < 0.25:
        texts[::4] = [word(random, 6, "qrs,;") for _ in texts[::4]]
    if random.random() < 0.4:
        texts = [one + random.choice((" tail", "\n", ";")) for one in texts]
    return format_, types, texts


def _read(kinds: str) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        format_, types, texts = scan_format(random, kinds)
        data = f"const char *lines{at}[] = {{{', '.join(map(quoted, texts))}}};\n"
        data, given = data + _places(types, at)[0], _places(types, at)[1]
        call = f"seen += sscanf(lines{at}[i], {quoted(format_)}{given});"
        body = f"    for (int i = 0; i < {COUNT}; i++)\n        {call}"
        return Snippet(f"{format_} of {texts[1]!r}", body, data)

    return draw


def _places(types: list[str], at: int) -> tuple[str, str]:
    data = given = ""
    for number, of in enumerate(types):
        name = f"g{at}_{number}"
        data += f"char {name}[200];\n" if of == "text" else f"{of} {name};\n"
        given += f", {'' if of == 'text' else '&'}{name}"
    return data, given


def _read_file(kinds: str) -> Drawer:
    """Lines that the snippet writes first, then reads."""

    def draw(random: Random, at: int) -> Snippet:
        format_, types, texts = scan_format(random, kinds)
        data, given = _places(types, at)
        data += f"const char *lines{at}[] = {{{', '.join(map(quoted, texts))}}};\n"
        body = f"""\
    FILE *file = fopen("lines{at}", "w+");
    for (int i = 0; i < {COUNT}; i++) {{
        fputs(lines{at}[i], file);
        fputc('\\n', file);
    }}
    rewind(file);
    for (int i = 0; i < {COUNT}; i++) {{
        int got = fscanf(file, {quoted(format_)}{given});
        seen += got;
        if (got == EOF)
            break;
        int byte = fgetc(file);
        while (byte != EOF && byte != '\\n')
            byte = fgetc(file);
    }}
    fclose(file);"""
        return Snippet(f"{format_} of {texts[1]!r}", body, data)

    return draw


def subjects() -> Iterator[Subject]:
    rows = {
        "sprintf integers": _printed("seen += sprintf(text@, FORMAT);", "dduxoc"),
        "sprintf texts": _printed("seen += sprintf(text@, FORMAT);", "ssdc"),
        "sprintf reals f": _printed("seen += sprintf(text@, FORMAT);", "f"),
        "sprintf reals g": _printed("seen += sprintf(text@, FORMAT);", "g"),
        "sprintf reals e": _printed("seen += sprintf(text@, FORMAT);", "e"),
        "snprintf": _printed("seen += snprintf(text@, MOST, FORMAT);", "dduxcsf"),
        "fprintf": _printed("seen += fprintf(file, FORMAT);", "dduxcsfg"),
        "printf": _printed("printf(FORMAT);", "dduxcsf"),
        "sscanf integers": _read("ddux"),
        "sscanf texts": _read("s[cd"),
        "sscanf reals": _read("ffd"),
        "sscanf all": _read("duxfs[c"),
        "fscanf integers": _read_file("ddux"),
        "fscanf all": _read_file("dfs"),
    }
    for name, draw in rows.items():
        yield Subject(name, FAMILY, draw)
