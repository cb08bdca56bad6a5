"""Files that are transferred: made from a seed, so that both sides know what they must be."""

import random
from enum import StrEnum

WORDS = (
    *("a", "and", "bus", "byte", "clock", "control", "data", "device", "driver", "for", "from"),
    *("interrupt", "is", "it", "kernel", "line", "memory", "of", "on", "packet", "peripheral"),
    *("processor", "reads", "register", "serial", "system", "task", "the", "timer", "to", "wait"),
    "writes",
)
LINE_CHARACTERS = 72


class Content(StrEnum):
    """The kinds of content."""

    TEXT = "text"
    RANDOM = "random"


def make(kind: Content, size: int, seed: int) -> bytes:
    """A file of `size` bytes: lines of words, or random bytes."""
    rng = random.Random(f"{kind}-{size}-{seed}")
    if kind is Content.RANDOM:
        return rng.randbytes(size)
    text = bytearray()
    while len(text) < size:
        line = rng.choice(WORDS).capitalize()
        while len(line) < LINE_CHARACTERS:
            line += f" {rng.choice(WORDS)}"
        text += f"{line}.\n".encode()
    return bytes(text[:size])
