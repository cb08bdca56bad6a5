"""Inputs of the programs, each made from a seed: the same bytes on every machine."""

from collections.abc import Callable
from math import pi, sin
from random import Random

SEED = 2026
LETTERS = "etaoinshrdlcumwfgypbvkjxqz"


def made(kind: str, size: int, name: str) -> bytes:
    """The file `name` of a kind; what `size` counts depends on the kind."""
    return KINDS[kind](size, Random(f"{SEED}/{kind}/{size}/{name}"))


def _speech(size: int, random: Random) -> bytes:
    """So many bytes of signed 16-bit samples at 8 kHz: voiced syllables between pauses."""
    samples: list[int] = []
    while 2 * len(samples) < size:
        pitch_hz, length = random.uniform(90, 220), random.randrange(600, 2200)
        loud = 0 if random.random() < 0.25 else random.uniform(1500, 9000)
        formants = [(random.uniform(2, 6), 0.6), (random.uniform(7, 14), 0.3)]
        for i in range(length):
            envelope = loud * sin(pi * i / length)
            at = 2 * pi * pitch_hz * i / 8000
            value = sin(at) + sum(part * sin(multiple * at) for multiple, part in formants)
            samples.append(max(-32768, min(32767, round(envelope * value + random.gauss(0, 40)))))
    return b"".join(one.to_bytes(2, "little", signed=True) for one in samples)[:size]


def words(count: int, random: Random) -> list[str]:
    """Different words of 2 to 11 letters, in the order of the alphabet."""
    weights = [1 / (2 + rank) for rank in range(len(LETTERS))]
    found: set[str] = set()
    while len(found) < count:
        length = min(11, 2 + int(random.expovariate(0.28)))
        found.add("".join(random.choices(LETTERS, weights, k=length)))
    return sorted(found)


def _text(size: int, random: Random) -> bytes:
    """So many bytes of sentences: words by Zipf's law, a few of them misspelt."""
    known = words(900, Random(SEED))
    Random(SEED + 1).shuffle(known)
    weights = [1 / (rank + 2) for rank in range(len(known))]
    lines, line, length = [], "", 0
    while length < size:
        sentence = random.choices(known, weights, k=random.randrange(4, 16))
        if random.random() < 0.3:
            at = random.randrange(len(sentence))
            sentence[at] = sentence[at][::-1]
        sentence[0] = sentence[0].capitalize()
        for word in [*sentence[:-1], sentence[-1] + random.choice(".,.;!?")]:
            if len(line) + len(word) > 72:
                lines.append(line)
                length += len(line) + 1
                line = ""
            line += (" " if line else "") + word
    return ("\n".join([*lines, line]) + "\n").encode()[:size]


def _dictionary(count: int, random: Random) -> bytes:
    """So many of the words that texts are made of, one a line."""
    known = words(900, Random(SEED))
    return "".join(f"{one}\n" for one in sorted(random.sample(known, count))).encode()


def _points(count: int, random: Random) -> bytes:
    """Lines of three integers."""
    lines = (" ".join(str(random.randint(-20_000, 20_000)) for _ in range(3)) for _ in range(count))
    return "".join(f"{line}\n" for line in lines).encode()


def _noise(size: int, random: Random) -> bytes:
    return random.randbytes(size)


KINDS: dict[str, Callable[[int, Random], bytes]] = {
    "dictionary": _dictionary,
    "noise": _noise,
    "points": _points,
    "speech": _speech,
    "text": _text,
}
