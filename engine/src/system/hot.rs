//! The state that accesses read and change all the time, in one place and in a fixed order.

use super::{Fetches, Window};
use crate::bus::Access;
use crate::time::{Cycle, NEVER};

/// A window hit by data.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct Data {
    pub window: Window,
    /// Cycles of each read and of each write; [`DEPENDS`]: it depends, or writes are refused.
    pub read: Cycle,
    pub write: Cycle,
}

/// No access takes so long.
pub(super) const DEPENDS: Cycle = Cycle::MAX;

/// Entries of the page table, a power of two.
pub(super) const PAGES: usize = 64;

/// No address is in this line: lines begin at even addresses.
pub(super) const NO_LINE: u32 = 1;

/// The state of an access that nothing interferes with.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Hot {
    /// Cycles spent since reset.
    pub now: Cycle,
    /// An access to memory that completes before this cycle needs nothing else. No event is due by
    /// then, no instrument or trace takes accesses, and no path is contended.
    pub alarm: Cycle,
    /// When the next event is due.
    pub next_event: Cycle,
    /// The cycle from which the core looks at its lines.
    pub next_check: Cycle,
    /// Where decoded code pauses; 0 once something has happened that it must look at.
    pub pause: Cycle,
    /// A block that begins before this cycle ends before `alarm` and before `pause`.
    pub flow_end: Cycle,
    /// Code that was decoded under another version is void.
    pub code_version: u64,
    /// Cycles of each further fetch from the line fetched last; 0: kinds differ.
    pub again: Cycle,
    /// The most cycles that a fetch from `code` takes.
    pub slowest: Cycle,
    /// The same for a block; more than ever goes by where fetches from one line differ.
    pub longest_block: Cycle,
    /// First address of the line of `code` fetched last.
    pub line: u32,
    /// The bits of an address that say in which line it is.
    pub line_mask: u32,
    /// [`NO_LINE`] where the window of code has no lines: fetches there never are from the last one.
    pub no_line: u32,
    /// Added to an address in `code`, it gives the offset in the memory.
    pub code_shift: u32,
    /// The instruction executing.
    pub pc: u32,
    /// An access may have to wait for its path.
    pub contended: bool,
    /// A device has transferred since reset.
    pub shared: bool,
    /// The window hit last by code.
    pub code: Window,
    /// How code there is fetched, where that is known ahead.
    pub fetches: Option<Fetches>,
    /// The cycles of a further fetch from the line fetched last, by [`Access::index`].
    pub agains: [Cycle; Access::COUNT],
    /// Bytes of a page, as a power of two.
    pub page_shift: u32,
    /// The windows hit last by data, by page; two pages [`PAGES`] pages from each other share one.
    pub pages: [Data; PAGES],
}

impl Hot {
    /// The entry of the page that an address is in.
    #[inline(always)]
    pub fn page(&self, address: u32) -> usize {
        (address >> self.page_shift) as usize % PAGES
    }

    /// Sets where decoded code pauses.
    #[inline]
    pub fn pause_at(&mut self, cycle: Cycle) {
        self.pause = cycle;
        self.refresh_flow();
    }

    /// Call after a change of `alarm`, `pause` or `longest_block`.
    #[inline]
    pub fn refresh_flow(&mut self) {
        self.flow_end = self.alarm.min(self.pause).saturating_sub(self.longest_block);
    }

    /// Nothing was accessed yet. A page has `1 << page_shift` bytes.
    pub fn new(page_shift: u32) -> Self {
        Hot {
            now: 0,
            alarm: NEVER,
            next_event: NEVER,
            next_check: NEVER,
            pause: 0,
            flow_end: 0,
            code_version: 0,
            again: 0,
            slowest: 0,
            longest_block: 0,
            line: NO_LINE,
            line_mask: 0,
            no_line: NO_LINE,
            code_shift: 0,
            pc: 0,
            contended: false,
            shared: false,
            code: Window::default(),
            fetches: None,
            agains: [0; Access::COUNT],
            page_shift,
            pages: [Data::default(); PAGES],
        }
    }
}
