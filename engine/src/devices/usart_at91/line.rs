//! How long bits and frames last: US_MR, US_BRGR.

use crate::framing::{Framing, Parity};
use crate::time::Cycle;

/// Cycles of the shortest frame there is: 7 bits of 16 cycles.
pub const SHORTEST_FRAME_CYCLES: Cycle = 7 * 16;

/// Half bits of the stop bits, by NBSTOP.
const STOP_HALF_BITS: [Cycle; 4] = [2, 3, 4, 2];
/// PAR: no parity bit.
const NO_PARITY: u32 = 4;

/// The settings that make up a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// MR.
    pub mode: u32,
    /// CD of BRGR; 0: the clock is off.
    pub divisor: u32,
}

impl Line {
    /// Data bits of a character, a ninth included.
    pub fn data_bits(&self) -> Cycle {
        if self.mode & 1 << 17 != 0 {
            9
        } else {
            5 + Cycle::from(self.mode >> 6 & 3)
        }
    }

    /// Whether a bit of the frame distinguishes addresses from data.
    pub fn is_multidrop(&self) -> bool {
        self.mode >> 9 & 6 == 6
    }

    /// The data bits of a value.
    pub fn word(&self, value: u32) -> u32 {
        value & ((1 << self.data_bits()) - 1)
    }

    /// MCK cycles of half a bit; `None` while the clock is off. The generator divides MCK, or MCK / 8, by CD
    /// to 16 samples a bit.
    fn half_bit(&self) -> Option<Cycle> {
        let prescale = if self.mode >> 4 & 3 == 0 { 1 } else { 8 };
        (self.divisor > 0).then(|| 8 * Cycle::from(self.divisor) * prescale)
    }

    /// Cycles of so many bits.
    pub fn bits(&self, bits: Cycle) -> Option<Cycle> {
        self.half_bit().map(|half| 2 * bits * half)
    }

    /// The frame as others need it; `None` while the clock is off.
    pub fn framing(&self) -> Option<Framing> {
        let parity = match self.mode >> 9 & 7 {
            0 => Parity::Even,
            1 => Parity::Odd,
            2 => Parity::Space,
            3 => Parity::Mark,
            _ => Parity::Off, // or multidrop: the bit counts as data
        };
        let data_bits = self.data_bits() as u32 + u32::from(self.is_multidrop());
        Some(Framing {
            bit_cycles: (self.bits(1)?, 1),
            data_bits: data_bits.min(9),
            parity,
            stop_half_bits: STOP_HALF_BITS[self.mode as usize >> 12 & 3] as u32,
        })
    }

    /// Cycles of a frame: start bit, data, parity, stop bits.
    pub fn frame(&self) -> Option<Cycle> {
        let parity = Cycle::from(self.mode >> 9 & 7 != NO_PARITY);
        let stop = STOP_HALF_BITS[self.mode as usize >> 12 & 3];
        self.half_bit().map(|half| (2 * (1 + self.data_bits() + parity) + stop) * half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_its_bits() {
        // (MR, CD, cycles): 8N1, MCK / 8, even parity, 1.5 and 2 stop bits, 5 bits, 9 bits, multidrop.
        for (mode, divisor, cycles) in [
            (0x8C0, 18, 10 * 288),
            (0x8D0, 18, 10 * 288 * 8),
            (0x0C0, 1, 11 * 16),
            (0x18C0, 2, 21 * 16),
            (0x28C0, 2, 11 * 32),
            (0x800, 1, 7 * 16),
            (0x2_08C0, 1, 11 * 16),
            (0xCC0, 1, 11 * 16),
        ] {
            assert_eq!(Line { mode, divisor }.frame(), Some(cycles), "{mode:#x}");
        }
        assert_eq!(Line { mode: 0x8C0, divisor: 0 }.frame(), None);
    }
}
