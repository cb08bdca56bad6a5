//! What watches a board without disturbing it.

use crate::bus::Access;
use crate::time::Cycle;

/// What an instrument must be told; a board with nothing to tell pays nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interest {
    /// Signals only.
    Signals,
    /// Execution of, and data accesses to, these addresses.
    Addresses {
        /// Instruction addresses whose execution is reported.
        executed: Vec<u32>,
        /// Data addresses whose reads and writes are reported.
        accessed: Vec<u32>,
    },
    /// Every access and every instruction.
    Everything,
}

/// An observer. It has no way to act on the board.
pub trait Instrument: Send + Sync {
    /// Asked once, when it is attached.
    fn interest(&self) -> Interest;
    /// A signal, by its name in the board file (`device.output`), has a new level or carries a value.
    fn changed(&mut self, _at: Cycle, _signal: &str, _level: u32) {}
    /// An access was made. `at` is the cycle at which it completed; its data cycle is the one before.
    fn accessed(&mut self, _at: Cycle, _address: u32, _access: Access, _write: bool, _value: u32) {}
    /// The instruction at `address` begins to execute at this boundary.
    fn executed(&mut self, _at: Cycle, _address: u32) {}
}
