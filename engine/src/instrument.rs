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
    /// Every instruction.
    Instructions,
    /// Every access and every instruction, and all time that is spent otherwise.
    Everything,
}

/// Why cycles go by without an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// Internal cycles of the core, or an access that nothing answered.
    Internal,
    /// The core's clock is stopped.
    Asleep,
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
    /// Whether it would learn nothing from the execution of `address` now: then it is not told, and a
    /// loop of nothing else may be skipped. `false` is always right.
    fn is_indifferent(&self, _address: u32) -> bool {
        false
    }
    /// Normal interrupts are masked by the core, or no longer, as seen at this boundary. Told before
    /// `executed` when it differs from the last boundary, and at the first, to those who watch every
    /// instruction.
    fn masked(&mut self, _at: Cycle, _masked: bool) {}
    /// At this boundary an interrupt or a prefetch abort takes the place of an instruction: its entry,
    /// from `vector`, begins. Told to those who watch every instruction.
    fn entering(&mut self, _at: Cycle, _vector: u32) {}
    /// `cycles` up to `at` went by without an access that was answered. Told to those who watch
    /// everything.
    fn paused(&mut self, _at: Cycle, _cycles: Cycle, _why: Pause) {}
}
