"""Classes of functions, by rules that users edit. `classes.toml` has the format and defaults."""

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Any

from cyclescope.errors import CyclescopeError
from cyclescope.input_files import read_there
from cyclescope.studies.run.instruments.symbols import C_LIBRARY, Named

DEFAULT = Path(__file__).with_name("classes.toml")
OTHER = "other"
NO_RULE, NO_SYMBOL = "no rule", "no symbol"
"""Sub-classes of OTHER: a function that no rule matches, and code without a name."""
LISTS = ("images", "files", "functions")


@dataclass(frozen=True)
class ClassRule:
    """Functions of which each list of patterns that is given matches belong to the sub-class."""

    name: tuple[str, str]
    images: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()

    def matches(self, one: Named) -> bool:
        """Whether the function belongs here."""
        return (
            _matches(self.images, lambda pattern: fnmatchcase(one.image, pattern))
            and _matches(self.functions, lambda pattern: fnmatchcase(one.name, pattern))
            and _matches(self.files, PurePath(one.file or "(none)").match)
        )


def _matches(patterns: Sequence[str], is_like: Any) -> bool:
    wanted = [pattern for pattern in patterns if not pattern.startswith("!")]
    barred = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    return (not wanted or any(map(is_like, wanted))) and not any(map(is_like, barred))


class Classes:
    """The classes of a file of rules, in its order, with OTHER behind them."""

    def __init__(
        self,
        idle: Mapping[str, bool],
        rules: Sequence[ClassRule],
        libraries: ClassRule,
        optional: Collection[str] = (),
    ) -> None:
        self.names = [*idle, OTHER]
        self._idle = {name for name, is_idle in idle.items() if is_idle}
        self._rules = rules
        self._libraries = libraries
        self._optional = frozenset(optional)
        self._found = lru_cache(maxsize=None)(self._find)

    def of(self, one: Named | None) -> tuple[str, str]:
        """The class and the sub-class of a function; of None: those of code without a name."""
        return self._found(one) if one else (OTHER, NO_SYMBOL)

    def is_idle(self, name: str) -> bool:
        """Whether instructions of the class do no work."""
        return name in self._idle

    def is_optional(self, name: str) -> bool:
        """Whether tables leave the class out where none of its functions ran."""
        return name in self._optional

    def is_library(self, one: Named) -> bool:
        """Whether a function is charged to its caller."""
        named, filed = (
            ClassRule(("", ""), functions=self._libraries.functions),
            self._libraries.files,
        )
        return (
            one.library
            or C_LIBRARY.fullmatch(one.name) is not None
            or (bool(named.functions) and named.matches(one))
            or (bool(filed) and ClassRule(("", ""), files=filed).matches(one))
        )

    def ranges(
        self, functions: Sequence[Named], charge_callers: bool
    ) -> list[tuple[int, int, bool]]:
        """First address, the first behind, and whether it is a library: of each function."""
        return [(one.start, one.end, charge_callers and self.is_library(one)) for one in functions]

    def _find(self, one: Named) -> tuple[str, str]:
        found = (rule.name for rule in self._rules if rule.matches(one))
        return next(found, (OTHER, NO_RULE))


def read_classes(path: Path | None = None) -> Classes:
    """The rules of a file, or the defaults; raises CyclescopeError with what is wrong in it."""
    file = path or DEFAULT
    try:
        document = tomllib.loads(read_there(file).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CyclescopeError(
            f"{file} is not TOML ({error}): write it like {DEFAULT.name} of the study",
            code="class-rules-not-toml",
        ) from None
    _only(file, "the file", document, ("class", "rule", "libraries"))
    classes = _tables(file, document, "class")
    idle, optional = {}, set()
    for table in classes:
        _only(file, "a class", table, ("name", "idle", "optional"))
        name = _text(file, "a class", table, "name")
        if name == OTHER or name in idle:
            raise _wrong(file, f"the class {name!r} is there twice or always")
        idle[name] = table.get("idle", False) is True
        if table.get("optional", False) is True:
            optional.add(name)
    rules = [_rule(file, number, table, idle) for number, table in _numbered(file, document)]
    libraries = document.get("libraries", {})
    if not isinstance(libraries, dict):
        raise _wrong(file, "libraries is no table")
    _only(file, "libraries", libraries, LISTS[1:])
    if not classes:
        raise _wrong(file, "it has no class")
    libraries_rule = ClassRule(("", ""), **_patterns(file, "libraries", libraries))
    return Classes(idle, rules, libraries_rule, optional)


def _numbered(file: Path, document: Mapping[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    return list(enumerate(_tables(file, document, "rule"), 1))


def _rule(file: Path, number: int, table: dict[str, Any], classes: Mapping[str, bool]) -> ClassRule:
    which = f"rule {number}"
    _only(file, which, table, ("class", "subclass", *LISTS))
    name = _text(file, which, table, "class")
    if name not in classes:
        known = ", ".join(classes) or "none"
        raise _wrong(file, f"{which} is of the class {name!r}, which it does not declare ({known})")
    patterns = _patterns(file, which, table)
    if not patterns:
        raise _wrong(file, f"{which} has no pattern: give it images, files or functions")
    return ClassRule((name, _text(file, which, table, "subclass")), **patterns)


def _tables(file: Path, document: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    tables = document.get(key, [])
    if not isinstance(tables, list) or not all(isinstance(one, dict) for one in tables):
        raise _wrong(file, f"{key} is no list of tables: write [[{key}]]")
    return tables


def _patterns(file: Path, which: str, table: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    found = {}
    for key in LISTS:
        if key in table:
            patterns = table[key]
            is_list = isinstance(patterns, list) and patterns
            if not is_list or not all(isinstance(one, str) and one.strip("!") for one in patterns):
                raise _wrong(file, f"{key} of {which} is no list of patterns such as ['n_tty.c']")
            found[key] = tuple(patterns)
    return found


def _text(file: Path, which: str, table: Mapping[str, Any], key: str) -> str:
    text = table.get(key)
    if not isinstance(text, str) or not text:
        raise _wrong(file, f"{which} has no {key}")
    return text


def _only(file: Path, which: str, table: Mapping[str, Any], keys: Sequence[str]) -> None:
    unknown = next((key for key in table if key not in keys), None)
    if unknown is not None:
        raise _wrong(file, f"{which} has a key {unknown!r}: it may have {', '.join(keys)}")


def _wrong(file: Path, what: str) -> CyclescopeError:
    return CyclescopeError(
        f"{file}: {what}; {DEFAULT.name} of the study shows the format",
        code="class-rules-not-understood",
    )
