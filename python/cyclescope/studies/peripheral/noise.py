"""Bit errors on the line: which bits of which character flip is decided by the seed alone."""

import hashlib

STOP_BIT = 1 << 9
"""Of a character's value at the board: its stop bit was wrong (docs/timing/usart_at91.md)."""
BITS = (*(1 << bit for bit in range(8)), STOP_BIT)
"""The bits of a character that may flip: its data, and its stop bit."""


class BitErrors:
    """Flips each bit of each character with a probability of `rate`."""

    def __init__(self, rate: float, seed: int) -> None:
        self._threshold, self._seed = round(rate * (1 << 32)), seed

    def mask(self, to_board: bool, index: int) -> int:
        """The bits that flip in a direction's character of this number."""
        if not self._threshold:
            return 0
        key = f"{self._seed}-{int(to_board)}-{index}".encode()
        drawn = hashlib.blake2b(key, digest_size=4 * len(BITS)).digest()
        return sum(
            bit
            for place, bit in enumerate(BITS)
            if int.from_bytes(drawn[4 * place : 4 * place + 4], "little") < self._threshold
        )
