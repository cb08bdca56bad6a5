//! The line from the reset and clock control of an STM32 part to a peripheral: no clock, or held in reset.

use crate::device::Port;

/// The level of a `halted` line: no clock.
pub const NO_CLOCK: u32 = 1 << 0;
/// The level of a `halted` line: held in reset.
pub const IN_RESET: u32 = 1 << 1;

/// The line as a peripheral knows it. It runs while nobody drives the line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gate {
    level: u32,
}

impl Gate {
    /// Takes a new level; returns whether a reset begins.
    pub fn change(&mut self, level: u32) -> bool {
        let begins = level & !self.level & IN_RESET != 0;
        self.level = level;
        begins
    }

    /// Whether the clock stands or a reset holds.
    pub fn is_halted(self) -> bool {
        self.level != 0
    }

    /// Whether an access reaches the registers. One that does not reads 0, writes nothing, and is reported.
    pub fn opens(self, part: &str, port: &mut Port) -> bool {
        if self.level & IN_RESET != 0 {
            port.unmodelled(format!("an access to {part} held in reset: it reads 0"));
        } else if self.level & NO_CLOCK != 0 {
            port.unmodelled(format!("an access to {part} without its clock: it reads 0"));
        }
        !self.is_halted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reset_begins_once() {
        let mut gate = Gate::default();
        assert!(!gate.change(NO_CLOCK) && gate.is_halted());
        assert!(gate.change(NO_CLOCK | IN_RESET) && !gate.change(IN_RESET));
        assert!(!gate.change(0) && !gate.is_halted() && gate.change(IN_RESET));
    }

    #[test]
    fn an_access_says_what_holds_it() {
        let mut port = Port::new(0);
        let mut gate = Gate::default();
        assert!(gate.opens("a part", &mut port) && port.is_empty());
        gate.change(NO_CLOCK);
        assert!(!gate.opens("a part", &mut port) && !port.is_empty());
    }
}
