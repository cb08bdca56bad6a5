"""Limits that a target reports of its own work."""

from cyclescope.record import Record


class Unverified(Record):
    """A timing rule that was touched and that no source confirms."""

    rule: str
    text: str

    @property
    def name(self) -> str:
        return self.rule

    @property
    def sentence(self) -> str:
        return f"{self.rule}: {self.text}"


class Unmodelled(Record):
    """Something the firmware asked for and the board does not model."""

    text: str
    address: int | None = None
    pc: int | None = None

    @property
    def name(self) -> str:
        return self.text

    @property
    def sentence(self) -> str:
        if self.address is None or self.pc is None:
            return self.text
        return f"{self.text} (address 0x{self.address:08x}, pc 0x{self.pc:08x})"


class Findings(Record):
    """Limits that the target reports for the work since its last reset."""

    unverified: tuple[Unverified, ...] = ()
    unmodelled: tuple[Unmodelled, ...] = ()
