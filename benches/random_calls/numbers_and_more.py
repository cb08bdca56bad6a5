"""Numbers from text, random numbers, times, the heap, sorting and searching."""

from collections.abc import Iterator
from random import Random

from snippets import Drawer, Snippet, Subject, array, quoted, word

FAMILY = "numbers"
COUNT, ROUNDS = 16, 4
LOOP = "    for (int again = 0; again < %d; again++)\n        for (int i = 0; i < %d; i++)\n"


def _looped(call: str, count: int = COUNT, rounds: int = ROUNDS) -> str:
    return LOOP % (rounds, count) + f"            {call}"


def _whole(random: Random, base: int, most: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"[: base or 10]
    text = "".join(random.choice(digits) for _ in range(random.randrange(1, most + 1)))
    if base in (0, 16) and random.random() < 0.3:
        text = "0x" + text
    sign = random.choice(("", "", "", "-", "+"))
    return " " * random.choice((0, 0, 0, 1, 3)) + sign + text + random.choice(("", " ", ",7", "\n"))


def _integer(function: str, most: dict[int, int]) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        base = random.choice((10, 10, 16, 0, 8, 2)) if function.startswith("strto") else 10
        size = random.choice((2, 5, most.get(base, most[10])))
        texts = [quoted(_whole(random, base, size)) for _ in range(COUNT)]
        if random.random() < 0.3:
            texts[::5] = [quoted(random.choice(("", "x", "-", "none"))) for _ in texts[::5]]
        data = array("const char *", f"texts{at}", texts)
        end = random.choice(("NULL", f"&end{at}"))
        data += f"char *end{at};\n"
        call = f"{function}(texts{at}[i]" + (
            f", {end}, {base})" if base != 10 or "strto" in function else ")"
        )
        return Snippet(f"base {base}, up to {size} digits", _looped(f"seen += {call};"), data)

    return draw


def _real_text(random: Random) -> str:
    kind = random.randrange(6)
    if kind == 0:
        return str(random.randrange(1000))
    if kind == 1:
        return f"{random.uniform(-100, 100):.{random.randrange(1, 5)}f}"
    if kind == 2:
        return f"{random.uniform(-1e6, 1e6):.6f}"
    if kind == 3:
        return f"{random.uniform(1, 10):.{random.randrange(7)}e}"
    if kind == 4:
        return f"{10 ** random.uniform(-30, 30):.{random.randrange(1, 15)}e}"
    return f"{random.random():.{random.randrange(1, 17)}f}"


def _real(call: str) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        texts = [_real_text(random) for _ in range(COUNT)]
        if random.random() < 0.5:
            texts = [f"{random.uniform(0, 100):.2f}" for _ in range(COUNT)]
        data = array("const char *", f"texts{at}", [quoted(one) for one in texts])
        data += f"double made{at}[{COUNT}];\n"
        text = call.replace("$", f"texts{at}[i]")
        return Snippet(texts[0], _looped(f"made{at}[i] = {text};", rounds=2), data)

    return draw


def _divided(function: str, kind: str) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        bits = random.choice((8, 16, 31))
        below = random.choice((4, 10, 20))
        first = [random.randrange(-(1 << bits), 1 << bits) for _ in range(COUNT)]
        second = [random.choice((1, -1)) * random.randrange(1, 1 << below) for _ in range(COUNT)]
        if kind == "long long":
            first = [one * random.randrange(1, 1 << 30) for one in first]
        data = array(kind, f"a{at}", first) + array(kind, f"b{at}", second)
        call = f"seen += (unsigned){function}(a{at}[i], b{at}[i]).quot;"
        return Snippet(f"{bits} by {below} bits", _looped(call), data)

    return draw


def _plain(call: str) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        return Snippet("", _looped(call.replace("SEED", str(random.randrange(1, 99999)))))

    return draw


def _time(call: str) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        last = random.choice((100_000_000, 1_700_000_000, 2_000_000_000))
        data = array("time_t", f"t{at}", [random.randrange(last) for _ in range(COUNT)])
        formats = ("%Y-%m-%d %H:%M:%S", "%d %b %Y", "%H:%M", "%A, %d %B %Y", "%j %U %w", "%c")
        text = call.replace("$", f"t{at}[i]").replace("FORMAT", quoted(random.choice(formats)))
        return Snippet(
            f"up to {last}", "    char text[80]; (void)text;\n" + _looped(text, rounds=1), data
        )

    return draw


def _heap(random: Random, at: int) -> Snippet:
    """Blocks are taken, resized and freed in a random order."""
    slots, most = random.choice((8, 24, 60)), random.choice((24, 100, 400, 1500))
    resizes = random.choice((0, 0, 20))
    clears = random.choice((0, 30))
    steps = []
    for _ in range(250):
        kind = 2 if random.randrange(100) < resizes else 1 if random.randrange(100) < clears else 0
        steps.append((random.randrange(slots), kind, random.randrange(1, most)))
    data = f"void *held{at}[{slots}];\n" + "".join(
        array("short", f"{name}{at}", [one[place] for one in steps])
        for place, name in enumerate(("s", "k", "n"))
    )
    body = f"""\
    for (int i = 0; i < {len(steps)}; i++) {{
        void **one = &held{at}[s{at}[i]];
        if (k{at}[i] == 2)
            *one = realloc(*one, (size_t)n{at}[i]);
        else if (*one)
            free(*one), *one = NULL;
        else
            *one = k{at}[i] ? calloc(1, (size_t)n{at}[i]) : malloc((size_t)n{at}[i]);
    }}
    for (int i = 0; i < {slots}; i++)
        free(held{at}[i]), held{at}[i] = NULL;"""
    what = f"{slots} blocks up to {most} bytes, {resizes} % resized, {clears} % cleared"
    return Snippet(what, body, data)


ORDERS = ("random", "ascending", "descending", "few", "nearly", "equal")


def _values(random: Random, count: int, order: str) -> list[int]:
    values = [random.randrange(-30000, 30000) for _ in range(count)]
    if order in ("ascending", "nearly"):
        values.sort()
    if order == "descending":
        values.sort(reverse=True)
    if order == "nearly" and count > 3:
        for _ in range(count // 10 + 1):
            a, b = random.randrange(count), random.randrange(count)
            values[a], values[b] = values[b], values[a]
    if order == "few":
        values = [random.randrange(5) for _ in range(count)]
    return [7] * count if order == "equal" else values


ELEMENTS = (
    "int v",
    "short v",
    "char pad[8]; int v",
    "int v; char name[20]",
    "double w; int v",
    "char x; short v; char name[7]",
)


def _sort(random: Random, at: int) -> Snippet:
    count, order = random.choice((3, 6, 12, 30, 64, 150)), random.choice(ORDERS)
    fields = random.choice(ELEMENTS)
    values = _values(random, count, order)
    data = f"struct e{at} {{ {fields}; }} list{at}[{count}];\n"
    data += array("short", f"v{at}", values)
    data += f"""\
static int by{at}(const void *a, const void *b) {{
    int x = ((const struct e{at} *)a)->v, y = ((const struct e{at} *)b)->v;
    return (x > y) - (x < y);
}}
"""
    rounds = max(1, 200 // count)
    body = f"""\
    for (int again = 0; again < {rounds}; again++) {{
        for (int i = 0; i < {count}; i++)
            list{at}[i].v = v{at}[i];
        qsort(list{at}, {count}, sizeof *list{at}, by{at});
    }}"""
    return Snippet(f"{count} of {{{fields}}}, {order}", body, data)


def _sought(random: Random, at: int) -> Snippet:
    count = random.choice((2, 5, 20, 64, 300))
    values = sorted(random.randrange(-30000, 30000) for _ in range(count))
    wanted = [
        random.choice(values) if random.random() < 0.6 else random.randrange(-30000, 30000)
        for _ in range(COUNT)
    ]
    data = array("int", f"v{at}", values) + array("int", f"w{at}", wanted)
    data += f"""\
static int by{at}(const void *a, const void *b) {{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}}
"""
    call = f"seen += bsearch(&w{at}[i], v{at}, {count}, sizeof *v{at}, by{at}) != NULL;"
    return Snippet(f"{count} elements", _looped(call), data)


def _jump(random: Random, at: int) -> Snippet:
    data = "#include <setjmp.h>\n" + f"static jmp_buf back{at};\n"
    data += f"static __attribute__((noinline)) void leap{at}(int n) {{\n"
    data += f"    if (n)\n        longjmp(back{at}, n);\n}}\n"
    body = f"""\
    for (volatile int i = 0; i < 40; i++)
        if (setjmp(back{at}) == 0)
            leap{at}(i & {random.choice((0, 1, 3))});"""
    return Snippet("", body, data)


def _letters(random: Random, at: int) -> Snippet:
    name = random.choice(
        ("isalpha", "isdigit", "isspace", "toupper", "tolower", "isxdigit", "ispunct", "isalnum")
    )
    data = f"char text{at}[] = {quoted(word(random, 60))};\n"
    body = f"""\
    for (int again = 0; again < 4; again++)
        for (const char *at = text{at}; *at; at++)
            seen += {name}((unsigned char)*at) != 0;"""
    return Snippet(name, body, data)


def _copied(random: Random, at: int) -> Snippet:
    size = random.choice((8, 40, 64, 100, 200, 260))
    data = f"struct c{at} {{ char inside[{size}]; int n; }} one{at}[4], other{at}[4];\n"
    body = f"""\
    for (int again = 0; again < 40; again++)
        one{at}[again & 3] = other{at}[(again + 1) & 3];"""
    return Snippet(f"a structure of {size + 4} bytes", body, data)


def subjects() -> Iterator[Subject]:
    longs, wide = {10: 9, 16: 7, 0: 7, 8: 10, 2: 30}, {10: 17, 16: 15, 0: 15, 8: 20, 2: 40}
    for name in ("strtol", "strtoul", "atoi", "atol"):
        yield Subject(name, FAMILY, _integer(name, longs))
    for name in ("strtoll", "strtoull", "atoll"):
        yield Subject(name, FAMILY, _integer(name, wide))
    reals = {"strtod": "strtod($, NULL)", "strtof": "strtof($, NULL)", "atof": "atof($)"}
    for name, call in reals.items():
        yield Subject(name, FAMILY, _real(call))
    for name, kind in (("div", "int"), ("ldiv", "long"), ("lldiv", "long long")):
        yield Subject(name, FAMILY, _divided(name, kind))
    plain = {
        "rand": "seen += rand();",
        "srand": "{ srand(SEED); seen += i; }",
        "rand_r": "{ static unsigned state = SEED; seen += rand_r(&state); }",
        "random": "seen += random();",
    }
    for name, call in plain.items():
        yield Subject(name, FAMILY, _plain(call))
    times = {
        "gmtime": "seen += gmtime(&$)->tm_mday;",
        "localtime": "seen += localtime(&$)->tm_mday;",
        "mktime": "{ struct tm at = *gmtime(&$); at.tm_mday += i; seen += mktime(&at); }",
        "strftime": "seen += strftime(text, sizeof text, FORMAT, gmtime(&$));",
        "asctime": "seen += *asctime(gmtime(&$));",
        "ctime": "seen += *ctime(&$);",
        "difftime": "seen += difftime($, 1000) > 5;",
    }
    for name, call in times.items():
        yield Subject(name, "time", _time(call))
    yield Subject("heap", "heap", _heap)
    yield Subject("qsort", "sorting", _sort)
    yield Subject("bsearch", "sorting", _sought)
    yield Subject("setjmp", FAMILY, _jump)
    yield Subject("ctype", FAMILY, _letters)
    yield Subject("structures", FAMILY, _copied)
