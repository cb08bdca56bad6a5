//! How long a frame lasts: line format, baud rate divisor and fractional divider.

use crate::framing::{self, Framing};
use crate::time::Cycle;

/// Core cycles of the shortest frame there is: 7 bits of 16 PCLK, each one core cycle.
pub const SHORTEST_FRAME_CYCLES: Cycle = 7 * 16;

const TWO_STOP_BITS: u32 = 1 << 2;
const PARITY: u32 = 1 << 3;

/// The settings that make up a frame. An RCLK is a sixteenth of a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// LCR.
    pub format: u32,
    /// DLM:DLL.
    pub divisor: u32,
    /// FDR.
    pub fraction: u32,
    /// Core cycles per PCLK; PCLK edges stand at its multiples.
    pub pclk_divider: Cycle,
}

impl Line {
    /// Data bits per frame.
    pub fn word_length(&self) -> u64 {
        5 + u64::from(self.format & 3)
    }

    /// The data bits of `value`.
    pub fn word(&self, value: u32) -> u8 {
        value as u8 & (0xFF >> (8 - self.word_length()))
    }

    /// Start bit, data and parity, in RCLK.
    pub fn frame_without_stop_rclk(&self) -> u64 {
        let parity = u64::from(self.format & PARITY != 0);
        16 * (1 + self.word_length() + parity)
    }

    /// A whole frame, in RCLK. Two stop bits are one and a half behind five data bits.
    pub fn frame_rclk(&self) -> u64 {
        let stop = match (self.format & TWO_STOP_BITS != 0, self.word_length()) {
            (false, _) => 16,
            (true, 5) => 24,
            (true, _) => 32,
        };
        self.frame_without_stop_rclk() + stop
    }

    /// One RCLK in PCLK, as a fraction. A divisor of 0 acts as 1.
    fn rclk(&self) -> (u64, u64) {
        let divisor = u64::from(self.divisor.max(1));
        let (add, multiply) = (u64::from(self.fraction & 15), u64::from(self.fraction >> 4 & 15));
        if add == 0 || multiply == 0 {
            (divisor, 1)
        } else {
            (divisor * (multiply + add), multiply)
        }
    }

    /// The cycle that is `rclk` RCLKs, rounded up to a PCLK, behind the first PCLK edge from `start` on.
    pub fn after(&self, start: Cycle, rclk: u64) -> Cycle {
        let (numerator, denominator) = self.rclk();
        let pclk = (rclk * numerator).div_ceil(denominator);
        (start.div_ceil(self.pclk_divider) + pclk) * self.pclk_divider
    }

    /// The cycle at which a frame ends that begins at the first PCLK edge from `start` on,
    /// `remainder` parts of a PCLK late. Also returns the remainder it leaves, so that frames in a
    /// row lose nothing.
    pub fn frame_end(&self, start: Cycle, remainder: u64) -> (Cycle, u64) {
        let (numerator, denominator) = self.rclk();
        let total = self.frame_rclk() * numerator + remainder;
        let pclk = start.div_ceil(self.pclk_divider) + total / denominator;
        (pclk * self.pclk_divider, total % denominator)
    }

    /// The frame as others need it.
    pub fn framing(&self) -> Framing {
        use framing::Parity::{Even, Mark, Odd, Off, Space};
        let parity = if self.format & PARITY == 0 {
            Off
        } else {
            [Odd, Even, Mark, Space][self.format as usize >> 4 & 3]
        };
        let (numerator, denominator) = self.rclk();
        Framing {
            bit_cycles: (16 * numerator * self.pclk_divider, denominator),
            data_bits: self.word_length() as u32,
            parity,
            stop_half_bits: ((self.frame_rclk() - self.frame_without_stop_rclk()) / 8) as u32,
        }
    }

    /// Core cycles per frame, rounded down.
    pub fn frame_cycles(&self) -> Cycle {
        let (numerator, denominator) = self.rclk();
        self.frame_rclk() * numerator * self.pclk_divider / denominator
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EIGHT_BITS: Line = Line { format: 3, divisor: 1, fraction: 0x10, pclk_divider: 1 };

    #[test]
    fn a_frame_is_start_data_parity_and_stop_bits_of_sixteen_rclk() {
        for (format, half_bits) in
            [(0, 14), (3, 20), (7, 22), (4, 15), (0xB, 22), (0xF, 24), (0xE, 22)]
        {
            assert_eq!(
                Line { format, ..EIGHT_BITS }.frame_cycles(),
                half_bits * 8,
                "LCR {format:#x}"
            );
        }
    }

    #[test]
    fn divisor_and_pclk_divider_stretch_it() {
        let line = Line { divisor: 98, ..EIGHT_BITS };
        assert_eq!(line.frame_cycles(), 15_680);
        assert_eq!(Line { pclk_divider: 4, ..line }.frame_cycles(), 62_720);
        assert_eq!(Line { divisor: 0, ..EIGHT_BITS }.frame_cycles(), 160);
    }

    #[test]
    fn the_fraction_gives_the_manuals_baud_rate() {
        // 60 MHz, DL = 0x47, DIVADDVAL 3, MULVAL 8: 38,412 baud.
        let line = Line { divisor: 0x47, fraction: 0x83, ..EIGHT_BITS };
        assert_eq!(60_000_000 * 10 / line.frame_cycles(), 38_412);
    }

    #[test]
    fn frames_in_a_row_keep_the_parts_of_a_pclk() {
        // 1 + 1/3 PCLK per RCLK: a frame is 213 1/3 PCLK.
        let line = Line { fraction: 0x31, ..EIGHT_BITS };
        let (mut ends, mut at, mut remainder) = (Vec::new(), 0, 0);
        for _ in 0..3 {
            (at, remainder) = line.frame_end(at, remainder);
            ends.push(at);
        }
        assert_eq!(ends, [213, 426, 640]);
        assert_eq!((line.frame_cycles(), line.after(0, 160)), (213, 214));
    }

    #[test]
    fn a_frame_begins_at_a_pclk_edge() {
        let line = Line { pclk_divider: 4, ..EIGHT_BITS };
        assert_eq!(line.frame_end(8, 0).0, 8 + 640);
        assert_eq!(line.frame_end(9, 0).0, 12 + 640);
    }
}
