//! The output compare pins OCnx: what a count, or the CPU, makes of them.

use super::counter::{Count, CHANNELS};
use super::mode::{Mode, Slope};

/// Of a level that a timer drives to a port: it takes the pin from PORTxn.
const CONNECTED: u32 = 2;

/// The levels behind the pins, and COMnx.
#[derive(Clone, Debug, Default)]
pub struct Pins {
    level: [bool; CHANNELS],
    /// COMnx1:0.
    pub select: [u8; CHANNELS],
}

impl Pins {
    /// Whether a channel has its pin in this mode.
    fn is_connected(&self, channel: usize, mode: &Mode) -> bool {
        match self.select[channel] {
            0 => false,
            1 => mode.slope == Slope::Plain || channel == 0 && mode.toggles,
            _ => true,
        }
    }

    /// Whether a count may change a pin.
    pub fn is_used(&self, mode: &Mode) -> bool {
        (0..CHANNELS).any(|channel| self.is_connected(channel, mode))
    }

    /// Whether a count may change a level, seen or not.
    pub fn moves(&self) -> bool {
        self.select != [0; CHANNELS]
    }

    /// The level to drive for a channel: 0 while it leaves the pin to its port, else 2 or 3.
    pub fn driven(&self, channel: usize, mode: &Mode) -> u32 {
        let connected = self.is_connected(channel, mode);
        u32::from(connected) * (CONNECTED | u32::from(self.level[channel]))
    }

    /// Follows a count.
    pub fn follow(&mut self, count: &Count, mode: &Mode) {
        for channel in 0..CHANNELS {
            if count.matched[channel] {
                self.compare(channel, count.down, mode);
            }
            if count.restarted && mode.slope == Slope::FastPwm {
                match self.select[channel] {
                    2 => self.level[channel] = true,
                    3 => self.level[channel] = false,
                    _ => {}
                }
            }
        }
    }

    /// A compare match of a channel, or one that the CPU forces (FOCnx).
    pub fn compare(&mut self, channel: usize, down: bool, mode: &Mode) {
        let two_slopes =
            matches!(mode.slope, Slope::PhaseCorrect | Slope::PhaseAndFrequencyCorrect);
        let level = &mut self.level[channel];
        match self.select[channel] {
            1 => *level = !*level,
            2 => *level = two_slopes && down,
            3 => *level = !(two_slopes && down),
            _ => {}
        }
    }
}
