"""docs/reference/freertos-functions.md against the headers of FreeRTOS and its cases."""

import re
from functools import cache
from pathlib import Path

import pytest
from firmware_session import CASES, CLASSES, session

from cyclescope.firmware import build as firmware
from cyclescope.firmware.configuration import Configuration

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "freertos-functions.md"
INCLUDE = firmware.ROOT / "build" / "packages" / "freertos-next" / "FreeRTOS-Kernel" / "include"
HEADERS = (
    "task.h",
    "queue.h",
    "semphr.h",
    "event_groups.h",
    "stream_buffer.h",
    "message_buffer.h",
    "timers.h",
    "portable.h",
)


@cache
def rows() -> dict[str, dict[str, tuple[tuple[str, ...], str]]]:
    """By header and function: its cases, and what is said about it."""
    found: dict[str, dict[str, tuple[tuple[str, ...], str]]] = {}
    for line in PAGE.read_text().splitlines():
        if heading := re.match(r"## (\w+\.h)", line):
            functions = found.setdefault(heading[1], {})
        elif row := re.fullmatch(r"\| `(\w+)` \| (.*) \| (.*) \|", line):
            assert row[1] not in functions, f"{row[1]} stands there twice"
            functions[row[1]] = tuple(re.findall(r"`([\w.]+)`", row[2])), row[3].strip()
    return found


@cache
def declared(header: str) -> frozenset[str]:
    """The functions that a header declares, under every configuration, and its call-like macros."""
    firmware.build(Configuration())  # fetches the kernel
    text = re.sub(r"/\*.*?\*/", " ", (INCLUDE / header).read_text(), flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    macros = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(", text, re.M)
    text = re.sub(r"^[ \t]*#[^\n]*", "", text.replace("\\\n", " "), flags=re.M)
    text = re.sub(r"typedef[^;{]*(\{[^}]*\})?[^;]*;", "", text)
    functions = re.findall(r"(\w+)\s*\([^;{}]*\)\s*(?:PRIVILEGED_FUNCTION)?\s*;", text)
    assert len(functions) >= text.count("PRIVILEGED_FUNCTION")
    return frozenset(functions + macros)


def test_the_page_has_all_headers() -> None:
    assert tuple(rows()) == HEADERS


@pytest.mark.parametrize("header", HEADERS)
def test_the_page_has_the_functions_of_the_header(header: str) -> None:
    assert set(rows()[header]) == declared(header)


@pytest.mark.parametrize("header", HEADERS)
def test_a_function_has_cases_or_a_reason(header: str) -> None:
    for function, (cases, remark) in rows()[header].items():
        assert cases or remark, function


def test_a_case_stands_with_the_function_that_it_calls() -> None:
    cases = session(Configuration()).cases
    named = [
        (case, function)
        for functions in rows().values()
        for function, (names, _) in functions.items()
        for case in names
    ]
    assert sorted(case for case, _ in named) == sorted(CASES), "each case in one row"
    for case, function in named:
        assert cases[case].call.startswith(f"{function}("), case


def test_the_page_of_cases_has_each_class_and_counts_them() -> None:
    page = re.sub(r"<!--.*?-->", "", (PAGE.parent / "cases.md").read_text())
    classes = set(CLASSES.values())
    listed = re.findall(r"^\| `(\w+)` \| ", page.partition("| class | calls | x |")[2], re.M)
    assert sorted(listed) == sorted(classes)
    assert f"{len(CASES)} cases in {len(classes)} classes" in page
