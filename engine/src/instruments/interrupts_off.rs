//! How long no normal interrupt could get through inside a call.
//!
//! Interrupts are **off** at an instruction boundary when the core masks them (I bit of the CPSR) or
//! when the interrupt controller would pass none on: no source is enabled for IRQ, or only such whose
//! priority is held back by the one in service. A stretch goes from the first boundary at which they are off to
//! the first at which they are not, within the call. A request can come up to one instruction (the one
//! that masks, or an exception entry) before the stretch and wait through all of it.

use super::log::Log;
use super::window::{Passage, Passages, Window};
use crate::bus::Status;
use crate::instrument::{Instrument, Interest};
use crate::time::Cycle;

/// One call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InterruptsOff {
    /// When the call began.
    pub entered: Cycle,
    /// How long it took, in cycles.
    pub cycles: Cycle,
    /// The longest stretch without interrupts, in cycles; of equal ones the first. 0 if there is none.
    pub longest_cycles: Cycle,
    /// The first instruction executed in it.
    pub begin: u32,
    /// The first instruction executed after it.
    pub end: u32,
    /// Interrupts were off when the call began: the first stretch is counted from there only.
    pub entered_off: bool,
    /// They were off when it returned: the last stretch is counted up to there only.
    pub returned_off: bool,
}

/// The instrument.
#[derive(Debug)]
pub struct Watcher {
    passages: Passages,
    /// Output of the interrupt controller that holds the sources it would pass on, and its level.
    controller: Option<(String, u32)>,
    masked: bool,
    call: InterruptsOff,
    /// Where the stretch under way began.
    since: Option<(Cycle, u32)>,
    log: Log<InterruptsOff>,
}

/// Takes what a [`Watcher`] has seen.
#[derive(Debug, Default)]
pub struct Reader(Log<InterruptsOff>);

impl Watcher {
    /// A watcher of the calls in `window`, and its reader. `controller` is the output of the
    /// interrupt controller whose level 0 says that nothing can get through, and its level now.
    pub fn new(window: Window, controller: Option<(String, u32)>) -> (Watcher, Reader) {
        let reader = Reader::default();
        let watcher = Watcher {
            passages: Passages::new(window),
            controller,
            masked: false,
            call: InterruptsOff::default(),
            since: None,
            log: reader.0.share(),
        };
        (watcher, reader)
    }

    fn is_off(&self) -> bool {
        self.masked || self.controller.as_ref().is_some_and(|(_, level)| *level == 0)
    }

    /// The stretch under way, if there is one, ends at this boundary.
    fn end_stretch(&mut self, at: Cycle, address: u32) {
        let Some((since, begin)) = self.since.take() else { return };
        if at - since > self.call.longest_cycles {
            self.call.longest_cycles = at - since;
            (self.call.begin, self.call.end) = (begin, address);
        }
    }

    fn follow(&mut self, at: Cycle, address: u32) {
        if !self.is_off() {
            self.end_stretch(at, address);
        } else if self.since.is_none() {
            self.since = Some((at, address));
        }
    }
}

impl Reader {
    /// Takes the calls that have returned since, in order.
    pub fn take(&self) -> Vec<InterruptsOff> {
        self.0.take()
    }
}

impl Instrument for Watcher {
    fn interest(&self) -> Interest {
        Interest::Instructions
    }

    fn changed(&mut self, _at: Cycle, signal: &str, level: u32) {
        if let Some((_, now)) = self.controller.as_mut().filter(|(name, _)| name == signal) {
            *now = level;
        }
    }

    fn status(&mut self, _at: Cycle, status: Status) {
        self.masked = status.irq_masked;
    }

    fn is_indifferent(&self, address: u32) -> bool {
        self.passages.is_indifferent(address)
    }

    fn executed(&mut self, at: Cycle, address: u32) {
        match self.passages.executed(address) {
            Passage::Beside => {}
            Passage::Within => self.follow(at, address),
            Passage::Entered => {
                let entered_off = self.is_off();
                self.call = InterruptsOff { entered: at, entered_off, ..InterruptsOff::default() };
                self.since = None;
                self.follow(at, address);
            }
            Passage::Returned => {
                self.call.returned_off = self.is_off();
                self.call.cycles = at - self.call.entered;
                self.end_stretch(at, address);
                self.log.push(self.call);
            }
        }
    }
}
