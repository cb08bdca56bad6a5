//! The pins of one port: who drives them, and what the synchroniser lets the CPU see of them.

use crate::time::Cycle;

/// Changes within the last cycles that anybody looks back to, and the levels before them.
const HISTORY: usize = 5;

/// One port.
#[derive(Clone, Debug, Default)]
pub struct Pins {
    /// DDRx.
    pub direction: u8,
    /// PORTx.
    pub latch: u8,
    /// The world's levels, and on which pins it has ever driven one.
    outside: u8,
    driven: u8,
    /// Levels that timers give to pins, and to which.
    compare: u8,
    compares: u8,
    /// Levels, each from a cycle on, the latest last.
    history: [(Cycle, u8); HISTORY],
}

impl Pins {
    /// The levels on the pins.
    pub fn levels(&self, pull_ups: bool) -> u8 {
        let inside = self.latch & !self.compares | self.compare & self.compares;
        let pulled = if pull_ups { self.latch } else { 0 };
        let floating = pulled & !self.driven | self.outside & self.driven;
        inside & self.direction | floating & !self.direction
    }

    /// The world drives a pin.
    pub fn drive(&mut self, bit: usize, level: bool) {
        self.driven |= 1 << bit;
        self.outside = self.outside & !(1 << bit) | u8::from(level) << bit;
    }

    /// Timers give a pin this level, or leave it to PORTx.
    pub fn compare(&mut self, bit: usize, level: Option<bool>) {
        self.compares = self.compares & !(1 << bit) | u8::from(level.is_some()) << bit;
        self.compare = self.compare & !(1 << bit) | u8::from(level == Some(true)) << bit;
    }

    /// Keeps the levels from this cycle on. Returns those that were there before.
    pub fn keep(&mut self, now: Cycle, levels: u8) -> u8 {
        let last = self.history[HISTORY - 1];
        if last.0 != now {
            self.history.rotate_left(1);
        }
        self.history[HISTORY - 1] = (now, levels);
        last.1
    }

    /// The levels that stood at the end of a cycle.
    pub fn at(&self, cycle: Cycle) -> u8 {
        let stood = self.history.iter().rev().find(|one| one.0 <= cycle);
        stood.map_or(self.history[0].1, |one| one.1)
    }

    /// The first change behind a cycle.
    pub fn changed_behind(&self, cycle: Cycle) -> Option<Cycle> {
        self.history.iter().map(|one| one.0).find(|at| *at > cycle)
    }

    /// After a reset, the world still drives what it drove.
    pub fn reset(&mut self) {
        (self.direction, self.latch, self.compare, self.compares) = (0, 0, 0, 0);
    }
}
