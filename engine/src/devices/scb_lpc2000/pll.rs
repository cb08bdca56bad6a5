//! One phase-locked loop: its registers, and the feed that puts them in effect.

use crate::time::Cycle;

const ENABLE: u32 = 1 << 0;
const CONNECT: u32 = 1 << 1;

/// A PLL that multiplies the oscillator.
#[derive(Clone, Debug, Default)]
pub struct Pll {
    /// PLLCON as written.
    pub control: u32,
    /// PLLCFG as written.
    pub configuration: u32,
    /// PLLCON and PLLCFG as in effect, since the last feed.
    fed: (u32, u32),
    /// The access just before wrote 0xAA to PLLFEED.
    feeding: bool,
    /// When it will lock.
    pub locks_at: Option<Cycle>,
    /// PLOCK.
    pub locked: bool,
}

impl Pll {
    /// M: the core clock in oscillator clocks.
    pub fn multiplier(&self) -> u32 {
        (self.fed.1 & 31) + 1
    }

    /// The highest multiplier soon. While locking takes long, no other one comes in effect soon.
    pub fn highest(&self, locks_late: bool) -> u32 {
        match (locks_late, self.enabled()) {
            (false, _) => 32,
            (true, true) => self.multiplier(),
            (true, false) => 1,
        }
    }

    /// P: half the current-controlled oscillator's frequency in core clocks.
    pub fn divider(&self) -> u32 {
        1 << (self.fed.1 >> 5 & 3)
    }

    /// Whether it runs.
    pub fn enabled(&self) -> bool {
        self.fed.0 & ENABLE != 0
    }

    /// Whether it was set to make the clock.
    pub fn asked_to_connect(&self) -> bool {
        self.enabled() && self.fed.0 & CONNECT != 0
    }

    /// Whether it makes the clock.
    pub fn connected(&self) -> bool {
        self.asked_to_connect() && self.locked
    }

    /// Whether it must lock anew after it was `before`.
    pub fn restarted(&self, before: &Pll) -> bool {
        self.enabled() && (!before.enabled() || before.fed.1 != self.fed.1)
    }

    /// PLLSTAT.
    pub fn status(&self) -> u32 {
        self.fed.1 | self.fed.0 << 8 | u32::from(self.locked) << 10
    }

    /// A write to PLLFEED: whether it completed the sequence and put the registers in effect.
    pub fn feed(&mut self, value: u32) -> bool {
        let complete = self.feeding && value & 0xFF == 0x55;
        self.feeding = value & 0xFF == 0xAA;
        if complete {
            self.fed = (self.control, self.configuration);
        }
        complete
    }

    /// An access to another register came between.
    pub fn break_feed(&mut self) {
        self.feeding = false;
    }
}
