//! How long memories take: pure functions of relative time, so that any tier may share or memoise them.

mod mam_lpc2000;
mod waits;

pub use mam_lpc2000::{Lines, Mam, Mode, LINE_SHIFT};
pub use waits::Waits;

use std::hash::Hash;

use crate::bus::Access;

/// The timing of one memory. It knows no clock: the caller says how much time went by.
pub trait Timing {
    /// What must be remembered between accesses; equal states answer alike for ever.
    type State: Copy + Eq + Hash + Default;

    /// Cycles that the access at `offset` in the memory takes, itself included (so at least 1).
    fn access(&self, state: &mut Self::State, offset: u32, access: Access) -> u32;

    /// `cycles` go by without an access to this memory.
    fn pass(&self, state: &mut Self::State, cycles: u64);
}
