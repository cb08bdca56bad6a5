"""Parameters of calls that leave the program: which values decide how long each takes."""

import re
from collections.abc import Iterable

from cyclescope.sources.syntax import SyntaxNode

MOST = 6
"""Values that a call can record (runtime/counted.h)."""
UNKNOWN_MOST = 4
"""Values of a call that the table does not have."""
TABLE = """
malloc: n0 taken
alloca: n0
calloc: n0*n1 cleared
free: freed
realloc: n1 resized
reallocarray: n1*n2
memcpy: n2 a0 a1
memmove: n2 a0 a1 upward
memset: n2 a0
memchr: n2 found<n2 a0
memcmp: n2 common<n2 a0 a1
strncmp: n2 prefix<n2 a0 a1
strncasecmp: n2 folded<n2
strlen: r a0
strspn strcspn: r sought
strnlen scanf: r
strftime: spelled numerals years names weeks days
gmtime localtime gmtime_r localtime_r: year
mktime: reckoned
ctime: moment
strcpy stpcpy: s1 a0 a1
strdup: s0 a0 doubled
strcat: s0 s1 a0 a1
strncpy: s1<n2 n2 a0 a1
strncat: s0 s1<n2 a0 a1
strcmp: common a0 a1
strcoll: common a0 a1
strcasecmp: folded
strchr index: found a0
strrchr rindex: s0 occurrences a0
strstr: found s1 placed steps alike read
strpbrk: found chosen
atoi atol atoll: numeral
strtol strtoul strtoll strtoull: numeral<n2 n2 base blanks
div ldiv lldiv: ratio
atof strtod strtof: whole places power
strtok strtok_r: token skipped looked
exp sin cos tan asin acos atan tanh expf sinf cosf tanf atanf tanhf: m0
asinf acosf sinh cosh sinhf coshf: m0
pow powf: raised
atan2 atan2f: slope
log log10 log2 logf log10f log2f: near
floor ceil round trunc rint lrint lround nearbyint llrint llround modf: fraction
floorf ceilf roundf truncf rintf lrintf lroundf nearbyintf llrintf llroundf modff: fraction
fmod fmodf: exponents
qsort: pieces compared exchanged moved moved_words moved_bytes
bsearch: compared
pread pwrite: n2 r
creat freopen stat lstat: s0
"""
"""Functions of the C library, and the values that decide how long each takes."""
KNOWN = {
    name: tuple(values.split())
    for names, _, values in (line.partition(":") for line in TABLE.strip().splitlines())
    for name in names.split()
}
MODELLED = frozenset(
    (
        *("fopen", "fclose", "fread", "fwrite", "fgetc", "getc", "getchar", "fputc", "putc"),
        *("putchar", "ungetc", "fgets", "fputs", "puts", "fseek", "rewind", "ftell", "feof"),
        *("fflush", "setvbuf", "printf", "fprintf", "vprintf", "vfprintf", "sprintf", "snprintf"),
        *("vsprintf", "vsnprintf", "sscanf", "fscanf", "open", "close", "read", "write", "lseek"),
        *("fsync", "unlink", "remove", "rename", "mkdir"),
    )
)
"""Calls that go through the model of a board's streams and files beside (runtime/board/)."""
EVENTS = ("event", "x")
"""These record events of the model, `times` of them, whatever call they belong to."""
SAME = {"getc": "fgetc"}
"""Functions that are one in the library."""
PLAIN = frozenset(
    (
        *("isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower"),
        *("isprint", "ispunct", "isspace", "isupper", "isxdigit", "tolower", "toupper"),
        *("isascii", "toascii", "abs", "labs", "llabs", "rand", "srand", "rand_r"),
        *(
            "random",
            "srandom",
            "asctime",
            "asctime_r",
            "difftime",
            "exit",
            "abort",
            "atexit",
            "ferror",
        ),
        *("clearerr", "fileno", "time", "clock"),
        *("setjmp", "_setjmp", "__sigsetjmp", "longjmp", "siglongjmp", "__errno_location"),
        *("__assert_fail", "perror", "hypot", "fmax", "fmin", "fdim", "copysign"),
        *("hypotf", "fmaxf", "fminf", "fdimf", "copysignf"),
        *("cbrtf", "exp2f", "expm1f", "fabsf"),
        *("log1pf", "logbf", "asinhf", "acoshf", "atanhf", "remainder", "remainderf"),
        *("sqrtf", "acosh", "asinh", "atanh", "cbrt"),
        *("erf", "erfc", "exp2", "expm1", "fabs", "lgamma"),
        *("log1p", "logb", "sqrt", "tgamma"),
    )
)
"""Calls without a parameter that decides; so are all whose arguments are not integers."""
INTEGERS = frozenset(
    (
        *("BOOL", "CHAR_U", "CHAR_S", "UCHAR", "SCHAR", "USHORT", "SHORT", "UINT", "INT"),
        *("ULONG", "LONG", "ULONGLONG", "LONGLONG", "ENUM"),
    )
)


