//! Every time in which no normal interrupt could get through, one after the other. An interrupt that
//! gets through ends one, and with its entry the next begins.
//!
//! A request can come up to one instruction (the one that masks, or an exception entry) before such an
//! interval and wait until its end.

use super::gate::{Gate, Stretch};
use super::log::Log;
use crate::bus::{Exception, ExceptionKind, Status};
use crate::instrument::{Instrument, Interest};
use crate::time::Cycle;

/// The instrument.
#[derive(Debug)]
pub struct Watcher {
    gate: Gate,
    log: Log<Stretch>,
}

/// Takes what a [`Watcher`] has seen.
#[derive(Debug, Default)]
pub struct Reader(Log<Stretch>);

impl Watcher {
    /// An observer and its reader; `controller` as for [`Gate::new`].
    pub fn new(controller: Option<(String, u32)>) -> (Watcher, Reader) {
        let reader = Reader::default();
        (Watcher { gate: Gate::new(controller), log: reader.0.share() }, reader)
    }

    fn end_with(&mut self, at: Cycle, address: u32) {
        if let Some(stretch) = self.gate.end(at, address) {
            self.log.push(stretch);
        }
    }
}

impl Reader {
    /// Takes the intervals that have ended since, in order.
    pub fn take(&self) -> Vec<Stretch> {
        self.0.take()
    }
}

impl Instrument for Watcher {
    fn interest(&self) -> Interest {
        Interest::Instructions
    }

    fn changed(&mut self, _at: Cycle, signal: &str, level: u32) {
        self.gate.changed(signal, level);
    }

    fn reset(&mut self) {
        self.gate.forget();
    }

    fn status(&mut self, _at: Cycle, status: Status) {
        self.gate.mask(status.irq_masked);
    }

    fn is_steady(&self) -> bool {
        self.gate.is_steady()
    }

    fn entering(&mut self, at: Cycle, exception: &Exception, _mode: u8) {
        if exception.kind == ExceptionKind::Interrupt {
            self.end_with(at, exception.vector);
        }
    }

    fn executed(&mut self, at: Cycle, address: u32) {
        if let Some(stretch) = self.gate.follow(at, address) {
            self.log.push(stretch);
        }
    }
}
