//! The reader of a power meter, and the trigger of its readings.

use std::sync::{Arc, Mutex};

use super::books::Books;
use super::{locked, Call, Ledger, Reading};
use crate::bus::Access;
use crate::energy::Levels;
use crate::instrument::{Instrument, Interest};
use crate::time::Cycle;

/// The instrument that takes a reading at chosen addresses.
#[derive(Debug)]
pub struct Trigger(pub(super) Arc<Mutex<Books>>, pub(super) Interest);

/// Reads what a [`PowerMeter`](super::PowerMeter) shows.
#[derive(Debug)]
pub struct Reader(pub(super) Arc<Mutex<Books>>);

impl Reader {
    /// Begins anew at a cycle, with these levels and this task.
    pub fn restart(&self, at: Cycle, levels: Levels, task: u32) {
        locked(&self.0).restart(at, levels, task);
    }

    /// Expenses since, by account.
    pub fn ledger(&self) -> Ledger {
        let state = locked(&self.0);
        let mut ledger = state.ledger.clone();
        if !state.counts.is_empty() {
            let pending = state.rates.spent(&state.counts);
            ledger.entry(state.spender).or_default().add(&pending, 1);
        }
        ledger
    }

    /// Where the kernel keeps the current task, when that is followed.
    pub fn current_task(&self) -> Option<u32> {
        locked(&self.0).metering.current_task
    }

    /// Takes the readings triggered since, in order.
    pub fn take_readings(&self) -> Vec<Reading> {
        std::mem::take(&mut locked(&self.0).readings)
    }

    /// Takes the calls that have returned since, in order.
    pub fn take_calls(&self) -> Vec<Call> {
        std::mem::take(&mut locked(&self.0).calls)
    }
}

impl Instrument for Trigger {
    fn interest(&self) -> Interest {
        self.1.clone()
    }

    fn executed(&mut self, at: Cycle, address: u32) {
        locked(&self.0).reading(at, address, 0);
    }

    fn accessed(&mut self, at: Cycle, address: u32, _access: Access, _write: bool, value: u32) {
        locked(&self.0).reading(at, address, value);
    }
}
