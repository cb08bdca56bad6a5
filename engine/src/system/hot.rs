//! The state that accesses read and change all the time, in one place and in a fixed order.

use super::Window;
use crate::time::{Cycle, NEVER};

/// A window hit by data.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct Data {
    pub window: Window,
    /// Cycles of each read and of each write; 0: it depends, or writes are refused.
    pub read: Cycle,
    pub write: Cycle,
}

/// No address is in this line.
pub(super) const NO_LINE: u32 = u32::MAX;

/// What an access that nothing interferes with needs.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Hot {
    /// Cycles spent since reset.
    pub now: Cycle,
    /// An access to memory that completes before this cycle needs nothing else: no event is due by
    /// then, nobody watches or traces accesses, and no path is contended.
    pub alarm: Cycle,
    /// When the next event is due.
    pub next_event: Cycle,
    /// The cycle from which the core looks at its lines.
    pub attention: Cycle,
    /// Where decoded code pauses; 0 once something has happened that it must look at.
    pub pause: Cycle,
    /// What was decoded under another version of the code is void.
    pub code_version: u64,
    /// Cycles of each further fetch from the line fetched last; 0: it depends.
    pub again: Cycle,
    /// The most cycles that a fetch from `code` takes.
    pub slowest: Cycle,
    /// The same for a block; more than ever goes by where fetches from one line differ.
    pub longest_block: Cycle,
    /// The line of `code` fetched last.
    pub line: u32,
    /// All ones where lines of the window of code are no lines of the memory.
    pub no_line: u32,
    /// What leads from an address in `code` to the offset in the memory.
    pub code_shift: u32,
    /// The instruction executing.
    pub pc: u32,
    /// An access may have to wait for its path.
    pub contended: bool,
    /// The window hit last by code.
    pub code: Window,
    /// The windows hit last by data, by the highest four bits of the address.
    pub windows: [Data; 16],
}

impl Hot {
    /// Nothing was accessed yet.
    pub fn new() -> Self {
        Hot {
            now: 0,
            alarm: NEVER,
            next_event: NEVER,
            attention: NEVER,
            pause: 0,
            code_version: 0,
            again: 0,
            slowest: 0,
            longest_block: 0,
            line: NO_LINE,
            no_line: NO_LINE,
            code_shift: 0,
            pc: 0,
            contended: false,
            code: Window::default(),
            windows: Default::default(),
        }
    }
}
