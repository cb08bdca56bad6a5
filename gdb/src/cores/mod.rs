//! The cores whose registers gdb can show, a file each.

mod arm7tdmi;
mod armv7m;
mod avr;

use crate::layout::Layout;

/// The layout of a kind of core, by its name in board files.
pub fn layout(kind: &str) -> Option<Layout> {
    match kind {
        arm7tdmi::KIND => Some(arm7tdmi::layout()),
        armv7m::KIND => Some(armv7m::layout()),
        avr::KIND => Some(avr::layout()),
        _ => None,
    }
}
