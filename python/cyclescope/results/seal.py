"""A seal on a JSON file: SHA-256 of what stands before it, so that no edit goes unseen.

The seal is the last key of the outermost object. Files of older versions have none and open as
they are; whoever reads a version that has one asks for it (`is_sealed`).
"""

import hashlib
import re

KEY = "seal"
_END = "\n}\n"
_SEAL = re.compile(rb',\n *"seal": "([0-9a-f]{64})"\n}\n\Z')


class Broken(ValueError):
    """A file's content differs from the content that was sealed."""


def sealed(text: str) -> str:
    """The JSON object of `text`, which has its last brace on a line of its own, with its seal."""
    assert text.endswith(_END)
    body = text[: -len(_END)]
    return f'{body},\n  "{KEY}": "{_digest(body.encode())}"{_END}'


def opened(content: bytes) -> bytes:
    """The JSON without its seal. Raises Broken if the seal belongs to something else."""
    found = _SEAL.search(content[-256:])
    if found is None:
        if b'"' + KEY.encode() + b'"' in content[-256:]:
            raise Broken
        return content
    body = content[: len(content) - len(found[0])]
    if _digest(body) != found[1].decode():
        raise Broken
    return body + _END.encode()


def is_sealed(content: bytes) -> bool:
    """Whether there is a seal, of whatever content."""
    return _SEAL.search(content[-256:]) is not None


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()
