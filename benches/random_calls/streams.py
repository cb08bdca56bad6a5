"""Streams and files: read, written, sought in, appended to and updated, in random sizes."""

from collections.abc import Iterator
from random import Random

from snippets import Drawer, Snippet, Subject, array, quoted, word

FAMILY = "streams"
FILES = {"short": 300, "middle": 3000, "long": 14000}
"""Files that each program finds, of so many bytes of text in lines."""


def files() -> dict[str, bytes]:
    """The content of the files."""
    random, found = Random(1), {}
    for name, size in FILES.items():
        text = ""
        while len(text) < size:
            text += word(random, random.randrange(4, 70), "abcdefgh ijklmnop 0123456789") + "\n"
        found[name] = text[:size].encode()
    return found


def _buffering(random: Random) -> str:
    return random.choice(
        (
            *("", "", ""),
            "    setvbuf(file, NULL, _IOFBF, 256);\n",
            "    setvbuf(file, NULL, _IOFBF, 4096);\n",
            "    setvbuf(file, NULL, _IONBF, 0);\n",
        )
    )


def _reading(body: str) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        buffering = _buffering(random)
        names = ("short", "middle") if "NBF" in buffering else ("short", "middle", "long")
        name = random.choice(names)
        size = FILES[name]
        values = {
            "SIZE": str(random.choice((1, 2, 4, 10, 16, 40, 100, 256, 512, 1000, 1500))),
            "MOST": str(random.choice((20, 80, 128, 256))),
            "PLACES": str(min(40, size // 20)),
            "BYTES": str(random.choice((1, 4, 24))),
        }
        data = array("short", f"p{at}", [random.randrange(size - 40) for _ in range(40)])
        text = body.replace("@", str(at))
        for key, value in values.items():
            text = text.replace(key, value)
        opening = f'    char block[1600]; (void)block;\n    FILE *file = fopen("{name}", "rb");\n'
        what = f"{name} {text.strip()[:40]} {buffering.strip()[20:-2]}"
        return Snippet(what, opening + buffering + text + "\n    fclose(file);", data)

    return draw


def _writing(body: str) -> Drawer:
    def draw(random: Random, at: int) -> Snippet:
        buffering = _buffering(random)
        count = random.choice((5, 30, 120)) if "NBF" in buffering else random.choice((10, 100, 400))
        size = random.choice((1, 4, 10, 40, 100, 300, 700, 1100))
        size = min(size, 12000 // count)
        data = array("const char *", f"t{at}", [quoted(word(random) + "\n") for _ in range(8)])
        text = body.replace("@", str(at)).replace("COUNT", str(count)).replace("SIZE", str(size))
        mode = random.choice(("w", "wb", "w+", "a"))
        opening = "    static char block[1600];\n    (void)block;\n"
        opening += f'    FILE *file = fopen("made{at}", "{mode}");\n'
        what = f"{count} of {size}, {mode} {buffering.strip()[20:-2]}"
        return Snippet(what, opening + buffering + text + "\n    fclose(file);", data)

    return draw


def _updated(random: Random, at: int) -> Snippet:
    """Records of a file are read, changed and written back."""
    size, count = random.choice((8, 20, 64)), random.choice((10, 40))
    order = [random.randrange(count) for _ in range(30)]
    data = array("short", f"p{at}", order)
    body = f"""\
    char block[{size}];
    FILE *file = fopen("records{at}", "w+b");
    for (int i = 0; i < {count}; i++) {{
        memset(block, i, sizeof block);
        fwrite(block, sizeof block, 1, file);
    }}
    for (int i = 0; i < 30; i++) {{
        fseek(file, p{at}[i] * (long)sizeof block, SEEK_SET);
        fread(block, sizeof block, 1, file);
        block[0]++;
        fseek(file, -(long)sizeof block, SEEK_CUR);
        fwrite(block, sizeof block, 1, file);
    }}
    fclose(file);"""
    return Snippet(f"{count} records of {size}", body, data)


def _appended(random: Random, at: int) -> Snippet:
    times, size = random.choice((3, 8)), random.choice((10, 100, 600))
    body = f"""\
    static char block[{size}];
    for (int i = 0; i < {times}; i++) {{
        FILE *file = fopen("log{at}", "a");
        fwrite(block, 1, sizeof block, file);
        fprintf(file, "%d entries\\n", i);
        fclose(file);
    }}"""
    return Snippet(f"{times} times {size}", body, "")


def _copied(random: Random, at: int) -> Snippet:
    """From one file to another, by bytes, blocks or lines."""
    name = random.choice(("short", "middle", "long"))
    size = random.choice((16, 64, 200, 512, 1024))
    how = random.choice(
        (
            "for (int byte; (byte = getc(from)) != EOF;)\n        putc(byte, file);",
            f"for (size_t got; (got = fread(block, 1, {size}, from)) > 0;)\n"
            "        fwrite(block, 1, got, file);",
            f"while (fgets(block, {size}, from))\n        fputs(block, file);",
        )
    )
    body = f"""\
    static char block[1100];
    (void)block;
    FILE *from = fopen("{name}", "r"), *file = fopen("copy{at}", "w");
    {how}
    fclose(from);
    fclose(file);"""
    return Snippet(f"{name}: {how[:30]}", body, "")


def _paths(random: Random, at: int) -> Snippet:
    count = random.choice((1, 4, 9))
    body = f"""\
    char name[20], other[20];
    for (int i = 0; i < {count}; i++) {{
        sprintf(name, "f{at}_%d", i);
        FILE *file = fopen(name, "w");
        fputs("content", file);
        fclose(file);
    }}
    for (int i = 0; i < {count}; i++) {{
        sprintf(name, "f{at}_%d", i);
        sprintf(other, "g{at}_%d", i);
        rename(name, other);
        seen += fopen(name, "r") != NULL;
        remove(other);
    }}"""
    return Snippet(f"{count} files", body, "")


def _descriptors(random: Random, at: int) -> Snippet:
    name, size = random.choice(("short", "middle", "long")), random.choice((1, 16, 64, 200, 512))
    size = max(size, FILES[name] // 200)
    body = f"""\
    static char block[600];
    int from = open("{name}", O_RDONLY), to = open("to{at}", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    for (long got; (got = read(from, block, {size})) > 0;)
        write(to, block, (size_t)got);
    lseek(from, {random.randrange(200)}, SEEK_SET);
    read(from, block, {size});
    close(from);
    close(to);"""
    return Snippet(f"{name} by {size}", body, "")


def _console(random: Random, at: int) -> Snippet:
    texts = array("const char *", f"t{at}", [quoted(word(random)) for _ in range(8)])
    call = random.choice(
        (
            f"puts(t{at}[i]);",
            f"fputs(t{at}[i], stdout);",
            f"for (const char *one = t{at}[i]; *one; one++) putchar(*one);",
            f'printf("%s: %d\\n", t{at}[i], i);',
            f'printf("%-10s|%5d\\n", t{at}[i], i * 77);',
            'fprintf(stderr, "%d\\n", i);',
        )
    )
    return Snippet(call[:40], f"    for (int i = 0; i < 8; i++)\n        {call}", texts)


def subjects() -> Iterator[Subject]:
    reading = {
        "fgetc": "    for (int byte; (byte = fgetc(file)) != EOF;)\n        seen += byte;",
        "getc": "    for (int byte; (byte = getc(file)) != EOF;)\n        seen += byte;",
        "fgets": "    while (fgets(block, MOST, file))\n        seen += block[0];",
        "fread": "    for (size_t got; (got = fread(block, 1, SIZE, file)) > 0;)\n"
        "        seen += got;",
        "fread elements": "    for (size_t got; (got = fread(block, BYTES, 8, file)) > 0;)\n"
        "        seen += got;",
        "ungetc": "    for (int byte; (byte = getc(file)) != EOF;)\n        if (byte == ' ')\n"
        "            ungetc('_', file);\n        else if (byte == 'a')\n"
        "            ungetc(byte, file), seen += getc(file);",
        "feof": "    while (!feof(file))\n        seen += getc(file);",
        "fseek": "    for (int i = 0; i < PLACES; i++) {\n"
        "        fseek(file, p@[i], SEEK_SET);\n"
        "        seen += getc(file);\n    }",
        "fseek read": "    for (int i = 0; i < PLACES; i++) {\n"
        "        fseek(file, p@[i], SEEK_SET);\n"
        "        seen += fread(block, 1, 30, file);\n    }",
        "ftell": "    for (int i = 0; i < 20; i++)\n        seen += getc(file) + ftell(file);",
        "rewind": "    for (int i = 0; i < 10; i++) {\n"
        "        seen += fread(block, 1, SIZE, file);\n"
        "        rewind(file);\n    }",
        "file size": "    fseek(file, 0, SEEK_END);\n    seen += ftell(file);\n"
        "    fseek(file, 0, SEEK_SET);\n    seen += fread(block, 1, 100, file);",
    }
    writing = {
        "fputc": "    for (int i = 0; i < COUNT; i++)\n        fputc('a' + (i & 15), file);",
        "putc": "    for (int i = 0; i < COUNT; i++)\n        putc('a' + (i & 15), file);",
        "fputs": "    for (int i = 0; i < COUNT; i++)\n        fputs(t@[i & 7], file);",
        "fwrite": "    for (int i = 0; i < COUNT; i++)\n        fwrite(block, 1, SIZE, file);",
        "fwrite words": "    for (int i = 0; i < COUNT; i++)\n"
        "        fwrite(&i, sizeof i, 1, file);",
        "fflush": "    for (int i = 0; i < 8; i++) {\n"
        "        fwrite(block, 1, SIZE, file);\n"
        "        fflush(file);\n    }",
    }
    for name, text in reading.items():
        yield Subject(name, FAMILY, _reading(text))
    for name, text in writing.items():
        yield Subject(name, FAMILY, _writing(text))
    rest = {
        "update": _updated,
        "append": _appended,
        "copy": _copied,
        "paths": _paths,
        "descriptors": _descriptors,
        "console": _console,
    }
    for name, draw in rest.items():
        yield Subject(name, FAMILY, draw)
