//! All intervals in which no interrupt of some inputs could be taken, in order. An interrupt that
//! is taken ends one, and with its entry the next begins.
//!
//! A request can come up to one instruction (the one that masks, or an exception entry) before such an
//! interval and wait until its end.

use super::log::{self, Log};
use super::masking::{Masking, OffInterval};
use crate::bus::{Exception, Status};
use crate::instrument::{Instrument, Interest};
use crate::time::Cycle;

/// The instrument.
#[derive(Debug)]
pub struct Observer {
    masking: Masking,
    log: Log<OffInterval>,
}

/// Takes what a [`Observer`] has seen.
pub type Reader = log::Reader<OffInterval>;

impl Observer {
    /// Makes an observer and its reader.
    pub fn new(masking: Masking) -> (Observer, Reader) {
        let reader = Reader::default();
        (Observer { masking, log: reader.log() }, reader)
    }

    fn end_with(&mut self, at: Cycle, address: u32) {
        if let Some(interval) = self.masking.end(at, address) {
            self.log.push(interval);
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
        self.masking.forget();
    }

    fn status(&mut self, _at: Cycle, status: Status) {
        self.masking.status(status);
    }

    fn is_steady(&self) -> bool {
        self.masking.is_steady()
    }

    fn entering(&mut self, at: Cycle, exception: &Exception, _mode: u8) {
        if self.masking.is_taken(exception) {
            self.end_with(at, exception.vector);
        }
    }

    fn executed(&mut self, at: Cycle, address: u32) {
        if let Some(interval) = self.masking.follow(at, address) {
            self.log.push(interval);
        }
    }
}