SORTED = ("pieces", "compared", "exchanged", "moved", "moved_words", "moved_bytes")
"""Parts of a sort (runtime/sort.h)."""
POINTERS = {
    "freed": "s0 ",
    "sought": "s0 s1 ",
    "placed": "s1 ",
    **dict.fromkeys(("steps", "alike", "read", "chosen"), "s0 s1 "),
    "resized": "s0 n1 ",
    "doubled": "s0 ",
    "exponents": "m0 m1 ",
    "raised": "m1 ",
    "slope": "m0 m1 ",
    "near": "m0 ",
    "fraction": "m0 ",
    "taken": "n0 ",
    "cleared": "n0 n1 ",
    **dict.fromkeys(("common", "prefix", "folded"), "s0 s1 "),
    "found": "s0 ",
    "numeral": "s0 ",
    "base": "s0 n2 ",
    "blanks": "s0 ",
    "occurrences": "s0 n1 ",
    "ratio": "n0 n1 ",
    "reckoned": "s0 ",
    "moment": "s0 ",
    **dict.fromkeys(("spelled", "numerals", "years", "names", "weeks", "days"), "s2 "),
    "whole": "s0 ",
    "places": "s0 ",
    "power": "s0 ",
    "token": "s0 ",
    "skipped": "s0 ",
    "looked": "s1 ",
    "line": "s0 ",
    "upward": "s0 s1 n2 ",
}
"""Strings that a value needs."""
TERMS = {
    "taken": "cyclescope_taken((unsigned long)cyclescope_n0,(const void*)cyclescope_r)",
    "cleared": "cyclescope_taken((unsigned long)(cyclescope_n0*cyclescope_n1),cyclescope_r)",
    "doubled": "cyclescope_taken((unsigned long)cyclescope_length(cyclescope_s0,-1)+1,"
    "cyclescope_r)",
    "freed": "cyclescope_freed(cyclescope_s0)",
    "resized": "cyclescope_resized(cyclescope_s0,(unsigned long)cyclescope_n1,cyclescope_r)",
    "r": "(long long)cyclescope_r",
    "common": "cyclescope_common(cyclescope_s0,cyclescope_s1,{})",
    "prefix": "cyclescope_prefix(cyclescope_s0,cyclescope_s1,{},0)",
    "folded": "cyclescope_prefix(cyclescope_s0,cyclescope_s1,{},1)",
    "found": "cyclescope_searched(cyclescope_s0,(const void*)cyclescope_r,{})",
    "sought": "cyclescope_sought(cyclescope_s0,cyclescope_s1,(long)cyclescope_r)",
    "placed": "cyclescope_placed((const void*)cyclescope_r,cyclescope_s1)",
    "steps": "cyclescope_stepped(cyclescope_s0,cyclescope_s1,0)",
    "alike": "cyclescope_stepped(cyclescope_s0,cyclescope_s1,1)",
    "read": "cyclescope_stepped(cyclescope_s0,cyclescope_s1,2)",
    "chosen": "cyclescope_sought(cyclescope_s0,cyclescope_s1,"
    "(long)cyclescope_searched(cyclescope_s0,(const void*)cyclescope_r,-1))",
    "numeral": "cyclescope_numeral(cyclescope_s0,{})",
    "base": "cyclescope_base(cyclescope_s0,cyclescope_n2)",
    "blanks": "cyclescope_blanks(cyclescope_s0)",
    "occurrences": "cyclescope_occurrences(cyclescope_s0,cyclescope_n1)",
    "ratio": "cyclescope_ratio(cyclescope_n0,cyclescope_n1)",
    "year": "cyclescope_year(cyclescope_r)",
    "reckoned": "cyclescope_year(cyclescope_s0)",
    "moment": "cyclescope_moment(cyclescope_s0)",
    **{
        name: f"cyclescope_time_format(cyclescope_s2,{part})"
        for part, name in enumerate(("spelled", "numerals", "years", "names", "weeks", "days"))
    },
    **{name: f"cyclescope_sorted({part})" for part, name in enumerate(SORTED)},
    "whole": "cyclescope_real(cyclescope_s0,0)",
    "places": "cyclescope_real(cyclescope_s0,1)",
    "power": "cyclescope_real(cyclescope_s0,2)",
    "raised": "cyclescope_power(cyclescope_m1)",
    "slope": "cyclescope_magnitude(__builtin_fabs(cyclescope_m0/cyclescope_m1))",
    "near": "cyclescope_near_one(cyclescope_m0)",
    "fraction": "cyclescope_fraction(cyclescope_m0)",
    "exponents": "cyclescope_exponents(cyclescope_m0,cyclescope_m1)",
    "token": "(cyclescope_r?cyclescope_length(cyclescope_r,-1):-1)",
    "skipped": "cyclescope_skipped(cyclescope_s0,cyclescope_r)",
    "looked": "cyclescope_looked(cyclescope_s1,cyclescope_r)",
    "line": "(cyclescope_r?cyclescope_length(cyclescope_s0,-1):0)",
    "upward": "((unsigned long)cyclescope_s0-(unsigned long)cyclescope_s1-1"
    "<(unsigned long)cyclescope_n2-1)",
}


