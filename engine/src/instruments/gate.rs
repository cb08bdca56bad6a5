//! Whether a normal interrupt could get through, followed from boundary to boundary.
//!
//! Interrupts are **off** at an instruction boundary when the core masks them (I bit of the CPSR) or
//! when the interrupt controller would pass none on: no source is enabled for IRQ, or only such whose
//! priority is held back by the one in service.

use crate::time::Cycle;

/// A time without interrupts: from the first boundary at which they were off to the first at which they
/// were not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// When it began.
    pub since: Cycle,
    /// The first instruction executed in it.
    pub begin: u32,
    /// When it ended.
    pub until: Cycle,
    /// The first instruction executed after it.
    pub end: u32,
}

impl Stretch {
    /// How long it was.
    pub fn cycles(&self) -> Cycle {
        self.until - self.since
    }
}

/// What a watcher of interrupts keeps.
#[derive(Debug)]
pub struct Gate {
    /// Output of the interrupt controller that holds the sources it would pass on, and its level.
    controller: Option<(String, u32)>,
    masked: bool,
    /// Where the stretch under way began.
    since: Option<(Cycle, u32)>,
}

impl Gate {
    /// A gate that is open. `controller` is the output of the interrupt controller whose level 0 says
    /// that nothing can get through, and its level now.
    pub fn new(controller: Option<(String, u32)>) -> Gate {
        Gate { controller, masked: false, since: None }
    }

    /// A signal has a new level.
    pub fn changed(&mut self, signal: &str, level: u32) {
        if let Some((_, now)) = self.controller.as_mut().filter(|(name, _)| name == signal) {
            *now = level;
        }
    }

    /// Whether the core masks interrupts from here on.
    pub fn mask(&mut self, masked: bool) {
        self.masked = masked;
    }

    /// Whether interrupts are off.
    pub fn is_off(&self) -> bool {
        self.masked || self.controller.as_ref().is_some_and(|(_, level)| *level == 0)
    }

    /// Whether the next boundary neither begins nor ends a stretch.
    pub fn is_steady(&self) -> bool {
        self.is_off() == self.since.is_some()
    }

    /// The stretch that ends at this boundary, if one does.
    pub fn follow(&mut self, at: Cycle, address: u32) -> Option<Stretch> {
        if !self.is_off() {
            return self.end(at, address);
        }
        self.since.get_or_insert((at, address));
        None
    }

    /// Ends the stretch under way at this boundary, if there is one.
    pub fn end(&mut self, at: Cycle, address: u32) -> Option<Stretch> {
        let (since, begin) = self.since.take()?;
        Some(Stretch { since, begin, until: at, end: address })
    }

    /// Forgets the stretch under way.
    pub fn forget(&mut self) {
        self.since = None;
    }
}
