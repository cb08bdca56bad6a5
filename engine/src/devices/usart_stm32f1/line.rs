//! Rate and format of the line.

use super::*;
use crate::framing::Parity;

/// Half stop bits by CR2's STOP: 1, 0.5, 2 and 1.5.
const STOP_HALF_BITS: [u32; 4] = [2, 1, 4, 3];

impl Usart {
    /// Core cycles of a bit: BRR is 16 USARTDIV, with OVER8 its fraction has three bits. At 0 the rate is that of 1.
    fn bit_cycles(&self) -> Cycle {
        let clocks = if self.control[0] & OVER8 == 0 {
            self.divisor
        } else {
            (self.divisor >> 4) * 8 + (self.divisor & 7)
        };
        // Below one oversampled bit the generator makes no rate.
        let least = if self.control[0] & OVER8 == 0 { 16 } else { 8 };
        Cycle::from(clocks.max(least)) * self.pclk_divider.max(1)
    }

    /// Data bits without the parity bit.
    fn data_bits(&self) -> u32 {
        let word = if self.control[0] & M != 0 { 9 } else { 8 };
        word - u32::from(self.control[0] & PCE != 0)
    }

    pub(super) fn framing_now(&self) -> Framing {
        let parity = match (self.control[0] & PCE != 0, self.control[0] & PS != 0) {
            (false, _) => Parity::Off,
            (_, false) => Parity::Even,
            _ => Parity::Odd,
        };
        let stop_half_bits = STOP_HALF_BITS[self.control[1] as usize >> 12 & 3];
        let bit_cycles = (self.bit_cycles(), 1);
        Framing { bit_cycles, data_bits: self.data_bits(), parity, stop_half_bits }
    }

    pub(super) fn frame_cycles(&self) -> Cycle {
        Cycle::from(self.framing_now().half_bits()) * self.bit_cycles() / 2
    }

    /// A word of DR as a value on the line: a parity bit of its own is not part of it.
    pub(super) fn value_of(&self, word: u32) -> u32 {
        let word = word & ((1 << self.data_bits()) - 1);
        word & 0xFF | if word & 1 << 8 != 0 { NINTH } else { 0 }
    }

    /// A value on the line as DR shows it: with the parity bit behind the data.
    pub(super) fn word_of(&self, value: u32) -> u32 {
        let bits = self.data_bits();
        let word = (value & 0xFF | if value & NINTH != 0 { 1 << 8 } else { 0 }) & ((1 << bits) - 1);
        if self.control[0] & PCE == 0 {
            return word;
        }
        let odd = word.count_ones() % 2 != 0;
        let right = odd != (self.control[0] & PS != 0);
        word | u32::from(right != (value & PARITY_ERROR != 0)) << bits
    }

    /// Whether the pin of the transmitter is the USART's.
    pub(super) fn reaches_pin(&self) -> bool {
        self.parameters.tx_pin.is_none_or(|pin| self.alternate >> pin & 1 != 0)
    }
}
