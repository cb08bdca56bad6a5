//! The longest interval without normal interrupts inside a call.
//!
//! The intervals are those of a [`Masking`], within the call. A request can come up to one instruction (the
//! one that masks, or an exception entry) before an interval and wait until its end.

use super::log::{self, Log};
use super::masking::{Masking, OffInterval};
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
    /// The longest interval without interrupts, in cycles; 0 if there is none.
    pub longest_cycles: Cycle,
    /// The first instruction executed in it.
    pub begin: u32,
    /// The first instruction executed after it.
    pub end: u32,
    /// Interrupts were off when the call began: the first interval is counted from there only.
    pub entered_off: bool,
    /// They were off when it returned: the last interval is counted up to there only.
    pub returned_off: bool,
}

/// The instrument.
#[derive(Debug)]
pub struct Observer {
    passages: Passages,
    masking: Masking,
    call: InterruptsOff,
    log: Log<InterruptsOff>,
}

/// Takes what a [`Observer`] has seen.
pub type Reader = log::Reader<InterruptsOff>;

impl Observer {
    /// Makes an observer of the calls in `window`, and its reader.
    pub fn new(window: Window, masking: Masking) -> (Observer, Reader) {
        let reader = Reader::default();
        let observer = Observer {
            passages: Passages::new(window),
            masking,
            call: InterruptsOff::default(),
            log: reader.log(),
        };
        (observer, reader)
    }

    fn keep(&mut self, ended: Option<OffInterval>) {
        let Some(interval) = ended else { return };
        if interval.cycles() > self.call.longest_cycles {
            self.call.longest_cycles = interval.cycles();
            (self.call.begin, self.call.end) = (interval.begin, interval.end);
        }
    }
}

impl Instrument for Observer {
    fn interest(&self) -> Interest {
        Interest::Instructions
    }

    fn changed(&mut self, _at: Cycle, signal: &str, level: u32) {
        self.masking.changed(signal, level);
    }

    fn reset(&mut self) {
        self.passages.reset();
        self.masking.forget();
    }

    fn status(&mut self, _at: Cycle, status: Status) {
        self.masking.status(status);
    }

    fn marks(&self) -> Vec<u32> {
        self.passages.marks()
    }

    fn is_steady(&self) -> bool {
        !self.passages.is_inside() || self.masking.is_steady()
    }

    fn executed(&mut self, at: Cycle, address: u32) {
        match self.passages.executed(address) {
            Passage::Beside => {}
            Passage::Within => {
                let ended = self.masking.follow(at, address);
                self.keep(ended);
            }
            Passage::Entered => {
                let entered_off = self.masking.is_off();
                self.call = InterruptsOff { entered: at, entered_off, ..InterruptsOff::default() };
                self.masking.forget();
                self.masking.follow(at, address);
            }
            Passage::Returned => {
                self.call.returned_off = self.masking.is_off();
                self.call.cycles = at - self.call.entered;
                let ended = self.masking.end(at, address);
                self.keep(ended);
                self.log.push(self.call);
            }
        }
    }
}
