//! The truth: when chosen addresses execute and when chosen addresses are accessed, exactly.

use std::sync::{Arc, Mutex, PoisonError};

use crate::bus::Access;
use crate::instrument::{Instrument, Interest, Mover};
use crate::time::Cycle;

/// The instruction at `address` began to execute at `cycle`, the boundary before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Executed {
    /// When.
    pub cycle: Cycle,
    /// Which.
    pub address: u32,
}

/// A data access at `address` completed at `cycle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// When.
    pub cycle: Cycle,
    /// Where.
    pub address: u32,
    /// The value read or written.
    pub value: u32,
    /// Whether it was a write.
    pub write: bool,
}

#[derive(Debug, Default)]
struct Log {
    executed: Vec<Executed>,
    accessed: Vec<Accessed>,
}

/// The instrument. Its records are read through the [`Reader`] made with it.
#[derive(Debug)]
pub struct Truth {
    interest: Interest,
    log: Arc<Mutex<Log>>,
}

/// Takes what a [`Truth`] has recorded.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    log: Arc<Mutex<Log>>,
}

impl Truth {
    /// An instrument for these addresses, and its reader.
    pub fn new(executed: &[u32], accessed: &[u32]) -> (Truth, Reader) {
        let reader = Reader::default();
        let interest =
            Interest::Addresses { executed: executed.to_vec(), accessed: accessed.to_vec() };
        (Truth { interest, log: Arc::clone(&reader.log) }, reader)
    }
}

impl Reader {
    /// Forgets everything recorded.
    pub fn clear(&self) {
        *locked(&self.log) = Log::default();
    }

    /// Takes the executions recorded since, in order.
    pub fn take_executed(&self) -> Vec<Executed> {
        std::mem::take(&mut locked(&self.log).executed)
    }

    /// Takes the accesses recorded since, in order.
    pub fn take_accessed(&self) -> Vec<Accessed> {
        std::mem::take(&mut locked(&self.log).accessed)
    }
}

fn locked(log: &Mutex<Log>) -> std::sync::MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Instrument for Truth {
    fn interest(&self) -> Interest {
        self.interest.clone()
    }

    fn accessed(&mut self, at: Cycle, address: u32, _access: Access, write: bool, value: u32) {
        locked(&self.log).accessed.push(Accessed { cycle: at, address, value, write });
    }

    fn transferred(&mut self, at: Cycle, address: u32, access: Access, by: Mover, value: u32) {
        self.accessed(at, address, access, by.write, value);
    }

    fn executed(&mut self, at: Cycle, address: u32) {
        locked(&self.log).executed.push(Executed { cycle: at, address });
    }
}
