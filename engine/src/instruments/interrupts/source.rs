//! An interrupt, and a source of interrupts, as the monitor knows them.

use super::Durations;
use crate::instrument::Requester;
use crate::time::Cycle;

/// One interrupt that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupt {
    /// Its source.
    pub by: Requester,
    /// When the source began to request, if that was seen.
    pub asserted: Option<Cycle>,
    /// The boundary at which the core began to enter it.
    pub taken: Cycle,
    /// When the instruction at the vector began to execute.
    pub began: Option<Cycle>,
    /// When the program asked the controller for the source.
    pub served: Option<Cycle>,
    /// The boundary at which the handler was over.
    pub returned: Option<Cycle>,
    /// How many interrupts were under way when it was taken.
    pub depth: usize,
    /// Cycles of the interrupts that were taken before it was over.
    pub nested_cycles: Cycle,
}

/// One source of interrupts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// Requests: an enabled source begins to request, or still requests when its handler is over.
    pub asserted: u64,
    /// Requests that the core took.
    pub taken: u64,
    /// Requests taken while another interrupt was under way.
    pub nested: u64,
    /// Handlers that are over.
    pub returned: u64,
    /// Requests that ended, or were disabled, before the core took them.
    pub withdrawn: u64,
    /// Requests that came while the last was remembered.
    pub merged: u64,
    /// From request to entry.
    pub latency: Durations,
    /// From entry to the instruction at the vector.
    pub entry: Durations,
    /// From there to the end of the handler, nested interrupts included.
    pub handler: Durations,
    /// The same without nested interrupts.
    pub own: Durations,
    /// Begin of the request that was not taken yet.
    pub waits_since: Option<Cycle>,
}

impl Source {
    /// The core takes its request.
    pub(super) fn take(&mut self, interrupt: &Interrupt) {
        self.taken += 1;
        self.nested += u64::from(interrupt.depth > 0);
        if let Some(asserted) = self.waits_since.take() {
            // A request that comes during the entry, and is served first, did not wait.
            self.latency.add(interrupt.taken.saturating_sub(asserted));
        }
        if let Some(began) = interrupt.began {
            self.entry.add(began - interrupt.taken);
        }
    }

    /// It was another source's request after all.
    pub(super) fn untake(&mut self, interrupt: &Interrupt) {
        self.taken -= 1;
        self.nested -= u64::from(interrupt.depth > 0);
        if let Some(asserted) = interrupt.asserted {
            self.latency.remove(interrupt.taken.saturating_sub(asserted));
            self.waits_since = Some(asserted);
        }
        if let Some(began) = interrupt.began {
            self.entry.remove(began - interrupt.taken);
        }
    }
}
