//! Functions of the engine that translated code calls: what depends on the state of the code's memory.

use crate::bus::{Access, Bus, Width};
use crate::system::System;
use crate::time::Cycle;

fn width(thumb: u32) -> Width {
    if thumb == 0 {
        Width::Word
    } else {
        Width::Half
    }
}

/// Fetches the first opcode of a line; returns when that is complete.
///
/// # Safety
/// `system` is the system that runs, and nobody else uses it now.
pub(super) unsafe extern "C" fn cross(
    system: *mut System,
    now: Cycle,
    address: u32,
    thumb: u32,
) -> Cycle {
    let bus = unsafe { &mut *system };
    bus.set_now(now);
    let offset = bus.code_offset(address);
    bus.fetch_ahead(address, offset, width(thumb));
    bus.now()
}

/// Refills the pipeline from `key` (bit 0: in Thumb state), which is inside; returns when that is complete.
///
/// # Safety
/// As of [`cross`].
pub(super) unsafe extern "C" fn refill(system: *mut System, now: Cycle, key: u32) -> Cycle {
    let bus = unsafe { &mut *system };
    bus.set_now(now);
    bus.refill_ahead(key & !1, width(key & 1));
    bus.now()
}

/// [`read`] refuses.
pub(super) const REFUSED: u64 = u64::MAX;

/// Reads data of 1 << `width` bytes beside the code; returns the cycles in the upper half and the value in the
/// lower, or [`REFUSED`].
///
/// # Safety
/// As of [`cross`].
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
    match bus.read_beside(address, Access::data(width), 0) {
        Some((value, cycles)) => u64::from(cycles) << 32 | u64::from(value),
        None => REFUSED,
    }
}
