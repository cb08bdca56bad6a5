"""Blocks of memory and strings, of many lengths and alignments."""

from collections.abc import Iterator
from random import Random

from snippets import Drawer, Pool, Snippet, Subject, array, length, quoted, word

FAMILY = "blocks and strings"
COUNT, ROUNDS = 16, 4
LOOP = "    for (int again = 0; again < %d; again++)\n        for (int i = 0; i < %d; i++)\n"


def looped(call: str) -> str:
    return LOOP % (ROUNDS, COUNT) + f"            {call}"


def sizes(random: Random) -> list[int]:
    most = random.choice((8, 20, 100, 600))
    return [random.randrange(most + 1) for _ in range(COUNT)]


def places(random: Random, most: int, unaligned: bool) -> list[int]:
    step = 1 if unaligned else 4
    return [random.randrange(most) // step * step for _ in range(COUNT)]


def _block(call: str) -> Drawer:
    """A call with `to + a[i]`, `from + b[i]` and `n[i]`."""

    def draw(random: Random, at: int) -> Snippet:
        unaligned = random.random() < 0.6
        data = "".join(
            (
                f"char to{at}[1400] __attribute__((aligned(8)));\n",
                f"char from{at}[1400] __attribute__((aligned(8)));\n",
                array("short", f"a{at}", places(random, 700, unaligned)),
                array("short", f"b{at}", places(random, 700, unaligned)),
                array("short", f"n{at}", sized := sizes(random)),
            )
        )
        body = looped(call.replace("@", str(at)))
        what = f"{'any place' if unaligned else 'words'}, up to {max(sized)} bytes"
        return Snippet(what, body, data)

    return draw


def _move(random: Random, at: int) -> Snippet:
    apart = random.choice((1, 3, 4, 8, 40))
    up = random.random() < 0.5
    starts = [random.randrange(300) for _ in range(COUNT)]
    ends = [one + (apart if up else -apart) + 50 for one in starts]
    data = "".join(
        (
            f"char to{at}[1400] __attribute__((aligned(8)));\n",
            array("short", f"a{at}", ends),
            array("short", f"b{at}", [one + 50 for one in starts]),
            array("short", f"n{at}", sizes(random)),
        )
    )
    body = looped(f"memmove(to{at} + a{at}[i], to{at} + b{at}[i], (size_t)n{at}[i]);")
    return Snippet(f"{'up' if up else 'down'} by {apart}", body, data)


def _compare(random: Random, at: int) -> Snippet:
    """Blocks that are equal up to some place."""
    pool, first, second, sized = Pool(random), [], [], []
    aligned = random.random() < 0.4
    for _ in range(COUNT):
        text = word(random)
        other = bytearray(text.encode())
        if other and random.random() < 0.6:
            other[random.randrange(len(other))] ^= 1
        first.append(pool.put(text, aligned))
        second.append(pool.put(bytes(other), aligned))
        sized.append(len(text))
    data = pool.declared(f"pool{at}") + "".join(
        array("short", f"{name}{at}", values)
        for name, values in (("a", first), ("b", second), ("n", sized))
    )
    call = f"seen += memcmp(pool{at} + a{at}[i], pool{at} + b{at}[i], (size_t)n{at}[i]) > 0;"
    return Snippet(f"{'words' if aligned else 'any place'}", looped(call), data)


def _search(random: Random, at: int) -> Snippet:
    pool, first, sized = Pool(random), [], []
    for _ in range(COUNT):
        text = word(random)
        first.append(pool.put(text))
        sized.append(len(text))
    letter = random.choice("abzZ0")
    data = pool.declared(f"pool{at}") + array("short", f"a{at}", first)
    data += array("short", f"n{at}", sized)
    call = f"seen += memchr(pool{at} + a{at}[i], '{letter}', (size_t)n{at}[i]) != NULL;"
    return Snippet(f"for {letter}", looped(call), data)


def _one(call: str) -> Drawer:
    """A call of one string `s`."""

    def draw(random: Random, at: int) -> Snippet:
        pool = Pool(random)
        aligned = random.random() < 0.3
        starts = [pool.put(word(random), aligned) for _ in range(COUNT)]
        data = pool.declared(f"pool{at}") + array("short", f"a{at}", starts)
        letter = random.choice("aeX0 q")
        text = call.replace("$", f"(pool{at} + a{at}[i])").replace("LETTER", f"'{letter}'")
        return Snippet(f"{'words' if aligned else 'any place'}", looped(text), data)

    return draw


def _two(call: str, related: float = 0.7) -> Drawer:
    """A call of two strings `s` and `t`, which have often the same beginning."""

    def draw(random: Random, at: int) -> Snippet:
        pool, first, second = Pool(random), [], []
        aligned = random.random() < 0.3
        for _ in range(COUNT):
            text, other = word(random), word(random)
            if random.random() < related:
                other = text[: random.randrange(len(text) + 1)] + random.choice(("", other))
            if random.random() < 0.3:
                other = text
            first.append(pool.put(text, aligned))
            second.append(pool.put(other, aligned))
        data = pool.declared(f"pool{at}") + array("short", f"a{at}", first)
        data += array("short", f"b{at}", second)
        data += array("short", f"n{at}", [random.choice((3, 8, 30, 80)) for _ in range(COUNT)])
        text = call.replace("$1", f"(pool{at} + a{at}[i])").replace("$2", f"(pool{at} + b{at}[i])")
        text = text.replace("@", str(at))
        data += f"char to{at}[700] __attribute__((aligned(8)));\n"
        return Snippet(f"{'words' if aligned else 'any place'}", looped(text), data)

    return draw


def _set(call: str) -> Drawer:
    """A search for letters of a set."""

    def draw(random: Random, at: int) -> Snippet:
        pool = Pool(random)
        chosen = random.choice(("abcdef", "0123456789", " ,;", "x", "abcdefghijklmnopqrstuvwxyz"))
        starts = []
        for _ in range(COUNT):
            inside = word(random, letters=chosen)
            outside = word(random, letters="ABC_!")
            starts.append(pool.put(outside + inside if "strspn" not in call else inside + outside))
        data = pool.declared(f"pool{at}") + array("short", f"a{at}", starts)
        text = call.replace("$", f"(pool{at} + a{at}[i])").replace("SET", quoted(chosen))
        return Snippet(f"set of {len(chosen)}", looped(text), data)

    return draw


def _needle(random: Random, at: int) -> Snippet:
    pool, first, second = Pool(random), [], []
    size = random.choice((1, 2, 3, 4, 5, 8, 12))
    for _ in range(COUNT):
        needle = word(random, size, "abcdefgh")
        text = word(random, length(random) * 2, "abcdefgh ")
        if random.random() < 0.5:
            text += needle + word(random)
        first.append(pool.put(text))
        second.append(pool.put(needle))
    data = pool.declared(f"pool{at}") + array("short", f"a{at}", first)
    data += array("short", f"b{at}", second)
    call = f"seen += strstr(pool{at} + a{at}[i], pool{at} + b{at}[i]) != NULL;"
    return Snippet(f"{size} letters", looped(call), data)


def _tokens(call: str) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        delimiters = random.choice((" ", ",", " ,", " \t\n", ",;: \t"))
        texts = []
        for _ in range(8):
            words = [word(random, random.randrange(1, 14), "abcdefg") for _ in range(10)]
            joined = "".join(
                one + "".join(random.choice(delimiters) for _ in range(random.choice((1, 1, 2, 4))))
                for one in words
            )
            texts.append(quoted(joined))
        data = f"const char *texts{at}[] = {{\n" + ",\n".join(texts) + "};\n"
        data += f"char line{at}[400];\n"
        opening = f"    char *rest{at} = NULL; (void)rest{at};\n" if "_r" in call else ""
        first = call.replace("@", f"line{at}").replace("SET", quoted(delimiters))
        first = first.replace("REST", f", &rest{at}")
        again = call.replace("@", "NULL").replace("SET", quoted(delimiters))
        again = again.replace("REST", f", &rest{at}")
        body = (
            f"{opening}    for (int i = 0; i < 8; i++) {{\n"
            f"        strcpy(line{at}, texts{at}[i]);\n"
            f"        for (char *at = {first}; at; at = {again})\n            seen += *at;\n    }}"
        )
        return Snippet(f"{len(delimiters)} delimiters", body, data)

    return draw


def subjects() -> Iterator[Subject]:
    rows = {
        "memcpy": _block("memcpy(to@ + a@[i], from@ + b@[i], (size_t)n@[i]);"),
        "memset": _block("memset(to@ + a@[i], i, (size_t)n@[i]);"),
        "memmove": _move,
        "memcmp": _compare,
        "memchr": _search,
        "strlen": _one("seen += strlen($);"),
        "strnlen": _one("seen += strnlen($, 30);"),
        "strchr": _one("seen += strchr($, LETTER) != NULL;"),
        "strrchr": _one("seen += strrchr($, LETTER) != NULL;"),
        "strdup": _one("{ char *made = strdup($); seen += *made; free(made); }"),
        "strcpy": _two("strcpy(to@ + (a@[i] & 3), $2);"),
        "stpcpy": _two("seen += (unsigned)(stpcpy(to@ + (a@[i] & 3), $2) - to@);"),
        "strncpy": _two("strncpy(to@ + (a@[i] & 3), $2, (size_t)n@[i]);"),
        "strcat": _two("{ to@[a@[i] & 31] = 0; strcat(to@ + (b@[i] & 3), $2); }"),
        "strncat": _two("{ to@[a@[i] & 31] = 0; strncat(to@ + (b@[i] & 3), $2, (size_t)n@[i]); }"),
        "strcmp": _two("seen += strcmp($1, $2) > 0;"),
        "strncmp": _two("seen += strncmp($1, $2, (size_t)n@[i]) > 0;"),
        "strcasecmp": _two("seen += strcasecmp($1, $2) > 0;"),
        "strncasecmp": _two("seen += strncasecmp($1, $2, (size_t)n@[i]) > 0;"),
        "strcoll": _two("seen += strcoll($1, $2) > 0;"),
        "strspn": _set("seen += strspn($, SET);"),
        "strcspn": _set("seen += strcspn($, SET);"),
        "strpbrk": _set("seen += strpbrk($, SET) != NULL;"),
        "strstr": _needle,
        "strtok": _tokens("strtok(@, SET)"),
        "strtok_r": _tokens("strtok_r(@, SETREST)"),
    }
    for name, draw in rows.items():
        yield Subject(name, FAMILY, draw)
