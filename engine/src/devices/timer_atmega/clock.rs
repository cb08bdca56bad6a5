//! The clock of a timer: which edges of the I/O clock count, behind a prescaler of 10 bits that runs freely.

use crate::time::Cycle;

/// A prescaler as one timer sees it, and what the timer selects of it. An edge of the I/O clock is a core cycle.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// An edge behind which the prescaler stood at 0.
    origin: Cycle,
    /// Edges from one count to the next; 0 while no clock is selected.
    divider: Cycle,
    /// The prescaler is held at 0, and its timers stand still.
    held: bool,
    /// The timer has no clock, while the prescaler runs on.
    halted: bool,
    /// The I/O clock stands still since then, for the prescaler too.
    stopped: Option<Cycle>,
}

impl Clock {
    /// Whether edges count.
    pub fn runs(&self) -> bool {
        self.divider > 0 && !self.held && !self.halted && self.stopped.is_none()
    }

    /// Selects every `divider`-th edge; 0: none.
    pub fn select(&mut self, divider: Cycle) {
        self.divider = divider;
    }

    /// The prescaler's reset is asserted at this edge, or released.
    pub fn hold(&mut self, held: bool, edge: Cycle) {
        (self.held, self.origin) = (held, edge);
    }

    /// The timer alone loses its clock, or gets it back.
    pub fn halt(&mut self, halted: bool) {
        self.halted = halted;
    }

    /// The I/O clock stops at this edge, or goes on.
    pub fn stop(&mut self, stopped: bool, edge: Cycle) {
        if let (false, Some(since)) = (stopped, self.stopped) {
            self.origin += edge.saturating_sub(since.max(self.origin));
        }
        self.stopped = stopped.then(|| self.stopped.unwrap_or(edge));
    }

    /// How many edges behind `after`, up to `until`, count.
    pub fn counts(&self, after: Cycle, until: Cycle) -> u64 {
        if !self.runs() || until <= after {
            return 0;
        }
        (until - self.origin) / self.divider - (after - self.origin) / self.divider
    }

    /// The `n`-th edge behind `after` that counts, from 1 on. Asked while the clock runs.
    pub fn edge(&self, after: Cycle, n: u64) -> Cycle {
        let counted = (after - self.origin) / self.divider;
        self.origin + (counted + n) * self.divider
    }
}
