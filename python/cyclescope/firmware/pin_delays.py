"""Delays between a program that toggles a pin and the edge outside."""

from typing import TYPE_CHECKING

from pydantic import Field

from cyclescope.record import Record

if TYPE_CHECKING:
    # Every verb reads board files, and few need arrays.
    import numpy as np
    from numpy.typing import NDArray


class PinDelays(Record):
    """The time between a program's toggling and the edge outside (Moreno and Fischmeister, eq. 1).

    The instructions that toggle the pin take `before_cycles` up to its change (t_S1), and
    `after_cycles` more (t_S2): they are executed. The pin then takes `rise_ns` (t_H1) to rise, or
    `fall_ns` (t_H2) to fall. No cycle passes in those.
    """

    before_cycles: int = Field(ge=0)
    after_cycles: int = Field(ge=0)
    rise_ns: float = Field(ge=0)
    fall_ns: float = Field(ge=0)

    def times_s(
        self, cycles: "NDArray[np.int64]", rising: "NDArray[np.bool_]", hz: float
    ) -> "NDArray[np.float64]":
        """When edges that the board makes at `cycles` are seen outside, in seconds."""
        import numpy as np

        delays_ns = np.where(rising, self.rise_ns, self.fall_ns)
        return cycles / hz + delays_ns * 1e-9

    def excess_s(self, hz: float, *, rises_first: bool = True) -> float:
        """By how much a pulse around a piece of code is longer than that: ε of equation 1."""
        hardware_ns = self.fall_ns - self.rise_ns
        signed_ns = hardware_ns if rises_first else -hardware_ns
        return (self.before_cycles + self.after_cycles) / hz + signed_ns * 1e-9
