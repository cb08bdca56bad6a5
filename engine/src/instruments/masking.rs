//! Decides at each boundary whether an interrupt of some inputs could be taken.
//!
//! Interrupts are **off** at an instruction boundary in two cases. The core masks all of these inputs
//! ([`Status::masked`]). Or the interrupt controller would pass none on: no source is enabled, or none of a
//! higher priority than the one in service.

use crate::bus::{Exception, ExceptionKind, Status};
use crate::time::Cycle;

/// An interval without interrupts: from the first boundary at which they were off to the first at which
/// they were not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffInterval {
    /// When it began.
    pub since: Cycle,
    /// The first instruction executed in it.
    pub begin: u32,
    /// When it ended.
    pub until: Cycle,
    /// The first instruction executed after it.
    pub end: u32,
}

impl OffInterval {
    /// Its length.
    pub fn cycles(&self) -> Cycle {
        self.until - self.since
    }
}

/// State of an observer of interrupts.
#[derive(Debug)]
pub struct Masking {
    /// The inputs, one bit for each.
    inputs: u64,
    /// Output of the interrupt controller for the sources that it would pass on, and its level.
    controller: Option<(String, u32)>,
    masked: bool,
    /// Begin of the interval under way.
    since: Option<(Cycle, u32)>,
}

impl Masking {
    /// Interrupts of `inputs` are not masked yet. `controller` is the output of the interrupt controller whose
    /// level 0 means that no source can pass, and its level now.
    pub fn new(inputs: u64, controller: Option<(String, u32)>) -> Masking {
        Masking { inputs, controller, masked: false, since: None }
    }

    /// A signal has a new level.
    pub fn changed(&mut self, signal: &str, level: u32) {
        if let Some((_, now)) = self.controller.as_mut().filter(|(name, _)| name == signal) {
            *now = level;
        }
    }

    /// The core has this status from here on.
    pub fn status(&mut self, status: Status) {
        self.masked = status.masked & self.inputs == self.inputs;
    }

    /// Whether the exception is an interrupt of one of the inputs.
    pub fn is_taken(&self, exception: &Exception) -> bool {
        matches!(exception.kind, ExceptionKind::Interrupt(n) if self.inputs >> n & 1 != 0)
    }

    /// Whether interrupts are off.
    pub fn is_off(&self) -> bool {
        self.masked || self.controller.as_ref().is_some_and(|(_, level)| *level == 0)
    }

    /// Whether the next boundary neither begins nor ends an interval.
    pub fn is_steady(&self) -> bool {
        self.is_off() == self.since.is_some()
    }

    /// The interval that ends at this boundary, if one does.
    pub fn follow(&mut self, at: Cycle, address: u32) -> Option<OffInterval> {
        if !self.is_off() {
            return self.end(at, address);
        }
        self.since.get_or_insert((at, address));
        None
    }

    /// Ends the interval under way at this boundary, if there is one.
    pub fn end(&mut self, at: Cycle, address: u32) -> Option<OffInterval> {
        let (since, begin) = self.since.take()?;
        Some(OffInterval { since, begin, until: at, end: address })
    }

    /// Forgets the interval under way.
    pub fn forget(&mut self) {
        self.since = None;
    }
}
