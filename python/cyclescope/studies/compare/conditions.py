"""Differences of the conditions of two characterizations: a ranking may depend on any."""

from collections.abc import Iterable
from typing import Any

from cyclescope.studies.characterize.findings import Characterization
from cyclescope.studies.compare.findings import ConditionDifference
from cyclescope.target.conditions import DERIVED

ABSENT = "–"
LAST = ("layout_number", "image_sha256")
BUILD_NAME = "-DBUILD_NAME="
DIGITS = 16
"""Of a SHA-256 that are shown."""


def differences(
    first: Characterization, second: Characterization
) -> tuple[ConditionDifference, ...]:
    """Every field that differs, options and settings one by one; the image last."""
    return tuple(_differences(first, second))


def _differences(
    first: Characterization, second: Characterization
) -> Iterable[ConditionDifference]:
    for name in ("tool", "technique"):
        yield from _one(name, getattr(first, name), getattr(second, name))
    one, other = (
        found.conditions.model_dump(mode="json", exclude=set(DERIVED)) for found in (first, second)
    )
    for name in sorted(one.keys() | other.keys(), key=lambda name: _order(name, list(one))):
        a, b = one.get(name), other.get(name)
        if name == "kernel_configuration" and first.conditions.kernel != second.conditions.kernel:
            yield from _of_kernels(a or {}, b or {})
        elif name == "flags":
            yield from _one(name, *_flags(a or [], b or []))
        elif isinstance(a, dict) or isinstance(b, dict):
            yield from _fields(name, a or {}, b or {})
        else:
            yield from _one(name, a, b)
    yield from _one("layouts", _layouts(first), _layouts(second))
    terms = (found.terms.model_dump(mode="json") for found in (first, second))
    yield from _fields("terms", *terms)


def _order(name: str, names: list[str]) -> tuple[bool, int]:
    return name in LAST, names.index(name) if name in names else len(names)


def _one(name: str, a: Any, b: Any) -> Iterable[ConditionDifference]:
    if a != b:
        yield ConditionDifference(name, _text(a), _text(b))


def _fields(name: str, a: dict[str, Any], b: dict[str, Any]) -> Iterable[ConditionDifference]:
    for field in dict.fromkeys([*a, *b]):
        if isinstance(a.get(field), dict) and isinstance(b.get(field), dict):
            yield from _fields(f"{name}.{field}", a[field], b[field])
        else:
            yield from _one(f"{name}.{field}", a.get(field), b.get(field))


def _of_kernels(a: dict[str, Any], b: dict[str, Any]) -> Iterable[ConditionDifference]:
    """Of two kernels only an option of the same name can be compared; the others are counted."""
    common = [option for option in a if option in b]
    yield from _fields(
        "kernel_configuration",
        {option: a[option] for option in common},
        {option: b[option] for option in common},
    )
    rest = [f"{len(one) - len(common)} options of its own" for one in (a, b)]
    yield ConditionDifference("kernel_configuration", *rest)


def _flags(a: list[str], b: list[str]) -> tuple[str, str]:
    """The flags that only one of the two has; all of them if merely their order differs.

    The name of the build says again what other conditions say, and is left out.
    """
    a, b = ([flag for flag in flags if not flag.startswith(BUILD_NAME)] for flags in (a, b))
    only = [flag for flag in a if flag not in b], [flag for flag in b if flag not in a]
    if a != b and not any(only):
        return " ".join(a), " ".join(b)
    return " ".join(only[0]), " ".join(only[1])


def _layouts(found: Characterization) -> str:
    if len(found.layouts) == 1:
        return "1"
    seed = f", seed {found.layout_seed}" if found.layout_seed is not None else ""
    return f"{len(found.layouts)}{seed}"


def _text(value: Any) -> str:
    if value is None or value == "":
        return ABSENT
    if isinstance(value, list):
        return " ".join(map(str, value)) or ABSENT
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(one)}" for name, one in value.items()) or ABSENT
    text = str(value)
    is_digest = len(text) == 64 and all(digit in "0123456789abcdef" for digit in text)
    return f"{text[:DIGITS]}…" if is_digest else text
