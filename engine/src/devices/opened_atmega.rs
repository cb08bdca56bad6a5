//! A timed sequence of ATmega parts: a bit opens a register for the next cycles.

use crate::time::Cycle;

/// Cycles behind the opening write in which another one counts.
pub const WINDOW_CYCLES: Cycle = 4;

/// The window, if it was opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Window(Option<Cycle>);

impl Window {
    /// Opens at this cycle.
    pub fn open(&mut self, now: Cycle) {
        self.0 = Some(now + WINDOW_CYCLES);
    }

    /// Whether the bit that opened it reads as 1 behind this cycle's edge.
    pub fn shows(&self, now: Cycle) -> bool {
        self.is_open(now + 1)
    }

    /// Whether a write in this cycle counts.
    pub fn is_open(&self, now: Cycle) -> bool {
        self.0.is_some_and(|until| now <= until)
    }

    /// Closes it. Returns whether it was open.
    pub fn close(&mut self, now: Cycle) -> bool {
        let was = self.is_open(now);
        self.0 = None;
        was
    }

    /// Whether it may close by itself.
    pub fn may_close(&self) -> bool {
        self.0.is_some()
    }
}
