"""The verdicts of a gate as JUnit XML, which GitLab, GitHub's actions and Jenkins read.

One test case for each case; those that cannot be judged are skipped, with the reason.
"""

import re
from xml.etree import ElementTree as Tree

from cyclescope.studies.compare.findings import Comparison
from cyclescope.studies.compare.gate import Gate, Judgement, Outcome

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 has no way to write (section 2.2)."""


def document(found: Comparison, gate: Gate) -> str:
    """The whole file."""
    counts = {
        "tests": str(len(gate.judgements)),
        "failures": str(len(gate.of(Outcome.FAILED))),
        "errors": "0",
        "skipped": str(len(gate.of(Outcome.NOT_JUDGED))),
        "time": "0",
    }
    root = Tree.Element("testsuites", {"name": "cyclescope compare", **counts})
    suite = Tree.SubElement(root, "testsuite", {"name": _suite(found), **counts})
    _properties(suite, found, gate)
    for one in gate.judgements:
        _case(suite, one)
    Tree.indent(root)
    text = Tree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _suite(found: Comparison) -> str:
    conditions = found.second.conditions
    return clean(f"{conditions.kernel} {conditions.kernel_version} on {conditions.board}")


def _properties(suite: Tree.Element, found: Comparison, gate: Gate) -> None:
    facts = [("rules", ", ".join(rule.text for rule in gate.rules)), ("basis", gate.remark)]
    facts += [(f"differs: {one.name}", f"{one.first} → {one.second}") for one in found.differences]
    properties = Tree.SubElement(suite, "properties")
    for name, value in facts:
        Tree.SubElement(properties, "property", {"name": clean(name), "value": clean(value)})


def _case(suite: Tree.Element, one: Judgement) -> None:
    classname = f"cyclescope.{one.function_class or 'cases'}"
    attributes = {"classname": clean(classname), "name": clean(one.name), "time": "0"}
    case = Tree.SubElement(suite, "testcase", attributes)
    if one.outcome is Outcome.PASSED:
        return
    message = clean(one.reasons[0])
    if one.outcome is Outcome.NOT_JUDGED:
        Tree.SubElement(case, "skipped", {"message": message})
        return
    failure = Tree.SubElement(case, "failure", {"message": message, "type": "regression"})
    failure.text = clean("\n".join(one.reasons))


def clean(text: str) -> str:
    """The text without what XML cannot hold."""
    return NOT_XML.sub("\ufffd", text)
