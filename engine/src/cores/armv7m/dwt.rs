//! The data watchpoint and trace unit, as far as it counts (ARM DDI 0403, C1.8).

use super::pipeline::Counts;
use crate::time::Cycle;

/// Bits of DWT_CTRL.
mod ctrl {
    pub const CYCCNTENA: u32 = 1;
    pub const CPIEVTENA: u32 = 1 << 17;
    pub const EXCEVTENA: u32 = 1 << 18;
    pub const SLEEPEVTENA: u32 = 1 << 19;
    pub const LSUEVTENA: u32 = 1 << 20;
    pub const FOLDEVTENA: u32 = 1 << 21;
    pub const COUNTERS: u32 = CPIEVTENA | EXCEVTENA | SLEEPEVTENA | LSUEVTENA | FOLDEVTENA;
    /// Those that are written.
    pub const WRITTEN: u32 = 0x007F_1FFF;
    /// Four comparators.
    pub const READ: u32 = 0x4000_0000;
}

/// Its counters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counters {
    ctrl: u32,
    on: bool,
    /// CYCCNT: while it counts, the cycle at which it was 0, else what it holds.
    cycles: Cycle,
    counts: [u8; 5],
    /// The five counters count.
    pub counting: bool,
}

/// The counters of eight bits, by the distance of their register from CPICNT's.
const CPI: usize = 0;
const EXCEPTION: usize = 1;
const SLEEP: usize = 2;
const LOAD_STORE: usize = 3;
const FOLD: usize = 4;

impl Counters {
    /// DEMCR.TRCENA.
    pub fn set_on(&mut self, on: bool, now: Cycle) {
        let count = self.cycle_count(now);
        self.on = on;
        self.set_cycle_count(count, now);
        self.refresh();
    }

    fn refresh(&mut self) {
        self.counting = self.on && self.ctrl & ctrl::COUNTERS != 0;
    }

    fn counts_cycles(&self) -> bool {
        self.on && self.ctrl & ctrl::CYCCNTENA != 0
    }

    fn cycle_count(&self, now: Cycle) -> u32 {
        (if self.counts_cycles() { now.wrapping_sub(self.cycles) } else { self.cycles }) as u32
    }

    fn set_cycle_count(&mut self, count: u32, now: Cycle) {
        let count = Cycle::from(count);
        self.cycles = if self.counts_cycles() { now.wrapping_sub(count) } else { count };
    }

    /// The register at an offset.
    pub fn read(&self, offset: u32, now: Cycle) -> u32 {
        match offset {
            0x00 => self.ctrl | ctrl::READ,
            0x04 => self.cycle_count(now),
            0x08..=0x18 => self.counts[(offset as usize - 8) / 4].into(),
            _ => 0,
        }
    }

    pub fn write(&mut self, offset: u32, value: u32, now: Cycle) {
        match offset {
            0x00 => {
                let count = self.cycle_count(now);
                let begun = value & !self.ctrl;
                self.ctrl = value & ctrl::WRITTEN;
                self.set_cycle_count(count, now);
                // A counter begins at 0.
                for (counter, bit) in self.counts.iter_mut().zip(17..) {
                    *counter = if begun >> bit & 1 != 0 { 0 } else { *counter };
                }
                self.refresh();
            }
            0x04 => self.set_cycle_count(value, now),
            0x08..=0x18 => self.counts[(offset as usize - 8) / 4] = value as u8,
            _ => {}
        }
    }

    fn add(&mut self, counter: usize, cycles: u32) {
        if self.ctrl >> (17 + counter) & 1 != 0 {
            self.counts[counter] = self.counts[counter].wrapping_add(cycles as u8);
        }
    }

    /// Cycles of the pipeline went by.
    pub fn count(&mut self, counts: &Counts) {
        self.add(CPI, counts.further);
        self.add(LOAD_STORE, counts.load_store);
        self.add(FOLD, counts.folded);
    }

    /// Cycles of an entry or a return.
    pub fn count_exception(&mut self, cycles: u32) {
        if self.counting {
            self.add(EXCEPTION, cycles);
        }
    }

    /// Cycles of sleep.
    pub fn count_sleep(&mut self, cycles: Cycle) {
        if self.counting {
            self.add(SLEEP, cycles as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cycle_counter_counts_while_both_of_its_switches_are_on() {
        let mut counters = Counters::default();
        counters.write(4, 7, 100);
        counters.write(0, 1, 100);
        assert_eq!(counters.read(4, 150), 7);
        counters.set_on(true, 200);
        assert_eq!((counters.read(4, 200), counters.read(4, 250)), (7, 57));
        counters.write(4, u32::MAX, 300);
        assert_eq!(counters.read(4, 302), 1);
        counters.write(0, 0, 310);
        assert_eq!(counters.read(4, 999), 9);
    }

    #[test]
    fn the_others_hold_eight_bits_and_begin_at_0() {
        let mut counters = Counters::default();
        counters.set_on(true, 0);
        counters.write(0, ctrl::COUNTERS, 0);
        let counts = Counts { further: 199, load_store: 3, folded: 0 };
        counters.count(&counts);
        counters.count(&Counts { folded: 1, ..counts });
        let read = |offset| counters.read(offset, 0);
        assert_eq!([0x08, 0x0C, 0x10, 0x14, 0x18].map(read), [398 - 256, 0, 0, 6, 1]);
    }
}
