"""Limits of one instruction of an ARM7TDMI, in either instruction set."""

from dataclasses import dataclass

WORD = 0xFFFFFFFF


@dataclass(frozen=True)
class Machine:
    """An instruction set, and the level that the target's compiler works at."""

    isa: str
    level: str

    @property
    def thumb(self) -> bool:
        return self.isa == "thumb"

    @property
    def plain(self) -> bool:
        """Whether nothing is optimised."""
        return self.level == "O0"

    @property
    def small(self) -> bool:
        return self.level == "Os"

    @property
    def registers(self) -> int:
        """Those that values can have, as far as the target's compiler makes use of them.

        At -Os it looks at whole functions, and finds fewer. Thumb has one more in those that only
        moves reach.
        """
        if self.thumb:
            return 7 if self.small else 9
        return 10 if self.small else 12

    @property
    def kept(self) -> int:
        """Those that calls keep."""
        return 4 if self.thumb else 8

    @property
    def asked(self) -> int:
        """Those that variables declared with `register` find, where nothing is optimised."""
        return 3 if self.thumb else 7

    @property
    def scratch(self) -> int:
        """Those that a function need not keep for its caller."""
        return 4 if self.thumb else 5

    @property
    def guarded(self) -> int:
        """Instructions that a condition guards, rather than a branch skips."""
        return 0 if self.thumb else 5

    def reaches(self, offset: int, width_bits: int, signed: bool) -> bool:
        """Whether an access takes an offset in bytes."""
        if self.thumb:
            return not (signed and width_bits < 32) and 0 <= offset < 32 * min(width_bits // 8, 4)
        return abs(offset) < (256 if width_bits == 16 or (signed and width_bits < 32) else 4096)

    def scales(self, scale: int, width_bits: int, signed: bool) -> bool:
        """Whether an access takes an index times `scale`."""
        if scale == 1:
            return True
        if self.thumb or scale == 0:
            return False
        return width_bits in (32, 64) or (width_bits == 8 and not signed)

    def pieces(self, number: int, operator: str) -> int:
        """Instructions that an operation with a constant takes; 0 if it needs a register."""
        if self.thumb:
            if operator in ("+", "-"):
                return 1 if abs(_wrapped(number)) < 256 else 0
            if operator == "compare":
                return 1 if 0 <= number < 256 else 0
            return 0
        if operator == "&" and (number & WORD) in (0xFFFF, 0xFFFF0000):
            return 2
        forms = {"+": (number, -number), "-": (number, -number), "&": (number, ~number)}
        forms |= {"compare": (number, -number), "move": (number, ~number)}
        count = min(rotated(one & WORD) for one in forms.get(operator, (number,)))
        most = 1 if operator in ("compare", "move") else 2
        return max(count, 1) if count <= most else 0

    def made(self, number: int) -> str:
        """The kind of work that brings a constant into a register."""
        if not self.thumb:
            return "constant" if self.pieces(number, "move") else "literal"
        value = number & WORD
        if value < 256:
            return "constant"
        low = value & -value
        if value // low < 256 or (-number & WORD) < 256 or value < 511 or (~number & WORD) < 256:
            return "constant of two"
        return "literal"


def rotated(value: int) -> int:
    """How many bytes, each turned by an even number, a word is the sum of."""
    if value == 0:
        return 0
    best = 4
    for start in range(0, 32, 2):
        turned = (value >> start | value << (32 - start)) & WORD
        count = 0
        while turned:
            low = (turned & -turned).bit_length() - 1
            turned &= ~(0xFF << (low & ~1)) & WORD
            count += 1
        best = min(best, count)
    return best


def _wrapped(number: int) -> int:
    value = number & WORD
    return value - WORD - 1 if value > WORD // 2 else value


def added_digits(number: int) -> int:
    """Shifted additions that multiply by a constant, beside the first shift."""
    value, count = abs(number), 0
    if value == 0:
        return 0
    value //= value & -value
    while value:
        if value & 1:
            digit = 2 - (value & 3)
            value -= digit
            count += 1
        value >>= 1
    return count - 1
