//! A function of the engine that translated code calls.

use crate::bus::{Access, Width};
use crate::system::System;
use crate::time::Cycle;

/// [`read`] refuses.
pub(super) const REFUSED: u64 = u64::MAX;

/// Reads data of 1 << `width` bytes beside the code; returns the cycles in the upper half and the value in the
/// lower, or [`REFUSED`].
///
/// # Safety
/// `system` is the system that runs, and nobody else uses it now.
pub(super) unsafe extern "C" fn read(
    system: *mut System,
    now: Cycle,
    address: u32,
    width: u32,
) -> u64 {
    let bus = unsafe { &mut *system };
    let width = [Width::Byte, Width::Half, Width::Word][width as usize % 3];
    if address & (width.bytes() - 1) != 0 {
        return REFUSED;
    }
    bus.set_now(now);
    match bus.read_beside(address, Access::data(width), 0, None) {
        Some((value, cycles)) => u64::from(cycles) << 32 | u64::from(value),
        None => REFUSED,
    }
}
