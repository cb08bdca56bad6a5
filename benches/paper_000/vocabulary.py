"""Words that inputs are made of, from a seed."""

from random import Random

LETTERS = "etaoinshrdlcumwfgypbvkjxqz"


def words(count: int, random: Random) -> list[str]:
    """Different words of 2 to 11 letters, in the order of the alphabet."""
    weights = [1 / (2 + rank) for rank in range(len(LETTERS))]
    found: set[str] = set()
    while len(found) < count:
        length = min(11, 2 + int(random.expovariate(0.28)))
        found.add("".join(random.choices(LETTERS, weights, k=length)))
    return sorted(found)
