//! A logic analyser: every change of the signals it is hooked to.

use std::sync::{Arc, Mutex, PoisonError};

use crate::instrument::{Instrument, Interest};
use crate::time::Cycle;

/// A signal's new level, or a value it carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// When.
    pub cycle: Cycle,
    /// Which, as in the board file.
    pub signal: String,
    /// The level.
    pub level: u32,
}

type Log = Arc<Mutex<Vec<Change>>>;

/// The instrument.
#[derive(Debug)]
pub struct Recorder {
    signals: Vec<String>,
    log: Log,
}

/// Takes what a [`Recorder`] has recorded.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    log: Log,
}

impl Recorder {
    /// A recorder of these signals, and its reader.
    pub fn new(signals: &[&str]) -> (Recorder, Reader) {
        let reader = Reader::default();
        let signals = signals.iter().map(|&signal| signal.to_owned()).collect();
        (Recorder { signals, log: Arc::clone(&reader.log) }, reader)
    }
}

impl Reader {
    /// Takes the changes recorded since, in order.
    pub fn take(&self) -> Vec<Change> {
        std::mem::take(&mut self.log.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Instrument for Recorder {
    fn interest(&self) -> Interest {
        Interest::Signals
    }

    fn changed(&mut self, at: Cycle, signal: &str, level: u32) {
        if self.signals.iter().any(|name| name == signal) {
            let change = Change { cycle: at, signal: signal.to_owned(), level };
            self.log.lock().unwrap_or_else(PoisonError::into_inner).push(change);
        }
    }
}
