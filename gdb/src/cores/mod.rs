//! The cores whose registers gdb can show, a file each.

mod arm7tdmi;

use crate::layout::Layout;

/// The layout of a kind of core, by its name in board files.
pub fn layout(kind: &str) -> Option<Layout> {
    (kind == arm7tdmi::KIND).then(arm7tdmi::layout)
}
