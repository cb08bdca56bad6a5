//! The cores whose registers gdb can show, a file each.

mod arm7tdmi;
mod avr;

use crate::layout::Layout;

/// The layout of a kind of core, by its name in board files.
pub fn layout(kind: &str) -> Option<Layout> {
    match kind {
        arm7tdmi::KIND => Some(arm7tdmi::layout()),
        avr::KIND => Some(avr::layout()),
        _ => None,
    }
}