def parameters(name: str, call: SyntaxNode) -> tuple[str, ...]:
    """Names of the values that a call of this function records (docs/reference/sources.md)."""
    name = name.removeprefix("__builtin_")
    if name in MODELLED:
        return EVENTS
    if name in KNOWN:
        return KNOWN[name]
    if name in PLAIN:
        return ()
    arguments = call.children[1:]
    given = [f"n{at}" for at, one in enumerate(arguments) if one.type.kind.name in INTEGERS]
    result = ["r"] if call.type.kind.name in INTEGERS else []
    return (*given[: UNKNOWN_MOST - len(result)], *result)


def modelled(name: str, slot: str, has_arguments: bool) -> str:
    """The text in the place of a modelled function and of the parenthesis behind its name."""
    name = name.removeprefix("__builtin_")
    return f"cyclescope_{SAME.get(name, name)}({slot}{',' if has_arguments else ''}"


def recording(
    values: tuple[str, ...], call: SyntaxNode, slot: str
) -> tuple[str, str, dict[int, str]]:
    """Texts in front of and behind a call that records these values, and in front of arguments."""
    numbers, strings, reals = _used(values)
    declared = "".join(f"long long cyclescope_n{at};" for at in numbers)
    declared += "".join(f"double cyclescope_m{at};" for at in reals)
    declared += "".join(f"const void *cyclescope_s{at};" for at in strings)
    terms = [_term(value) for value in values]
    terms += ["0"] * (MOST - len(terms))
    told = f"cyclescope_called({slot},{','.join(terms)});"
    captured = {at: f"cyclescope_n{at}" for at in numbers}
    captured |= {at: f"cyclescope_s{at}" for at in strings}
    captured |= {at: f"cyclescope_m{at}" for at in reals}
    if call.type.kind.name == "VOID":
        return f"({{{declared}", f";{told}}})", captured
    opening = f"({{{declared}__auto_type cyclescope_r="
    return opening, f";{told}cyclescope_r;}})", captured


def recorded(values: tuple[str, ...], function: int, slot: str) -> str:
    """Text behind a call with the arguments `a0` …, which records the function and these values."""
    numbers, strings, reals = _used(values)
    declared = "".join(f"long long cyclescope_n{at}=(long long)a{at};" for at in numbers)
    declared += "".join(f"double cyclescope_m{at}=a{at};" for at in reals)
    declared += "".join(f"const void *cyclescope_s{at}=a{at};" for at in strings)
    terms = [f"{function}LL", *(_term(value) for value in values)]
    terms += ["0"] * (MOST - len(terms))
    return f"{declared}cyclescope_called({slot},{','.join(terms)});"


def _used(values: Iterable[str]) -> tuple[list[int], list[int], list[int]]:
    """The arguments that values need: integers, pointers, floating-point numbers."""
    text = " ".join(
        re.sub(r"^a(\d)$", r"s\1", POINTERS.get(one.partition("<")[0], "") + one) for one in values
    )
    numbers, strings, reals = (
        sorted({int(at) for at in re.findall(rf"(?<![a-z]){kind}(\d)", text)}) for kind in "nsm"
    )
    return numbers, strings, reals


def _term(value: str) -> str:
    name, _, limit = value.partition("<")
    most = f"cyclescope_{limit}" if limit else "-1"
    if name in TERMS:
        return TERMS[name].format(most)
    name = re.sub(r"\bm(\d)", r"cyclescope_magnitude(cyclescope_m\1)", name)
    name = re.sub(r"\ba(\d)", r"((long)cyclescope_s\1&3)", name)
    name = re.sub(r"\bs(\d)", rf"cyclescope_length(cyclescope_s\1,{most})", name)
    return re.sub(r"\bn(\d)", r"cyclescope_n\1", name)
