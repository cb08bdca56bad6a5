"""Codes of errors: of classes, of raises, on the command line and on their page."""

import ast
import pickle
import re
import runpy
from pathlib import Path

import pytest
from refusals import refused, told_code

from cyclescope.errors import CyclescopeError, Interrupted, WrongUsage

CODES = runpy.run_path(str(Path(__file__).parents[1] / "scripts" / "error_codes.py"))


def test_an_error_without_a_code_has_that_of_its_class() -> None:
    class NoSuchThing(WrongUsage):
        pass

    assert CyclescopeError("a").code == "cyclescope-error"
    assert Interrupted("a").code == "interrupted"
    assert NoSuchThing("a").code == "no-such-thing"
    assert NoSuchThing("a", code="b").code == "b"
    assert (CyclescopeError("a", code="b").sentence, str(CyclescopeError("a"))) == ("a", "a")


def test_a_code_travels_between_processes() -> None:
    error = pickle.loads(pickle.dumps(WrongUsage("a", code="b")))
    assert (error.sentence, error.code, type(error)) == ("a", "b", WrongUsage)


def test_refused_wants_the_code() -> None:
    with refused("b"):
        raise CyclescopeError("a", code="b")
    with pytest.raises(AssertionError, match="c: a"), refused("b"):
        raise CyclescopeError("a", code="c")
    with refused("b", naming=[7, "here"]):
        raise CyclescopeError("7 are here", code="b")
    with pytest.raises(AssertionError, match="7 are here"), refused("b", naming=[8]):
        raise CyclescopeError("7 are here", code="b")


def test_no_test_matches_an_error_by_its_sentence() -> None:
    plain = {"ValueError", "KeyError", "AssertionError"}
    for path in Path(__file__).parent.glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.raises":
                matched = any(one.arg == "match" for one in call.keywords)
                assert not matched or ast.unparse(call.args[0]) in plain, (path, ast.unparse(call))


def test_codes_are_in_kebab_case_and_name_one_cause() -> None:
    sentences = CODES["raised"]()
    assert len(sentences) > 150
    for code, told in sentences.items():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", code), code
        assert len({CODES["cause"](one) for one in told}) == 1, (code, told)


def test_errors_of_many_causes_are_raised_with_a_code() -> None:
    many = {"CyclescopeError", "ResultsError", "WireError", "FirmwareError"}
    made = [(call, call.keywords) for name, call, _ in CODES["calls"]() if name in many]
    assert len(made) > 200
    for call, keywords in made:
        assert [one.arg for one in keywords] == ["code"], ast.unparse(call)


def test_no_cause_has_the_code_of_a_class_and_no_two_classes_one() -> None:
    own = [one.code for one in CODES["classes"]()]
    assert len(own) == len(set(own)) > 10
    assert not set(own) & set(CODES["raised"]())


def test_the_page_lists_every_code() -> None:
    assert CODES["PAGE"].read_text() == CODES["page"](), "run make codes"
    known = {*CODES["raised"](), *(one.code for one in CODES["classes"]())}
    assert CODES["MEANINGS"].keys() <= known


def test_every_code_has_a_meaning() -> None:
    for row in re.findall(r"^\| `.*$", CODES["page"](), re.M):
        assert len(re.findall(r"\w+", row.rpartition("` |")[2])) > 2, row


@pytest.mark.parametrize(
    ("command", "code", "exit_code"),
    [
        (["characterize", "--board", "nosuch"], "no-such-board", 1),
        (["show", "/nonexistent"], "no-results-folder", 1),
        (["show", "--nonsense", "."], "wrong-usage", 2),
    ],
)
def test_json_tells_the_code(
    command: list[str], code: str, exit_code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told_code(command, capsys, exit_code) == code
