//! All intervals in which no normal interrupt could be taken, in order. An interrupt that
//! is taken ends one, and with its entry the next begins.
//!
//! A request can come up to one instruction (the one that masks, or an exception entry) before such an
//! interval and wait until its end.

use super::gate::{Gate, OffInterval};
use super::log::Log;
use crate::bus::{Exception, ExceptionKind, Status};
use crate::instrument::{Instrument, Interest};
use crate::time::Cycle;

/// The instrument.
#[derive(Debug)]
pub struct Observer {
    gate: Gate,
    log: Log<OffInterval>,
}

/// Takes what a [`Observer`] has seen.
#[derive(Debug, Default)]
pub struct Reader(Log<OffInterval>);

impl Observer {
    /// An observer and its reader; `controller` as for [`Gate::new`].
    pub fn new(controller: Option<(String, u32)>) -> (Observer, Reader) {
        let reader = Reader::default();
        (Observer { gate: Gate::new(controller), log: reader.0.share() }, reader)
    }

    fn end_with(&mut self, at: Cycle, address: u32) {
        if let Some(interval) = self.gate.end(at, address) {
            self.log.push(interval);
        }
    }
}

impl Reader {
    /// Takes the intervals that have ended since, in order.
    pub fn take(&self) -> Vec<OffInterval> {
        self.0.take()
    }
}

impl Instrument for Observer {
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
        if let Some(interval) = self.gate.follow(at, address) {
            self.log.push(interval);
        }
    }
}
