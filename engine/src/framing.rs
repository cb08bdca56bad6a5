//! Characters on an asynchronous serial line: their bits, and what a receiver at another setting sees of them.
//!
//! On a wire a character is one value: bits 7:0 data, 8 parity error, 9 framing error, 10 break, 11 ninth data
//! bit.

use crate::time::Cycle;

const PARITY_ERROR: u32 = 1 << 8;
const FRAMING_ERROR: u32 = 1 << 9;
pub(crate) const BREAK: u32 = 1 << 10;
const NINTH: u32 = 1 << 11;

/// The bit behind the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// There is none.
    Off,
    /// The ones are even in number, with it.
    Even,
    /// The ones are odd in number, with it.
    Odd,
    /// Always 0.
    Space,
    /// Always 1.
    Mark,
}

/// How a UART frames characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Framing {
    /// A bit in core cycles: numerator and denominator.
    pub bit_cycles: (Cycle, Cycle),
    /// Data bits, 5 to 9.
    pub data_bits: u32,
    /// The parity bit.
    pub parity: Parity,
    /// Stop bits, in halves.
    pub stop_half_bits: u32,
}

impl Framing {
    /// Attoseconds of a bit, at a core clock in Hz.
    pub fn bit_as(&self, hz: u32) -> u128 {
        let (numerator, denominator) = self.bit_cycles;
        u128::from(numerator) * 1_000_000_000_000_000_000
            / (u128::from(denominator.max(1)) * u128::from(hz.max(1)))
    }

    /// The line during a frame, bit by bit: start, data, parity; the stop bits and what follows are 1.
    pub(crate) fn bits(&self, value: u32) -> Vec<bool> {
        let data = value & 0xFF | (value & NINTH) >> 3;
        let data = (0..self.data_bits).map(|bit| data >> bit & 1 != 0);
        let mut bits = vec![false];
        bits.extend(data);
        let odd = bits.iter().filter(|bit| **bit).count() % 2 != 0;
        let wrong = value & PARITY_ERROR != 0;
        match self.parity {
            Parity::Off => {}
            Parity::Even => bits.push(odd != wrong),
            Parity::Odd => bits.push(odd == wrong),
            Parity::Space => bits.push(wrong),
            Parity::Mark => bits.push(!wrong),
        }
        bits
    }

    /// A receiver with the framing `other` hears a character that this one sends. It samples in the
    /// middle of each of its bits, from the start bit's edge on. Behind the frame the line is idle: frames
    /// are received one by one. `bits_as` are the attoseconds of a bit here and there.
    ///
    /// Returns the value, and whether each sample fell into the bit that it was meant for.
    pub fn received_by(&self, other: &Framing, value: u32, bits_as: (u128, u128)) -> (u32, bool) {
        let (ours_as, theirs_as) = (bits_as.0.max(1), bits_as.1.max(1));
        let sent = self.bits(value);
        let place = |n: usize| ((2 * n as u128 + 1) * theirs_as / (2 * ours_as)) as usize;
        let sample = |n: usize| sent.get(place(n)).copied().unwrap_or(true);
        let stop = other.bits_to_stop() - 1;
        let alike = (self.data_bits, self.parity) == (other.data_bits, other.parity)
            && (0..=stop).all(|n| place(n) == n);
        if value & BREAK != 0 || alike {
            return (value, alike);
        }
        (other.heard(&sample), false)
    }

    /// Bits up to and with the first stop bit, the start bit included.
    pub(crate) fn bits_to_stop(&self) -> usize {
        2 + self.data_bits as usize + usize::from(self.parity != Parity::Off)
    }

    /// Half bits of a whole frame, all stop bits included.
    pub(crate) fn half_bits(&self) -> u32 {
        2 * (self.bits_to_stop() as u32 - 1) + self.stop_half_bits
    }

    /// The value that a receiver makes of its samples; bit 0 is the start bit.
    pub(crate) fn heard(&self, sample: &dyn Fn(usize) -> bool) -> u32 {
        let data_bits = self.data_bits as usize;
        let stop = self.bits_to_stop() - 1;
        let data = (0..data_bits).fold(0, |data, bit| data | u32::from(sample(1 + bit)) << bit);
        let mut seen = data & 0xFF | (data & 1 << 8) << 3;
        if self.parity != Parity::Off && sample(1 + data_bits) != self.bits(seen)[1 + data_bits] {
            seen |= PARITY_ERROR;
        }
        if !sample(stop) {
            seen |= FRAMING_ERROR;
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Framing =
        Framing { bit_cycles: (16, 1), data_bits: 8, parity: Parity::Off, stop_half_bits: 2 };

    #[test]
    fn a_receiver_within_half_a_bit_by_the_stop_bit_hears_the_character() {
        for value in 0..256 {
            for theirs in [950, 1000, 1050] {
                assert_eq!(USUAL.received_by(&USUAL, value, (1000, theirs)), (value, true));
            }
            for theirs in [940, 1060, 500, 2000] {
                assert!(!USUAL.received_by(&USUAL, value, (1000, theirs)).1);
            }
        }
    }

    #[test]
    fn at_half_and_at_twice_the_speed_it_samples_other_bits() {
        // 0x55 is 0 1010_1010 1 on the line. At half the speed samples fall on bits 1, 3, 5, 7 and 9 of it.
        let slow = USUAL.received_by(&USUAL, 0x55, (1000, 2000)).0;
        assert_eq!(slow, 0xFF);
        let slow = USUAL.received_by(&USUAL, 0xAA, (1000, 2000)).0;
        assert_eq!(slow, 0xF8 & 0xFF);
        // At twice the speed: start bit once more, then each bit twice; the stop bit falls on bit 4, a 0.
        let fast = USUAL.received_by(&USUAL, 0x55, (1000, 500)).0;
        assert_eq!(fast, 0b0110_0110 | FRAMING_ERROR);
    }

    #[test]
    fn another_parity_is_an_error_for_half_of_the_characters() {
        let even = Framing { parity: Parity::Even, ..USUAL };
        let odd = Framing { parity: Parity::Odd, ..USUAL };
        for value in 0..256 {
            assert_eq!(even.received_by(&odd, value, (1, 1)).0, value | PARITY_ERROR);
            let stop_for_parity = USUAL.received_by(&even, value, (1, 1)).0;
            let error = u32::from(value.count_ones() % 2 == 0) * PARITY_ERROR;
            assert_eq!(stop_for_parity, value | error);
        }
    }
}
